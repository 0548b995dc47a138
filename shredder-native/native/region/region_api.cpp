// SPDX-License-Identifier: Apache-2.0
//
// The C API of shredder_region.h: turns handles into objects and exceptions into status codes.
#include <memory>
#include <vector>

#include "api/guarded.h"
#include "chunk/chunking_params.h"
#include "region/region_reader.h"
#include "shredder_region.h"

struct shredder_region_reader {
    explicit shredder_region_reader(const shredder::RegionKeys& keys) : reader(keys) {}
    shredder::RegionReader reader;
};

namespace {

using shredder::Error;
using shredder::guarded;
using shredder::required;

/// The chunks that are wanted at target.
std::vector<shredder::ChunkName> chunkNames(const shredder_chunk_name* wanted, size_t count,
                                            const uint8_t* target) {
    std::vector<shredder::ChunkName> names;
    if (count == 0) return names;
    required(wanted, "wanted");
    required(target, "target");
    names.reserve(count);
    for (size_t i = 0; i < count; i++) {
        names.push_back({&required(wanted[i].identity, "identity"), wanted[i].bytes});
    }
    return names;
}

}  // namespace

shredder_status shredder_region_reader_open(const uint8_t* sealing_key, const uint8_t* identity_key,
                                            uint32_t digest_algorithm, shredder_region_reader** reader) {
    return guarded([&] {
        shredder_region_reader*& result = required(reader, "reader");
        shredder::RegionKeys keys{&required(sealing_key, "sealing_key"),
                                  &required(identity_key, "identity_key"),
                                  shredder::digestAlgorithm(digest_algorithm)};
        result = std::make_unique<shredder_region_reader>(keys).release();
    });
}

shredder_status shredder_region_reader_read(shredder_region_reader* reader,
                                            const shredder_region_place* places, size_t place_count,
                                            const shredder_chunk_name* wanted, size_t wanted_count,
                                            uint8_t* target) {
    return guarded([&] {
        shredder_region_reader& opened = required(reader, "reader");
        if (place_count != 0) required(places, "places");
        std::vector<shredder::RegionPlace> from;
        from.reserve(place_count);
        for (size_t i = 0; i < place_count; i++) {
            from.push_back({&required(places[i].path, "path"), places[i].offset, places[i].bytes});
        }
        opened.reader.read(from, chunkNames(wanted, wanted_count, target), target);
    });
}

shredder_status shredder_region_reader_open_regions(shredder_region_reader* reader,
                                                    const shredder_region_bytes* regions, size_t region_count,
                                                    shredder_copy_stored copy, void* context,
                                                    const shredder_chunk_name* wanted, size_t wanted_count,
                                                    uint8_t* target) {
    return guarded([&] {
        shredder_region_reader& opened = required(reader, "reader");
        std::vector<shredder::RegionBytes> from;
        if (region_count != 0) {
            required(regions, "regions");
            required(copy, "copy");
        }
        from.reserve(region_count);
        for (size_t i = 0; i < region_count; i++) {
            from.push_back({&required(regions[i].fields, "fields"), regions[i].stored_bytes});
        }
        auto copied = [&](size_t region, uint8_t* to) {
            if (copy(context, region, to) != 0) throw Error(SHREDDER_SOURCE_ERROR, "can't be copied");
        };
        opened.reader.open(from, copied, chunkNames(wanted, wanted_count, target), target);
    });
}

void shredder_region_reader_close(shredder_region_reader* reader) {
    std::unique_ptr<shredder_region_reader>(reader).reset();
}
