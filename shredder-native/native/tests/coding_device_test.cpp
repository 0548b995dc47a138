// SPDX-License-Identifier: Apache-2.0
//
// Coding on devices: bytes are shared among them, and what a device fails to compute the CPU computes. The
// contract of the GPUs runs where there are some.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "coding/erasure_coder.h"
#include "coding/reference.h"
#include "cuda/cuda_backend.h"
#include "pipeline/error.h"
#include "tests/coding_support.h"

namespace shredder::test {
namespace {

using namespace shredder::coding;

using Devices = std::vector<std::unique_ptr<CodingDevice>>;

/// Multiplies on the CPU, byte by byte.
class ReferenceDevice final : public CodingDevice {
  public:
    explicit ReferenceDevice(std::string name) : name_(std::move(name)) {}

    std::string name() const override { return name_; }
    void apply(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
               std::size_t from, std::size_t bytes) override {
        std::vector<const std::uint8_t*> in(inputs, inputs + rows.columns());
        std::vector<std::uint8_t*> out(outputs, outputs + rows.rows());
        for (auto& input : in) {
            input += from;
        }
        for (auto& output : out) {
            output += from;
        }
        combineReference(rows, in.data(), out.data(), bytes);
    }

  private:
    std::string name_;
};

Devices referenceDevices(std::size_t count, const std::string& faults) {
    EnvironmentVariable variable("SHREDDER_INJECT_FAULT", faults);
    Devices devices;
    for (std::size_t i = 0; i < count; i++) {
        devices.push_back(withFaults(std::make_unique<ReferenceDevice>("device " + std::to_string(i)), i,
                                     faultsFromEnvironment()));
    }
    return devices;
}

const CodingForm& cpuForm() {
    return chooseCodingForm(SHREDDER_BACKEND_CPU, cpuFeatures());
}

/// Encodes and gets losses back; both are the reference's.
void expectCodes(const ErasureCoder& coder, std::size_t bytes, std::mt19937_64& random,
                 const std::vector<std::size_t>& lost) {
    const Code& code = coder.code();
    SCOPED_TRACE(text(code) + ", " + std::to_string(bytes) + " bytes");
    Shards shards(code, bytes, {random() % 64, random() % 64, random() % 64});
    shards.setData(splitmix64(random(), bytes * code.data));
    Outputs expected(code.parity, bytes);
    // The reference's own form of matrices: quicker where the reference itself would take minutes.
    PreparedMatrix(parityRows(code), kCodingScalar).apply(shards.data(), expected.pointers(), 0, bytes);
    coder.encode(shards.data(), shards.parity(), bytes);
    for (std::size_t i = 0; i < code.parity; i++) {
        ASSERT_TRUE(shards.bytes(code.data + i) == expected.bytes(i)) << "parity " << i;
    }
    Outputs outputs(lost.size(), bytes, {random() % 64, random() % 64});
    coder.decode(shards.without(lost).data(), lost, outputs.pointers(), bytes);
    for (std::size_t i = 0; i < lost.size(); i++) {
        ASSERT_TRUE(outputs.bytes(i) == shards.bytes(lost[i])) << "lost " << lost[i];
    }
    ASSERT_TRUE(shards.isUntouchedAround() && outputs.isUntouchedAround());
}

/// As many shards as can be lost, any ones.
std::vector<std::size_t> mostLosses(const Code& code, std::mt19937_64& random) {
    std::vector<std::size_t> order(code.shards());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(code.parity);
    return order;
}

TEST(CodingDeviceTest, devicesShareTheBytesOfACall) {
    std::mt19937_64 random(randomSeed());
    Code code{SHREDDER_CODE_RS, 6, 3};
    for (std::size_t count : {1, 2, 3}) {
        ErasureCoder coder(code, cpuForm(), 1, referenceDevices(count, ""));
        for (std::size_t bytes : {1, 4'095, 4'097, 8'193, 30'000}) {
            expectCodes(coder, bytes, random, mostLosses(code, random));
        }
    }
}

/// Has no memory for its second call.
class ShortDevice final : public CodingDevice {
  public:
    ShortDevice(std::unique_ptr<CodingDevice> device, std::atomic<int>& calls)
        : device_(std::move(device)), calls_(calls) {}

    std::string name() const override { return device_->name(); }
    void apply(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
               std::size_t from, std::size_t bytes) override {
        if (++calls_ == 2) throw Error(SHREDDER_OUT_OF_MEMORY, "full");
        device_->apply(rows, inputs, outputs, from, bytes);
    }

  private:
    std::unique_ptr<CodingDevice> device_;
    std::atomic<int>& calls_;
};

TEST(CodingDeviceTest, aDeviceThatHadNoMemoryForACallIsAskedAgain) {
    std::mt19937_64 random(randomSeed());
    Code code{SHREDDER_CODE_RS, 6, 3};
    std::atomic<int> calls{0};
    Devices devices;
    devices.push_back(std::make_unique<ShortDevice>(std::make_unique<ReferenceDevice>("device"), calls));
    ErasureCoder coder(code, cpuForm(), 1, std::move(devices));
    testing::internal::CaptureStderr();
    for (int call = 0; call < 3; call++) {
        expectCodes(coder, 30'001, random, mostLosses(code, random));
    }
    EXPECT_GE(calls, 6) << "it codes and decodes";
    testing::internal::GetCapturedStderr();
}

TEST(CodingDeviceTest, whatADeviceFailsToComputeTheCpuComputesAndOneLineSaysSo) {
    std::mt19937_64 random(randomSeed());
    Code code{SHREDDER_CODE_RS, 6, 3};
    for (const char* faults : {"0:code:1", "1:code:3", "0:code:1,1:code:1", "0:code:2,1:code:4"}) {
        for (unsigned threads : {1U, 3U}) {
            ErasureCoder coder(code, cpuForm(), threads, referenceDevices(2, faults));
            testing::internal::CaptureStderr();
            for (int call = 0; call < 4; call++) {
                expectCodes(coder, 30'001, random, mostLosses(code, random));
            }
            std::string lines = testing::internal::GetCapturedStderr();
            std::string all = faults;
            EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'),
                      1 + std::count(all.begin(), all.end(), ','))
                << lines;
        }
    }
}

TEST(CodingDeviceTest, theLineNamesTheDeviceAndTheError) {
    Code code{SHREDDER_CODE_XOR, 2, 1};
    ErasureCoder coder(code, cpuForm(), 1, referenceDevices(1, "0:code:1"));
    std::mt19937_64 random(randomSeed());
    testing::internal::CaptureStderr();
    expectCodes(coder, 100, random, {1});
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "shredder: warning: coding on device 0 failed, it is no longer used for it: fault injected into code "
        "1 by SHREDDER_INJECT_FAULT\n");
}

TEST(CodingDeviceTest, aGpuThatIsNotThereIsAnError) {
    shredder_coder* coder = nullptr;
    shredder_coder_options options{.code = SHREDDER_CODE_RS,
                                   .data_shards = 6,
                                   .parity_shards = 3,
                                   .backend = SHREDDER_BACKEND_CUDA,
                                   .device = 999};
    EXPECT_EQ(shredder_coder_open(&options, &coder), SHREDDER_UNAVAILABLE);
    EXPECT_EQ(coder, nullptr);
    EXPECT_STRNE(shredder_last_error(), "");
}

/// Codes on all GPUs of the machine.
class GpuCodingTest : public testing::Test {
  protected:
    void SetUp() override {
        if (surveyCuda().deviceCount == 0) GTEST_SKIP() << surveyCuda().detail;
    }

    static ErasureCoder coderOf(const Code& code) {
        return {code, cpuForm(), 1, openCudaCodingDevices({.ordinal = -1})};
    }

    std::mt19937_64 random_{randomSeed()};
};

TEST_F(GpuCodingTest, givesTheGoldenVectors) {
    for (const CodingVector& vector : codingVectors()) {
        Shards shards(vector.code, vector.bytes, {1, 77, 3});
        shards.setData(vector.data);
        coderOf(vector.code).encode(shards.data(), shards.parity(), vector.bytes);
        EXPECT_EQ(hexOf(shards.parityBytes()), vector.parityHex) << text(vector.code);
    }
}

TEST_F(GpuCodingTest, everySmallCodeIsTheReferences) {
    for (std::size_t data = 1; data <= 8; data++) {
        for (std::size_t parity = 1; parity <= 8; parity++) {
            Code code{SHREDDER_CODE_RS, data, parity};
            expectCodes(coderOf(code), 1 + random_() % 3'000, random_, mostLosses(code, random_));
        }
        Code code{SHREDDER_CODE_XOR, data, 1};
        expectCodes(coderOf(code), 1 + random_() % 3'000, random_, mostLosses(code, random_));
    }
}

TEST_F(GpuCodingTest, largerCodesAreTheReferences) {
    for (const Code& code :
         {Code{SHREDDER_CODE_RS, 10, 4}, Code{SHREDDER_CODE_RS, 17, 3}, Code{SHREDDER_CODE_RS, 12, 4},
          Code{SHREDDER_CODE_RS, 16, 16}, Code{SHREDDER_CODE_RS, 13, 11}, Code{SHREDDER_CODE_RS, 9, 16},
          Code{SHREDDER_CODE_RS, 30, 6}, Code{SHREDDER_CODE_RS, 64, 128}, Code{SHREDDER_CODE_RS, 192, 64},
          Code{SHREDDER_CODE_RS, 128, 128}, Code{SHREDDER_CODE_RS, 255, 1}, Code{SHREDDER_CODE_RS, 1, 255},
          Code{SHREDDER_CODE_RS, 100, 57}, Code{SHREDDER_CODE_RS_LEGACY, 10, 4},
          Code{SHREDDER_CODE_RS_LEGACY, 200, 55}, Code{SHREDDER_CODE_XOR, 255, 1}}) {
        expectCodes(coderOf(code), 1 + random_() % 5'000, random_, mostLosses(code, random_));
    }
}

TEST_F(GpuCodingTest, everyLengthAtAnyPlaceIsTheReferences) {
    Code code{SHREDDER_CODE_RS, 6, 3};
    ErasureCoder coder = coderOf(code);
    for (std::size_t bytes = 1; bytes <= 300; bytes++) {
        expectCodes(coder, bytes, random_, mostLosses(code, random_));
    }
    for (std::size_t bytes : {4'095U, 262'145U, 1'000'003U, 5'000'011U}) {
        expectCodes(coder, bytes, random_, mostLosses(code, random_));
    }
}

TEST_F(GpuCodingTest, allLossesOfSmallCodesComeBack) {
    for (const Code& code : {Code{SHREDDER_CODE_RS, 4, 2}, Code{SHREDDER_CODE_RS, 5, 3},
                             Code{SHREDDER_CODE_RS_LEGACY, 3, 3}, Code{SHREDDER_CODE_XOR, 5, 1}}) {
        ErasureCoder coder = coderOf(code);
        for (unsigned bits = 1; bits < 1U << code.shards(); bits++) {
            std::vector<std::size_t> lost = bitsOf(bits);
            if (lost.size() <= code.parity) expectCodes(coder, 1'000, random_, lost);
        }
    }
}

TEST_F(GpuCodingTest, manyThreadsMayUseOneCoder) {
    Code code{SHREDDER_CODE_RS, 6, 3};
    ErasureCoder coder = coderOf(code);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; t++) {
        threads.emplace_back([&, t] {
            std::mt19937_64 random(t);
            for (int i = 0; i < 20; i++) {
                expectCodes(coder, 1 + random() % 700'000, random, mostLosses(code, random));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST_F(GpuCodingTest, aGpuThatFailsIsReplacedByTheCpuInTheSameCall) {
    EnvironmentVariable variable("SHREDDER_INJECT_FAULT", "0:code:2");
    shredder_coder_options options{
        .code = SHREDDER_CODE_RS, .data_shards = 6, .parity_shards = 3, .backend = SHREDDER_BACKEND_CUDA};
    shredder_coder* coder = nullptr;
    check(shredder_coder_open(&options, &coder));
    shredder_coder_info info{};
    check(shredder_coder_describe(coder, &info));
    EXPECT_STREQ(info.form, "cuda");
    EXPECT_STREQ(info.instructions, "cuda:0");
    Code code{SHREDDER_CODE_RS, 6, 3};
    std::size_t bytes = 600'001;
    Shards shards(code, bytes, {16});
    shards.setData(splitmix64(1, bytes * 6));
    Outputs expected(3, bytes);
    PreparedMatrix(parityRows(code), kCodingScalar).apply(shards.data(), expected.pointers(), 0, bytes);
    testing::internal::CaptureStderr();
    for (int call = 0; call < 3; call++) {
        check(shredder_coder_encode(coder, shards.data(), shards.parity(), bytes));
        for (std::size_t i = 0; i < 3; i++) {
            ASSERT_TRUE(shards.bytes(6 + i) == expected.bytes(i)) << call;
            std::fill_n(shards.parity()[i], bytes, std::uint8_t{0});
        }
    }
    std::string lines = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
    shredder_coder_close(coder);
}

}  // namespace
}  // namespace shredder::test
