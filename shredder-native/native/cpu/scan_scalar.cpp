// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cpu/scan.h"

namespace shredder {

void scanScalar(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    std::fill_n(bitmap, (size + 63) / 64, std::uint64_t{0});
    std::uint64_t fingerprint = windowFingerprint(spec.tables, data);
    for (std::size_t i = 0; i < size; i++) {
        fingerprint = roll(spec.tables, fingerprint, data[i], *(data + i - kWindowBytes));
        bool candidate = (fingerprint & spec.mask) == spec.marker;
        bitmap[i / 64] |= static_cast<std::uint64_t>(candidate) << (i % 64);
    }
}

}  // namespace shredder
