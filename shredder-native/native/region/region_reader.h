// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "chunk/chunking_params.h"
#include "region/stored_region.h"

namespace shredder {

/// Where a region's record is: a container's path, in UTF-8, and the bytes in it.
struct RegionPlace {
    const char* path;
    std::uint64_t offset;
    std::uint32_t bytes;
};

/// A region as a message has it: kRegionFieldsBytes of fields, and how many bytes are stored.
struct RegionBytes {
    const std::uint8_t* fields;
    std::uint32_t storedBytes;
};

/// Copies the stored bytes of a region, by its number from 0 on, to memory for so many. May throw Error.
using CopyStored = std::function<void(std::size_t region, std::uint8_t* target)>;

/// Keys of 32 bytes that are derived from a repository's key: docs/formats/seal.md, section 1.
struct RegionKeys {
    const std::uint8_t* sealing;   ///< K_c
    const std::uint8_t* identity;  ///< K_i or K_b, whichever is for `digest`
    DigestAlgorithm digest;
};

/// Reads regions of containers on this machine, or takes those that have come from another, opens their
/// seals, expands them, and proves their chunks by their identities, all on the caller's thread while a
/// core's cache has the bytes: the way back of the pipeline. One thread at a time. Built with zstd and the
/// Intel multi-buffer crypto library or not at all.
class RegionReader {
  public:
    /// Copies the keys. Throws UNAVAILABLE where the library was built without.
    explicit RegionReader(const RegionKeys& keys);
    RegionReader(const RegionReader&) = delete;
    RegionReader& operator=(const RegionReader&) = delete;
    ~RegionReader();

    /// Writes the plain bytes of `wanted` chunks, each named once, back to back to target. Throws
    /// SOURCE_ERROR, naming path and offset, if a record can't be read or opened, and if a chunk is in none
    /// of the regions or is not what its identity says; target's bytes are undefined then.
    void read(std::span<const RegionPlace> places, std::span<const ChunkName> wanted, std::uint8_t* target);

    /// The same of regions whose stored bytes are copied one by one, just before each is opened. Errors name
    /// a region by its number.
    void open(std::span<const RegionBytes> regions, const CopyStored& copy, std::span<const ChunkName> wanted,
              std::uint8_t* target);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace shredder
