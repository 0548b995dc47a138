// SPDX-License-Identifier: Apache-2.0
//
// In place of gpu_ciphers.cu in a build without CUDA.
#include <stdexcept>

#include "measure/crypto/gpu_ciphers.h"

namespace shredder::crypto {

struct GpuCiphers::State {};

GpuCiphers::GpuCiphers(std::size_t, std::size_t) {
    throw std::runtime_error("this build has no CUDA: configure with SHREDDER_CUDA=ON to measure a GPU");
}

GpuCiphers::~GpuCiphers() = default;

std::uint8_t* GpuCiphers::in() {
    return nullptr;
}

const std::uint8_t* GpuCiphers::out() const {
    return nullptr;
}

double GpuCiphers::run(const std::string&, std::size_t, std::size_t) {
    return 0;
}

double GpuCiphers::copy(const std::string&, std::size_t, std::size_t) {
    return 0;
}

double GpuCiphers::kernel(const std::string&, std::size_t, std::size_t, int) {
    return 0;
}

}  // namespace shredder::crypto
