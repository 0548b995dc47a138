// SPDX-License-Identifier: Apache-2.0
//
// The same cases for libFuzzer, which looks for new ones by coverage. Built where the compiler is Clang:
//   shredder_libfuzzer -max_total_time=SECONDS [CORPUS]
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        shredder::fuzz::check(bytes, size);
    } catch (const std::exception& finding) {
        std::fprintf(stderr, "shredder_libfuzzer: %s\n", finding.what());
        std::abort();
    }
    return 0;
}
