// SPDX-License-Identifier: Apache-2.0
//
// Stands for the reader of regions in a library that was built without zstd or Intel's multi-buffer crypto.
#include "pipeline/error.h"
#include "region/region_reader.h"

namespace shredder {

struct RegionReader::State {};

RegionReader::RegionReader(const RegionKeys&) {
    throw Error(SHREDDER_UNAVAILABLE,
                "this library was built without the reader of regions: install libzstd-dev and "
                "libipsec-mb-dev and build it again");
}

RegionReader::~RegionReader() = default;

void RegionReader::read(std::span<const RegionPlace>, std::span<const ChunkName>, std::uint8_t*) {}

void RegionReader::open(std::span<const RegionBytes>, const CopyStored&, std::span<const ChunkName>,
                        std::uint8_t*) {}

}  // namespace shredder
