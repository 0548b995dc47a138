// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_check.h"
#include "measure/crypto/device_ciphers.h"

namespace shredder::crypto {
namespace {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    encryptBlocks(TeaKey key, const uint2* in, uint2* out, std::size_t blocks) {
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= blocks) return;
    uint2 block = in[i];
    teaEncrypt(key, block.x, block.y);
    out[i] = block;
}

}  // namespace

void enqueueTea(const TeaKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes,
                cudaStream_t stream) {
    std::size_t blocks = bytes / kTeaBlockBytes;
    if (blocks == 0) return;
    encryptBlocks<<<static_cast<unsigned>((blocks + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
        key, reinterpret_cast<const uint2*>(in), reinterpret_cast<uint2*>(out), blocks);
    checkLaunch("TEA");
}

}  // namespace shredder::crypto
