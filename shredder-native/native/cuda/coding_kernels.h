// SPDX-License-Identifier: Apache-2.0
//
// Products of a matrix over the coder's field with shards in device memory, coding/matrix.h.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coding/code.h"
#include "coding/matrix.h"

namespace shredder {

/// Where shards lie in device memory: inputs, then outputs. A kernel's parameter.
struct ShardPointers {
    std::uint8_t* at[coding::kMostShards];
};

/// Multiples of an element by parts of a byte: PRMT looks four of them up at once.
struct alignas(16) ProductTables {
    std::uint8_t low[8];     ///< of 0 .. 7
    std::uint8_t middle[8];  ///< of 0 .. 7 times 16
    std::uint8_t tops[4];    ///< of 0, 8, 0x80, 0x88
};

/// Whether the first shards begin at multiples of a vector's 16 bytes.
bool areAligned(const ShardPointers& shards, std::size_t count);

/// Rows of a matrix that are computed together: as few groups as can be, equally large but for the last.
struct RowGroups {
    explicit RowGroups(std::size_t rows);

    std::size_t rows;
    std::size_t groups;
    std::size_t each;
};

/// The tables of a matrix in the order of the kernel: group by group, column by column, row by row, with
/// zeros where the last group has no row.
std::vector<ProductTables> productTables(const coding::Matrix& matrix);

/// Copies them to the device, and waits for that.
void copyTables(const std::vector<ProductTables>& tables, ProductTables* device, cudaStream_t stream);

/// outputs[i][b] is the sum over j of element(i, j) * inputs[j][b], for b < bytes. Only enqueues. Any
/// alignment; quick if all pointers are multiples of 16.
///
/// @param tables productTables of the matrix, on the device
void enqueueProduct(const ProductTables* tables, std::size_t rows, std::size_t columns,
                    const ShardPointers& shards, std::size_t bytes, cudaStream_t stream);

}  // namespace shredder
