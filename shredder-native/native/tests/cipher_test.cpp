// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "cpu/features.h"
#include "measure/crypto/aes_gcm.h"
#include "measure/crypto/chacha_poly.h"
#include "measure/crypto/cpu_ciphers.h"
#include "measure/crypto/crc32.h"
#include "measure/crypto/openssl_aead.h"
#include "measure/crypto/tea.h"
#include "tests/cipher_support.h"

namespace shredder::test {
namespace {

using namespace shredder::crypto;

template <typename Cipher>
std::string sealedBy(Cipher&& cipher, const CipherVector& vector) {
    Bytes sealed(vector.plain.size() + kTagBytes);
    cipher.seal(vector.nonce, vector.clear.data(), vector.clear.size(), vector.plain.data(),
                vector.plain.size(), sealed.data());
    return hexOf(sealed.data(), sealed.size());
}

TEST(CipherTest, publishedVectors) {
    std::vector<CipherVector> vectors = cipherVectors();
    ASSERT_GE(vectors.size(), 5);
    for (const CipherVector& vector : vectors) {
        SCOPED_TRACE(vector.name);
        bool aes = vector.algorithm == "aes-256-gcm";
        EXPECT_EQ(aes ? sealedBy(AesGcm(vector.key), vector) : sealedBy(ChachaPoly(vector.key), vector),
                  vector.sealedHex);
        EXPECT_EQ(sealedBy(OpensslAead(aes ? Aead::kAes256Gcm : Aead::kChacha20Poly1305, vector.key), vector),
                  vector.sealedHex);
    }
}

TEST(CipherTest, everyLengthAsOpenssl) {
    std::mt19937_64 random(randomSeed());
    CipherVector message = cipherVectors()[0];
    std::ranges::generate(message.key, random);
    OpensslAead aes(Aead::kAes256Gcm, message.key);
    OpensslAead chacha(Aead::kChacha20Poly1305, message.key);
    for (std::size_t length = 0; length < 700; length++) {
        message.plain.resize(length == 699 ? (1 << 20) + 5 : length);
        message.clear.resize(length % 50);
        std::ranges::generate(message.plain, random);
        std::ranges::generate(message.clear, random);
        std::ranges::generate(message.nonce, random);
        ASSERT_EQ(sealedBy(AesGcm(message.key), message), sealedBy(aes, message)) << length;
        ASSERT_EQ(sealedBy(ChachaPoly(message.key), message), sealedBy(chacha, message)) << length;
    }
}

TEST(CipherTest, teaAsPublishedAndInEveryForm) {
    const std::uint8_t zeros[kTeaBlockBytes] = {};
    std::uint32_t block[2];
    teaScalar(TeaKey{}, zeros, reinterpret_cast<std::uint8_t*>(block), sizeof block);
    EXPECT_EQ(block[0], 0x41EA3A0AU);
    EXPECT_EQ(block[1], 0x94BAA940U);
    if (!cpuFeatures().avx2) return;
    const TeaKey key{{1, 0x80000002, 3, 0xFFFFFFFC}};
    for (std::size_t length = 0; length < 600; length += kTeaBlockBytes) {
        Bytes in = splitmix64(length, length);
        Bytes scalar(length);
        Bytes lanes(length);
        teaScalar(key, in.data(), scalar.data(), length);
        teaAvx2(key, in.data(), lanes.data(), length);
        ASSERT_EQ(scalar, lanes) << length;
    }
}

TEST(CipherTest, crcAsPublishedAndInEveryForm) {
    const Bytes digits{'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    EXPECT_EQ(crc32Bytes(digits.data(), digits.size()), 0xCBF43926U);
    for (std::size_t length = 0; length < 1000; length++) {
        Bytes in = splitmix64(length, length);
        std::uint32_t expected = crc32Bytes(in.data(), length);
        ASSERT_EQ(crc32Sliced(in.data(), length), expected) << length;
        if (cpuFeatures().pclmul) {
            ASSERT_EQ(crc32Folded(in.data(), length), expected) << length;
        }
    }
}

TEST(CipherTest, formsAndThreadsLeaveTheSameBytes) {
    constexpr std::size_t kLength = 520;
    constexpr std::size_t kCount = 101;
    Bytes in = splitmix64(1, kLength * kCount);
    std::string algorithm;
    Bytes expected;
    for (const CpuCipher& cipher : cpuCiphers()) {
        for (std::size_t threads : {1, 3}) {
            Bytes out(kCount * outputBytes(cipher.algorithm, kLength));
            std::vector<BatchRun> runs(threads);
            std::ranges::generate(runs, cipher.open);
            runShared(runs, cipher.algorithm, {in.data(), out.data(), kLength, kCount, {~0ULL - 50, 9}});
            if (cipher.algorithm != algorithm) expected = out;
            algorithm = cipher.algorithm;
            ASSERT_EQ(out, expected) << algorithm << ' ' << cipher.form << ' ' << threads;
        }
    }
}

}  // namespace
}  // namespace shredder::test
