// SPDX-License-Identifier: Apache-2.0
#include "coding/form.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "coding/field.h"
#include "pipeline/error.h"

namespace shredder::coding {
namespace {

constexpr const char* kCoderVariable = "SHREDDER_CODER_BACKEND";

struct Name {
    const char* text;
    shredder_backend backend;
};
constexpr Name kNames[] = {{"auto", SHREDDER_BACKEND_AUTO},
                           {"cpu", SHREDDER_BACKEND_CPU},
                           {"scalar", SHREDDER_BACKEND_SCALAR},
                           {"avx2", SHREDDER_BACKEND_AVX2},
                           {"avx512", SHREDDER_BACKEND_AVX512}};

std::uint32_t backendFromEnvironment() {
    const char* value = std::getenv(kCoderVariable);
    if (value == nullptr || *value == '\0') return SHREDDER_BACKEND_AUTO;
    for (const Name& name : kNames) {
        if (std::strcmp(name.text, value) == 0) return name.backend;
    }
    throw Error(SHREDDER_INVALID_ARGUMENT,
                std::string(kCoderVariable) + "=" + value +
                    " is not a backend of the coder: use auto, cpu, scalar, avx2 or avx512");
}

const CodingForm& bestForm(const CpuFeatures& features) {
    for (shredder_backend backend : {SHREDDER_BACKEND_AVX512, SHREDDER_BACKEND_AVX2}) {
        if (const CodingForm* form = codingForm(backend, features)) return *form;
    }
    return kCodingScalar;
}

std::uint64_t computeBitMatrix(std::uint8_t factor) {
    std::uint64_t matrix = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        // Input bit `bit` contributes this; output bit i is the parity of the input under byte 7 - i.
        std::uint8_t column = products()[factor][std::size_t{1} << bit];
        for (unsigned i = 0; i < 8; i++) {
            std::uint64_t set = (column >> i) & 1U;
            matrix |= set << (8 * (7 - i) + bit);
        }
    }
    return matrix;
}

}  // namespace

const CodingForm* codingForm(shredder_backend backend, const CpuFeatures& features) {
    if (backend == SHREDDER_BACKEND_SCALAR) return &kCodingScalar;
    if (backend == SHREDDER_BACKEND_AVX2 && features.avx2) {
        return features.gfni ? &kCodingAvx2Gfni : &kCodingAvx2;
    }
    if (backend == SHREDDER_BACKEND_AVX512 && features.avx512) {
        return features.gfni ? &kCodingAvx512Gfni : &kCodingAvx512;
    }
    return nullptr;
}

std::vector<const CodingForm*> codingForms(const CpuFeatures& features) {
    std::vector<const CodingForm*> forms;
    if (features.avx2) forms.push_back(&kCodingAvx2);
    if (features.avx2 && features.gfni) forms.push_back(&kCodingAvx2Gfni);
    if (features.avx512) forms.push_back(&kCodingAvx512);
    if (features.avx512 && features.gfni) forms.push_back(&kCodingAvx512Gfni);
    return forms;
}

const CodingForm& chooseCodingForm(std::uint32_t requested, const CpuFeatures& features) {
    std::uint32_t asked = requested == SHREDDER_BACKEND_AUTO ? backendFromEnvironment() : requested;
    if (asked == SHREDDER_BACKEND_AUTO || asked == SHREDDER_BACKEND_CPU) return bestForm(features);
    for (const Name& name : kNames) {
        if (name.backend != asked) continue;
        if (const CodingForm* form = codingForm(name.backend, features)) return *form;
        throw Error(SHREDDER_UNAVAILABLE,
                    std::string("this CPU lacks the instructions of the coder's backend ") + name.text);
    }
    throw Error(SHREDDER_INVALID_ARGUMENT,
                "backend " + std::to_string(asked) + " does not code: use one of the CPU's");
}

std::uint64_t bitMatrix(std::uint8_t factor) {
    static const auto kMatrices = [] {
        std::array<std::uint64_t, kFieldSize> all{};
        for (unsigned i = 0; i < kFieldSize; i++) {
            all[i] = computeBitMatrix(static_cast<std::uint8_t>(i));
        }
        return all;
    }();
    return kMatrices[factor];
}

void prepareNibbleTables(std::uint8_t factor, std::uint8_t* prepared) {
    const auto& multiples = products()[factor];
    for (unsigned nibble = 0; nibble < 16; nibble++) {
        prepared[nibble] = multiples[nibble];
        prepared[16 + nibble] = multiples[std::size_t{16} * nibble];
    }
}

}  // namespace shredder::coding
