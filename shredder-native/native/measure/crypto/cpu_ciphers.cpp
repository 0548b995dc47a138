// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/cpu_ciphers.h"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>

#include "cpu/features.h"
#include "measure/crypto/aes_gcm.h"
#include "measure/crypto/chacha_poly.h"
#include "measure/crypto/crc32.h"
#include "measure/crypto/openssl_aead.h"
#include "measure/crypto/tea.h"

namespace shredder::crypto {
namespace {

using CrcForm = std::uint32_t (*)(const std::uint8_t*, std::size_t);
using TeaForm = void (*)(const TeaKey&, const std::uint8_t*, std::uint8_t*, std::size_t);

CpuCipher crcOf(const char* form, CrcForm crc) {
    return {"crc-32", form, [crc] {
                return [crc](const UniformBatch& batch) {
                    for (std::size_t i = 0; i < batch.count; i++) {
                        std::uint32_t value = crc(batch.in + i * batch.length, batch.length);
                        std::memcpy(batch.out + i * sizeof value, &value, sizeof value);
                    }
                };
            }};
}

CpuCipher teaOf(const char* form, TeaForm tea) {
    return {"tea", form, [tea] {
                TeaKey key{};
                std::uint8_t bytes[kKeyBytes];
                measuringKey(bytes);
                std::memcpy(&key, bytes, sizeof key);
                return
                    [tea, key](const UniformBatch& batch) { tea(key, batch.in, batch.out, batch.bytes()); };
            }};
}

/// Cipher: made of a key, as sealBatch takes it.
template <typename Cipher, typename... First>
CpuCipher aeadOf(const char* algorithm, const char* form, First... first) {
    return {algorithm, form, [first...] {
                std::uint8_t key[kKeyBytes];
                measuringKey(key);
                auto cipher = std::make_shared<Cipher>(first..., key);
                return [cipher](const UniformBatch& batch) { sealBatch(*cipher, batch); };
            }};
}

bool hasOpenssl() {
    try {
        aeadOf<OpensslAead>("", "", Aead::kAes256Gcm).open();
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

}  // namespace

std::size_t outputBytes(const std::string& algorithm, std::size_t length) {
    if (algorithm == "crc-32") return sizeof(std::uint32_t);
    return algorithm == "tea" ? length : length + kTagBytes;
}

void measuringKey(std::uint8_t (&key)[kKeyBytes]) {
    for (std::size_t i = 0; i < kKeyBytes; i++) {
        key[i] = static_cast<std::uint8_t>(7 + 41 * i);
    }
}

std::vector<CpuCipher> cpuCiphers() {
    const bool openssl = hasOpenssl();
    std::vector<CpuCipher> all{crcOf("scalar", crc32Sliced)};
    if (cpuFeatures().pclmul) all.push_back(crcOf("instructions", crc32Folded));
    all.push_back(teaOf("scalar", teaScalar));
    if (cpuFeatures().avx2) all.push_back(teaOf("instructions", teaAvx2));
    all.push_back(aeadOf<AesGcm>("aes-256-gcm", "scalar"));
    if (openssl) all.push_back(aeadOf<OpensslAead>("aes-256-gcm", "instructions", Aead::kAes256Gcm));
    all.push_back(aeadOf<ChachaPoly>("chacha20-poly1305", "scalar"));
    if (openssl)
        all.push_back(aeadOf<OpensslAead>("chacha20-poly1305", "instructions", Aead::kChacha20Poly1305));
    return all;
}

void runShared(const std::vector<BatchRun>& runs, const std::string& algorithm, const UniformBatch& batch) {
    if (runs.size() == 1) {
        runs[0](batch);
        return;
    }
    const std::size_t out = outputBytes(algorithm, batch.length);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < runs.size(); i++) {
        std::size_t begin = batch.count * i / runs.size();
        std::size_t end = batch.count * (i + 1) / runs.size();
        UniformBatch share{batch.in + begin * batch.length,
                           batch.out + begin * out,
                           batch.length,
                           end - begin,
                           {batch.first.sequence + begin, batch.first.part}};
        threads.emplace_back([&run = runs[i], share] { run(share); });
    }
}

}  // namespace shredder::crypto
