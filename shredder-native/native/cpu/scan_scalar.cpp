// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cpu/scan.h"

namespace shredder {
namespace {

/// Calls found(i) for each candidate data[i], in order, until it says no.
template <typename Found>
void scan(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, Found found) {
    std::uint64_t fingerprint = windowFingerprint(spec.tables, data);
    for (std::size_t i = 0; i < size; i++) {
        fingerprint = roll(spec.tables, fingerprint, data[i], *(data + i - kWindowBytes));
        if ((fingerprint & spec.mask) == spec.marker && !found(i)) return;
    }
}

Listed list(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, const ListTarget& list) {
    Listed listed{0, size};
    scan(spec, data, size, [&](std::size_t i) {
        if (listed.candidates == list.room) {
            listed.bytes = i;
            return false;
        }
        list.entries[listed.candidates++] = list.base + static_cast<std::uint32_t>(i + 1);
        return true;
    });
    return listed;
}

void mark(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    std::fill_n(bitmap, (size + 63) / 64, std::uint64_t{0});
    scan(spec, data, size, [bitmap](std::size_t i) {
        bitmap[i / 64] |= std::uint64_t{1} << (i % 64);
        return true;
    });
}

}  // namespace

constinit const CpuScan kScanScalar{list, mark};

}  // namespace shredder
