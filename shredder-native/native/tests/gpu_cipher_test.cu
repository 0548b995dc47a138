// SPDX-License-Identifier: Apache-2.0
//
// Ciphers on the GPU: the same bytes as on the CPU.
#include <gtest/gtest.h>

#include <cstring>

#include "cuda/cuda_backend.h"
#include "measure/crypto/cpu_ciphers.h"
#include "measure/crypto/device_ciphers.h"
#include "measure/crypto/gpu_ciphers.h"
#include "measure/crypto/openssl_aead.h"
#include "tests/cipher_support.h"

namespace shredder::test {
namespace {

using namespace shredder::crypto;

/// Room around what lies in device memory, filled with what must not change.
constexpr std::size_t kMargin = 64;
constexpr std::uint8_t kUntouched = 0xA5;

class GpuCipherTest : public testing::Test {
  protected:
    void SetUp() override {
        if (surveyCuda().deviceCount == 0) GTEST_SKIP() << surveyCuda().detail;
        checkCuda(cudaSetDevice(0), "cudaSetDevice");
    }

    static Bytes fetched(const DeviceMemory<std::uint8_t>& memory) {
        Bytes bytes(memory.bytes());
        checkCuda(cudaMemcpy(bytes.data(), memory.get(), bytes.size(), cudaMemcpyDeviceToHost), "copy");
        return bytes;
    }

    static void send(const Bytes& bytes, std::uint8_t* to) {
        checkCuda(cudaMemcpy(to, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copy");
        checkCuda(cudaDeviceSynchronize(),
                  "cudaDeviceSynchronize");  // the streams below don't wait for the copy
    }

    /// Message and tag, the message `offset` bytes behind a multiple of 256.
    static std::string sealed(const CipherVector& message, std::size_t offset) {
        const std::size_t length = message.plain.size();
        DeviceMemory<std::uint8_t> key(kKeyBytes);
        DeviceMemory<std::uint8_t> clear(message.clear.size() + 4);
        DeviceMemory<std::uint8_t> in(length + kMargin + 256);
        DeviceMemory<std::uint8_t> out(length + kTagBytes + 2 * kMargin + 256);
        DeviceMemory<std::uint8_t> scratch(scratchBytes(1, length));
        checkCuda(cudaMemset(out.get(), kUntouched, out.bytes()), "cudaMemset");
        send({message.key, message.key + kKeyBytes}, key.get());
        send(message.clear, clear.get());
        send(message.plain, in.get() + offset);
        DeviceBatch batch{};
        batch.in = in.get() + offset;
        batch.out = out.get() + kMargin + offset;
        batch.tags = batch.out + length;
        batch.clear = clear.get();
        batch.clearBytes = static_cast<std::uint32_t>(message.clear.size());
        for (std::size_t i = 0; i < kNonceBytes; i++) {
            if (i < 8) batch.firstSequence = batch.firstSequence << 8 | message.nonce[i];
            if (i >= 8) batch.part = batch.part << 8 | message.nonce[i];
        }
        batch.length = static_cast<std::uint32_t>(length);
        batch.count = 1;
        enqueue(message.algorithm, key.get(), batch, scratch.get());
        Bytes all = fetched(out);
        auto untouched = [](std::uint8_t byte) { return byte == kUntouched; };
        auto begin = all.begin() + static_cast<std::ptrdiff_t>(kMargin + offset);
        auto end = begin + static_cast<std::ptrdiff_t>(length + kTagBytes);
        EXPECT_TRUE(std::all_of(all.begin(), begin, untouched) && std::all_of(end, all.end(), untouched));
        return hexOf(&*begin, length + kTagBytes);
    }

    static void enqueue(const std::string& algorithm, const std::uint8_t* key, const DeviceBatch& batch,
                        void* scratch) {
        CudaStream stream;
        if (algorithm == "aes-256-gcm") {
            DeviceMemory<AesGcmDeviceKey> prepared(1);
            enqueueAesGcmKey(key, prepared.get(), stream.view());
            enqueueAesGcm(prepared.get(), batch, scratch, stream.view());
            stream.synchronize();
        } else {
            enqueueChachaPoly(key, batch, scratch, stream.view());
            stream.synchronize();
        }
    }

    static std::string sealedByOpenssl(const CipherVector& message) {
        Bytes bytes(message.plain.size() + kTagBytes);
        OpensslAead(message.algorithm == "aes-256-gcm" ? Aead::kAes256Gcm : Aead::kChacha20Poly1305,
                    message.key)
            .seal(message.nonce, message.clear.data(), message.clear.size(), message.plain.data(),
                  message.plain.size(), bytes.data());
        return hexOf(bytes.data(), bytes.size());
    }
};

TEST_F(GpuCipherTest, publishedVectors) {
    for (const CipherVector& vector : cipherVectors()) {
        EXPECT_EQ(sealed(vector, 0), vector.sealedHex) << vector.name;
    }
}

TEST_F(GpuCipherTest, everyLengthAndPlaceAsOpenssl) {
    std::mt19937_64 random(randomSeed());
    std::vector<std::size_t> lengths;
    for (std::size_t length = 0; length < 300; length++) {
        lengths.push_back(length);
    }
    for (std::size_t border : {2U << 10, 8U << 10, kSegmentBytes, 2 * kSegmentBytes, 1U << 20, 5U << 20}) {
        for (std::size_t length = border - 17; length <= border + 17; length++) {
            if (border < (1U << 20) || length % 8 == 3 || length == border) lengths.push_back(length);
        }
    }
    for (const std::string algorithm : {"aes-256-gcm", "chacha20-poly1305"}) {
        for (std::size_t length : lengths) {
            CipherVector message{"", algorithm, {}, {}, Bytes(random() % 40), Bytes(length), ""};
            std::ranges::generate(message.key, random);
            std::ranges::generate(message.nonce, random);
            std::ranges::generate(message.clear, random);
            std::ranges::generate(message.plain, random);
            std::size_t offset = random() % 20;
            ASSERT_EQ(sealed(message, offset), sealedByOpenssl(message))
                << algorithm << ' ' << length << ' ' << offset;
        }
    }
}

/// Batches of every algorithm, over the link in pieces, as they are measured.
TEST_F(GpuCipherTest, batchesAsOnTheCpu) {
    constexpr std::size_t kMost = 40 << 20;
    GpuCiphers gpu(kMost, 8);
    Bytes in = splitmix64(5, kMost);
    std::memcpy(gpu.in(), in.data(), in.size());
    for (const CpuCipher& cipher : cpuCiphers()) {
        if (cipher.form == "scalar" && cipher.algorithm != "tea") continue;
        for (auto [length, count] : std::vector<std::pair<std::size_t, std::size_t>>{{8, 1},
                                                                                     {8, 100000},
                                                                                     {504, 7},
                                                                                     {512, 20000},
                                                                                     {8184, 999},
                                                                                     {1 << 20, 40},
                                                                                     {(1 << 20) + 8, 3}}) {
            Bytes expected(count * outputBytes(cipher.algorithm, length));
            cipher.open()({in.data(), expected.data(), length, count, {}});
            gpu.run(cipher.algorithm, length, count);
            ASSERT_EQ(std::memcmp(gpu.out(), expected.data(), expected.size()), 0)
                << cipher.algorithm << ' ' << length << " x " << count;
        }
    }
}

/// Messages of many lengths at once, where chunks lie.
TEST_F(GpuCipherTest, listedMessagesAsOpenssl) {
    std::mt19937_64 random(randomSeed());
    CipherVector one{"", "aes-256-gcm", {}, {}, {}, {}, ""};
    Bytes plain = splitmix64(9, 3 << 20);
    std::vector<Message> messages;
    std::uint32_t longest = 0;
    for (std::size_t at = 0; at < plain.size();) {
        auto length = static_cast<std::uint32_t>(std::min<std::size_t>(random() % 100000, plain.size() - at));
        messages.push_back({static_cast<std::int64_t>(at), length, 0});
        longest = std::max(longest, length);
        at += length;
    }
    DeviceMemory<std::uint8_t> key(kKeyBytes);
    DeviceMemory<std::uint8_t> in(plain.size());
    DeviceMemory<std::uint8_t> out(sealedRoom(plain.size(), messages.size()));
    DeviceMemory<std::uint8_t> tags(messages.size() * kTagBytes);
    DeviceMemory<Message> list(messages.size());
    DeviceMemory<std::uint8_t> scratch(scratchBytes(messages.size(), longest));
    send({one.key, one.key + kKeyBytes}, key.get());
    send(plain, in.get());
    checkCuda(cudaMemcpy(list.get(), messages.data(), list.bytes(), cudaMemcpyHostToDevice), "copy");
    DeviceBatch batch{};
    batch.in = in.get();
    batch.out = out.get();
    batch.tags = tags.get();
    batch.tagStride = kTagBytes;
    batch.messages = list.get();
    batch.length = longest;
    batch.count = static_cast<std::uint32_t>(messages.size());
    enqueue(one.algorithm, key.get(), batch, scratch.get());
    Bytes sealedBytes = fetched(out);
    Bytes allTags = fetched(tags);
    for (std::size_t i = 0; i < messages.size(); i++) {
        auto begin = plain.begin() + messages[i].begin;
        one.plain = Bytes(begin, begin + messages[i].length);
        Nonce{i, 0}.write(one.nonce);
        ASSERT_EQ(hexOf(sealedBytes.data() + sealedOffset(messages[i], static_cast<std::uint32_t>(i)),
                        messages[i].length) +
                      hexOf(allTags.data() + i * kTagBytes, kTagBytes),
                  sealedByOpenssl(one))
            << i << ", " << messages[i].length << " bytes";
    }
}

/// Each bit of a sealed message, and of its tag.
TEST_F(GpuCipherTest, anyFlippedBitIsFound) {
    constexpr std::size_t kLength = 77;
    CipherVector message = cipherVectors()[0];
    message.plain = splitmix64(3, kLength);
    Bytes good = bytesOfHex(sealed(message, 0));
    const std::size_t copies = good.size() * 8 + 1;
    Bytes all;
    for (std::size_t i = 0; i < copies; i++) {
        Bytes copy = good;
        if (i > 0) copy[(i - 1) / 8] ^= static_cast<std::uint8_t>(1 << ((i - 1) % 8));
        all.insert(all.end(), copy.begin(), copy.end());
    }
    DeviceMemory<std::uint8_t> key(kKeyBytes);
    DeviceMemory<std::uint8_t> in(all.size());
    DeviceMemory<std::uint8_t> out(copies * kLength);
    DeviceMemory<std::uint8_t> opened(copies);
    DeviceMemory<std::uint8_t> scratch(scratchBytes(1, kLength));
    send({message.key, message.key + kKeyBytes}, key.get());
    send(all, in.get());
    for (std::size_t i = 0; i < copies; i++) {  // one by one, as all have the same nonce
        DeviceBatch batch{};
        batch.in = in.get() + i * good.size();
        batch.out = out.get() + i * kLength;
        batch.tags = in.get() + i * good.size() + kLength;
        batch.opened = opened.get() + i;
        batch.length = kLength;
        batch.count = 1;
        enqueue(message.algorithm, key.get(), batch, scratch.get());
    }
    Bytes answers = fetched(opened);
    EXPECT_EQ(answers[0], 1);
    EXPECT_EQ(std::count(answers.begin() + 1, answers.end(), 0), static_cast<std::ptrdiff_t>(copies - 1));
    Bytes plain = fetched(out);
    EXPECT_EQ(hexOf(plain.data(), kLength), hexOf(message.plain.data(), kLength));
}

}  // namespace
}  // namespace shredder::test
