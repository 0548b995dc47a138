// SPDX-License-Identifier: Apache-2.0
#include "measure/core_input.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "measure/generated_input.h"

namespace shredder::tools {
namespace {

constexpr std::size_t kLeastBytes = 1 << 20;
constexpr std::size_t kUnitBytes = 1024;

}  // namespace

CoreInput::CoreInput(const std::string& source, std::size_t most)
    : memory_(new (kAlignment) std::uint8_t[kBefore + most]), size_(most / kUnitBytes * kUnitBytes) {
    std::memset(memory_.get(), 0, kBefore);
    std::uint8_t* data = memory_.get() + kBefore;
    if (source == "random") {
        std::vector<std::uint8_t> generated = generateInput(source, size_);
        std::copy(generated.begin(), generated.end(), data);
    } else {
        std::ifstream file(source, std::ios::binary);
        if (!file) throw std::runtime_error("can't open " + source + ": name a file, or random");
        file.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(size_));
        size_ = static_cast<std::size_t>(file.gcount()) / kUnitBytes * kUnitBytes;
    }
    if (size_ < kLeastBytes) {
        throw std::runtime_error(source + " holds " + std::to_string(size_) +
                                 " bytes: at least a megabyte is needed");
    }
}

CoreInput::CoreInput(std::uint8_t value, std::size_t bytes)
    : memory_(new (kAlignment) std::uint8_t[kBefore + bytes]), size_(bytes) {
    std::memset(memory_.get(), value, kBefore + bytes);
}

}  // namespace shredder::tools
