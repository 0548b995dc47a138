// SPDX-License-Identifier: Apache-2.0
#include "measure/generated_input.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

namespace shredder::tools {
namespace {

constexpr std::size_t kBlockBytes = 4096;

using Bytes = std::vector<std::uint8_t>;

void fillRandom(std::uint8_t* target, std::size_t size, std::mt19937_64& random) {
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t value = random();
        std::memcpy(target + i, &value, std::min<std::size_t>(8, size - i));
    }
}

/// Words of a small vocabulary, the early ones more often, in lines.
void fillText(std::uint8_t* target, std::size_t size, std::mt19937_64& random) {
    static constexpr const char* kWords[] = {"the",    "of",       "and",    "chunk",     "to",    "a",
                                             "in",     "boundary", "that",   "data",      "is",    "stored",
                                             "only",   "once",     "backup", "increment", "since", "changed",
                                             "nobody", "wrote",    "record"};
    constexpr std::size_t kCount = std::size(kWords);
    std::size_t at = 0;
    while (at < size) {
        std::uint64_t value = random();
        const char* word = kWords[std::min(value % kCount, (value >> 20) % kCount)];
        for (const char* c = word; *c != '\0' && at < size; c++) {
            target[at++] = static_cast<std::uint8_t>(*c);
        }
        if (at < size) target[at++] = (value >> 40) % 12 == 0 ? '\n' : ' ';
    }
}

/// Runs of blocks of one sort, as files on a disk are.
void fillImage(std::uint8_t* target, std::size_t size, std::mt19937_64& random) {
    Bytes repeated(64 * kBlockBytes);
    fillRandom(repeated.data(), repeated.size(), random);
    for (std::size_t at = 0; at < size;) {
        std::size_t run = std::min(size - at, kBlockBytes * (1 + random() % 64));
        switch (random() % 4) {
            case 0:
                std::memset(target + at, 0, run);
                break;
            case 1:
                std::memcpy(target + at, repeated.data(), run);
                break;
            case 2:
                fillText(target + at, run, random);
                break;
            default:
                fillRandom(target + at, run, random);
        }
        at += run;
    }
}

}  // namespace

Bytes generateInput(const std::string& kind, std::size_t size) {
    std::mt19937_64 random(20261121);
    Bytes bytes(size);
    if (kind == "random") {
        fillRandom(bytes.data(), size, random);
    } else if (kind == "text") {
        fillText(bytes.data(), size, random);
    } else if (kind == "image") {
        fillImage(bytes.data(), size, random);
    } else if (kind != "zero") {
        throw std::invalid_argument("unknown input '" + kind + "': use random, text, image or zero");
    }
    return bytes;
}

}  // namespace shredder::tools
