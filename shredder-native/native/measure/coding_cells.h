// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace shredder::tools {

/// How many data and parity shards.
struct CodingShape {
    std::size_t data;
    std::size_t parity;
    std::size_t shards() const { return data + parity; }
    bool operator==(const CodingShape&) const = default;
};

/// How cells lie in their pages: each 2,112 bytes further than the last, or all at page + 16, as Java's
/// direct buffers of 1 MiB do.
enum class CellPlace { kStaggered, kJava };

/// Stripes of cells to code, all written once.
class CodingCells {
  public:
    CodingCells(const CodingShape& shape, std::size_t cellBytes, std::size_t stripes, CellPlace place);

    /// The cells of the next stripe, data first.
    std::uint8_t* const* next();

  private:
    static constexpr std::align_val_t kAlignment{4096};
    struct Delete {
        void operator()(std::uint8_t* memory) const { ::operator delete[](memory, kAlignment); }
    };
    std::size_t shards_;
    std::size_t stripes_;
    std::size_t at_ = 0;
    std::unique_ptr<std::uint8_t[], Delete> memory_;
    std::vector<std::uint8_t*> cells_;
};

/// Reads all data and writes all parity of a stripe without arithmetic, with the widest vectors of this CPU:
/// the limit of what codes out of memory. Bytes [from, from + bytes) of each cell, a multiple of 128.
void probeMemory(const CodingShape& shape, std::uint8_t* const* cells, std::size_t from, std::size_t bytes);

}  // namespace shredder::tools
