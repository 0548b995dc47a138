// SPDX-License-Identifier: Apache-2.0
#include "cpu/keyed_tags.h"

#include "cpu/features.h"

namespace shredder {

TagMany bestTagMany() {
    const CpuFeatures& features = cpuFeatures();
    if (features.vpclmul) return tagManyVpclmul;
    return features.pclmul ? tagManyPclmul : tagManyPortable;
}

bool hasFastTags() {
    return cpuFeatures().pclmul;
}

}  // namespace shredder
