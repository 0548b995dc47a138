// SPDX-License-Identifier: Apache-2.0
//
// Products with shards that lie in a GPU's memory.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "coding/code.h"
#include "coding/prepared_matrix.h"
#include "cuda/cuda_backend.h"
#include "cuda/resident_matrix.h"

namespace shredder::test {
namespace {

using namespace shredder::coding;

class ResidentMatrixTest : public testing::Test {
  protected:
    void SetUp() override {
        if (surveyCuda().deviceCount == 0) GTEST_SKIP() << surveyCuda().detail;
        checkCuda(cudaSetDevice(0), "cudaSetDevice");
    }

    /// Buffers of a row of device memory, each `offset` bytes behind a multiple of 256.
    static std::vector<std::uint8_t*> places(const DeviceMemory<std::uint8_t>& memory, std::size_t count,
                                             std::size_t stride, std::size_t offset) {
        std::vector<std::uint8_t*> all;
        for (std::size_t i = 0; i < count; i++) {
            all.push_back(memory.get() + i * stride + offset);
        }
        return all;
    }

    void expectReferences(const Matrix& matrix, const ResidentMatrix& resident, std::size_t bytes,
                          std::size_t offset) {
        SCOPED_TRACE(std::to_string(matrix.rows()) + " x " + std::to_string(matrix.columns()) + ", " +
                     std::to_string(bytes) + " bytes at " + std::to_string(offset));
        std::size_t stride = (bytes + offset) / 256 * 256 + 512;
        std::size_t shards = matrix.rows() + matrix.columns();
        std::vector<std::uint8_t> host(shards * stride);
        for (std::uint8_t& byte : host) {
            byte = static_cast<std::uint8_t>(random_());
        }
        DeviceMemory<std::uint8_t> memory(host.size());
        checkCuda(cudaMemcpy(memory.get(), host.data(), host.size(), cudaMemcpyHostToDevice), "copy");
        checkCuda(cudaDeviceSynchronize(),
                  "cudaDeviceSynchronize");  // the stream below doesn't wait for the copy
        std::vector<std::uint8_t*> onDevice = places(memory, shards, stride, offset);
        CudaStream stream;
        resident.enqueue(onDevice.data(), onDevice.data() + matrix.columns(), bytes, stream.view());
        stream.synchronize();
        std::vector<std::uint8_t> found(host.size());
        checkCuda(cudaMemcpy(found.data(), memory.get(), found.size(), cudaMemcpyDeviceToHost), "copy");
        std::vector<const std::uint8_t*> inputs;
        std::vector<std::uint8_t*> outputs;
        for (std::size_t i = 0; i < shards; i++) {
            std::uint8_t* place = host.data() + i * stride + offset;
            if (i < matrix.columns()) {
                inputs.push_back(place);
            } else {
                outputs.push_back(place);
            }
        }
        PreparedMatrix(matrix, kCodingScalar).apply(inputs.data(), outputs.data(), 0, bytes);
        ASSERT_TRUE(found == host);  // all around the shards, too
    }

    std::mt19937_64 random_{7};
};

TEST_F(ResidentMatrixTest, programsOfSmallCodesAreTheReferences) {
    for (std::size_t data = 1; data <= 8; data++) {
        for (std::size_t parity = 1; parity <= 8; parity += 2) {
            Matrix matrix = parityRows({SHREDDER_CODE_RS, data, parity});
            ResidentMatrix resident(matrix);
            EXPECT_TRUE(resident.hasProgram());
            expectReferences(matrix, resident, 1 + random_() % 9'000, 0);
        }
    }
}

TEST_F(ResidentMatrixTest, everyFigureIsTheReferences) {
    for (const Code& code :
         {Code{SHREDDER_CODE_RS, 6, 3}, Code{SHREDDER_CODE_RS, 10, 4}, Code{SHREDDER_CODE_RS, 17, 3},
          Code{SHREDDER_CODE_RS, 64, 128}, Code{SHREDDER_CODE_RS, 192, 64}, Code{SHREDDER_CODE_RS, 30, 8},
          Code{SHREDDER_CODE_RS, 255, 1}, Code{SHREDDER_CODE_RS_LEGACY, 40, 5},
          Code{SHREDDER_CODE_XOR, 9, 1}}) {
        Matrix matrix = parityRows(code);
        ResidentMatrix resident(matrix);
        for (std::size_t bytes : {16U, 4'096U, 70'001U}) {
            for (std::size_t offset : {0U, 16U, 3U}) {
                expectReferences(matrix, resident, bytes, offset);
            }
        }
    }
}

TEST_F(ResidentMatrixTest, everyTransformIsTheMatrix) {
    for (const Code& code :
         {Code{SHREDDER_CODE_RS, 64, 64}, Code{SHREDDER_CODE_RS, 64, 128}, Code{SHREDDER_CODE_RS, 64, 192},
          Code{SHREDDER_CODE_RS, 128, 64}, Code{SHREDDER_CODE_RS, 192, 64}}) {
        Matrix matrix = parityRows(code);
        ResidentMatrix resident(code);
        EXPECT_TRUE(resident.hasProgram());
        expectReferences(matrix, resident, 1'024, 0);
        expectReferences(matrix, resident, 40'000 + random_() % 100'000, 16);
        expectReferences(matrix, resident, 5'000, 5);
    }
}

TEST_F(ResidentMatrixTest, everyLengthAtAnyPlaceIsTheReferences) {
    Matrix matrix = parityRows({SHREDDER_CODE_RS, 6, 3});
    ResidentMatrix resident(matrix);
    for (std::size_t bytes = 1; bytes <= 300; bytes++) {
        expectReferences(matrix, resident, bytes, bytes % 3 == 0 ? 0 : random_() % 16);
    }
}

TEST_F(ResidentMatrixTest, elementsOfZeroAndOneAndEveryOtherAreTheReferences) {
    for (int round = 0; round < 20; round++) {
        Matrix matrix(1 + random_() % 8, 1 + random_() % 30);
        for (std::size_t i = 0; i < matrix.rows(); i++) {
            for (std::size_t j = 0; j < matrix.columns(); j++) {
                matrix.at(i, j) = static_cast<std::uint8_t>(random_() % 3 == 0 ? random_() % 2 : random_());
            }
        }
        expectReferences(matrix, ResidentMatrix(matrix), 1 + random_() % 5'000, 0);
    }
}

}  // namespace
}  // namespace shredder::test
