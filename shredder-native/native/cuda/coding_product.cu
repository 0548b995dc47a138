// SPDX-License-Identifier: Apache-2.0
//
// The kernel for every matrix. A product with a constant is linear, so it is the sum of three look-ups, of
// the lower three bits of both nibbles and of their top bits. A thread computes 16 bytes of up to eight
// outputs.
#include <algorithm>

#include "coding/field.h"
#include "cuda/coding_kernels.h"
#include "cuda/cuda_check.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::size_t kVectorBytes = 16;
constexpr std::size_t kMostRowsTogether = 8;
/// Columns whose tables are in shared memory at a time.
constexpr unsigned kColumnsAtOnce = 32;

__device__ std::uint32_t lookUp(std::uint32_t first, std::uint32_t second, std::uint32_t selectors) {
    std::uint32_t found;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(first), "r"(second), "r"(selectors));
    return found;
}

__device__ std::uint32_t select(std::uint32_t mask, std::uint32_t yes, std::uint32_t no) {
    return (yes & mask) | (no & ~mask);
}

/// Eight bytes, as PRMT wants them: a nibble for each, those of bytes x0 y0 x1 y1 in the lower half.
struct Selectors {
    __device__ Selectors(std::uint32_t x, std::uint32_t y) {
        std::uint32_t lowNibbles = select(0x0F0F0F0F, x, y << 4);
        std::uint32_t highNibbles = select(0x0F0F0F0F, x >> 4, y);
        low = lowNibbles & 0x77777777;
        middle = highNibbles & 0x77777777;
        tops = select(0x11111111, lowNibbles >> 3, highNibbles >> 2) & 0x33333333;
    }

    std::uint32_t low;
    std::uint32_t middle;
    std::uint32_t tops;
};

/// Eight bytes of an output, in the order of Selectors.
struct Sum {
    std::uint32_t lower = 0;
    std::uint32_t upper = 0;

    __device__ void add(const uint4& table, std::uint32_t tops, const Selectors& by) {
        lower ^= lookUp(table.x, table.y, by.low) ^ lookUp(table.z, table.w, by.middle);
        lower ^= lookUp(tops, 0, by.tops);
        upper ^= lookUp(table.x, table.y, by.low >> 16) ^ lookUp(table.z, table.w, by.middle >> 16);
        upper ^= lookUp(tops, 0, by.tops >> 16);
    }
    __device__ std::uint32_t x() const { return lookUp(lower, upper, 0x6420); }
    __device__ std::uint32_t y() const { return lookUp(lower, upper, 0x7531); }
};

/// Up to 16 bytes from any place.
__device__ uint4 loadBytes(const std::uint8_t* from, std::size_t count) {
    std::uint32_t words[4] = {};
#pragma unroll
    for (unsigned i = 0; i < kVectorBytes; i++) {
        if (i < count) words[i / 4] |= static_cast<std::uint32_t>(from[i]) << (8 * (i % 4));
    }
    return {words[0], words[1], words[2], words[3]};
}

__device__ void storeBytes(std::uint8_t* to, const uint4& vector, std::size_t count) {
    const std::uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
    for (unsigned i = 0; i < kVectorBytes; i++) {
        if (i < count) to[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
    }
}

template <unsigned Rows>
__device__ void fetchTables(const ProductTables* from, unsigned count, ProductTables* to) {
    __syncthreads();  // nobody reads the last ones any more
    for (unsigned i = threadIdx.x; i < count * Rows * (sizeof(ProductTables) / sizeof(uint4));
         i += kThreads) {
        reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
    }
    __syncthreads();
}

/// A block computes kThreads vectors of one group of rows.
template <unsigned Rows>
__global__ void __launch_bounds__(kThreads)
    multiply(const __grid_constant__ ShardPointers shards, const ProductTables* tables, unsigned rows,
             unsigned columns, std::size_t bytes, bool aligned) {
    __shared__ ProductTables near[kColumnsAtOnce * Rows];
    std::size_t at = (static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x) * kVectorBytes;
    std::size_t count = at < bytes ? min(bytes - at, kVectorBytes) : 0;
    bool whole = aligned && count == kVectorBytes;
    tables += static_cast<std::size_t>(blockIdx.y) * columns * Rows;
    Sum sums[Rows][2];
    for (unsigned first = 0; first < columns; first += kColumnsAtOnce) {
        unsigned these = min(columns - first, kColumnsAtOnce);
        fetchTables<Rows>(tables + first * Rows, these, near);
#pragma unroll 4
        for (unsigned column = 0; column < these; column++) {
            const std::uint8_t* from = shards.at[first + column] + at;
            uint4 vector = whole ? __ldcs(reinterpret_cast<const uint4*>(from)) : loadBytes(from, count);
            Selectors left(vector.x, vector.y);
            Selectors right(vector.z, vector.w);
#pragma unroll
            for (unsigned row = 0; row < Rows; row++) {
                const ProductTables& table = near[column * Rows + row];
                uint4 lower = *reinterpret_cast<const uint4*>(&table);
                std::uint32_t tops = *reinterpret_cast<const std::uint32_t*>(table.tops);
                sums[row][0].add(lower, tops, left);
                sums[row][1].add(lower, tops, right);
            }
        }
    }
#pragma unroll
    for (unsigned row = 0; row < Rows; row++) {
        unsigned output = blockIdx.y * Rows + row;
        if (output >= rows) break;
        std::uint8_t* to = shards.at[columns + output] + at;
        uint4 vector{sums[row][0].x(), sums[row][0].y(), sums[row][1].x(), sums[row][1].y()};
        if (whole) {
            __stcs(reinterpret_cast<uint4*>(to), vector);
        } else {
            storeBytes(to, vector, count);
        }
    }
}

template <unsigned Rows>
void launch(dim3 grid, const ProductTables* tables, std::size_t rows, std::size_t columns,
            const ShardPointers& shards, std::size_t bytes, bool aligned, cudaStream_t stream) {
    multiply<Rows><<<grid, kThreads, 0, stream>>>(shards, tables, static_cast<unsigned>(rows),
                                                  static_cast<unsigned>(columns), bytes, aligned);
}

constexpr decltype(&launch<1>) kLaunches[kMostRowsTogether] = {launch<1>, launch<2>, launch<3>, launch<4>,
                                                               launch<5>, launch<6>, launch<7>, launch<8>};

ProductTables tablesOf(std::uint8_t factor) {
    const auto& multiples = coding::products()[factor];
    ProductTables tables{};
    for (std::size_t i = 0; i < 8; i++) {
        tables.low[i] = multiples[i];
        tables.middle[i] = multiples[16 * i];
    }
    tables.tops[1] = multiples[8];
    tables.tops[2] = multiples[0x80];
    tables.tops[3] = multiples[0x88];
    return tables;
}

}  // namespace

bool areAligned(const ShardPointers& shards, std::size_t count) {
    return std::all_of(shards.at, shards.at + count, [](const std::uint8_t* shard) {
        return reinterpret_cast<std::uintptr_t>(shard) % kVectorBytes == 0;
    });
}

RowGroups::RowGroups(std::size_t count)
    : rows(count),
      groups((rows + kMostRowsTogether - 1) / kMostRowsTogether),
      each((rows + groups - 1) / groups) {}

std::vector<ProductTables> productTables(const coding::Matrix& matrix) {
    RowGroups rows(matrix.rows());
    std::vector<ProductTables> tables;
    tables.reserve(rows.groups * rows.each * matrix.columns());
    for (std::size_t group = 0; group < rows.groups; group++) {
        for (std::size_t column = 0; column < matrix.columns(); column++) {
            for (std::size_t row = group * rows.each; row < (group + 1) * rows.each; row++) {
                tables.push_back(tablesOf(row < rows.rows ? matrix.at(row, column) : std::uint8_t{0}));
            }
        }
    }
    return tables;
}

/// Pageable memory's copy may still be under way when the call returns, so streams have to be waited for.
void copyTables(const std::vector<ProductTables>& tables, ProductTables* device, cudaStream_t stream) {
    checkCuda(cudaMemcpyAsync(device, tables.data(), tables.size() * sizeof(ProductTables),
                              cudaMemcpyHostToDevice, stream),
              "copy of a matrix");
    checkCuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void enqueueProduct(const ProductTables* tables, std::size_t rows, std::size_t columns,
                    const ShardPointers& shards, std::size_t bytes, cudaStream_t stream) {
    if (bytes == 0) return;
    RowGroups groups(rows);
    std::size_t blockBytes = kThreads * kVectorBytes;
    dim3 grid(static_cast<unsigned>((bytes + blockBytes - 1) / blockBytes),
              static_cast<unsigned>(groups.groups));
    kLaunches[groups.each - 1](grid, tables, rows, columns, shards, bytes, areAligned(shards, rows + columns),
                               stream);
    checkLaunch("multiply");
}

}  // namespace shredder
