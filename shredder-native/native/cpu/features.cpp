// SPDX-License-Identifier: Apache-2.0
#include "cpu/features.h"

#include <cpuid.h>

namespace shredder {
namespace {

bool hasShaInstructions() {
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_SHA) != 0;
}

CpuFeatures detect() {
    __builtin_cpu_init();
    return {.avx2 = __builtin_cpu_supports("avx2") != 0,
            .gfni = __builtin_cpu_supports("gfni") != 0,
            .avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0,
            .sha = hasShaInstructions() && __builtin_cpu_supports("sse4.1") != 0,
            .pclmul = __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("ssse3") != 0,
            .vpclmul = __builtin_cpu_supports("vpclmulqdq") != 0 && __builtin_cpu_supports("pclmul") != 0 &&
                       __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0};
}

}  // namespace

const CpuFeatures& cpuFeatures() {
    static const CpuFeatures kFeatures = detect();
    return kFeatures;
}

}  // namespace shredder
