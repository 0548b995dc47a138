// SPDX-License-Identifier: Apache-2.0
//
// Throughput of the CUDA kernels on data that lies in device memory, with the rates of reading and copying
// device memory from the same run. One JSON object a line.
//
//   shredder_kernels [GIB]     default 16
//
// read, copy              the limits: every byte read; every byte read and written (counted once)
// scan                    bitmap of candidates; polynomial "default" or "any"; form "fast" or "naive"
// sha256, blake3          digests of the chunks that scanning for this average gives, min a quarter of it,
// max four times it scan_select_sha256      the whole way: scan, candidates to the host, selection there,
// digests back to the host
// scan_select_sha256_seal the same, and each chunk sealed with AES-256-GCM on the way (Kirby: all that a
// store does to its data, without a copy in between)
//
// What the kernels find is compared with the CPU's before anything is measured.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "chunk/candidates.h"
#include "chunk/cut_selector.h"
#include "cpu/scan.h"
#include "cpu/sha256.h"
#include "cuda/cuda_resources.h"
#include "cuda/kernels.h"
#include "measure/crypto/device_ciphers.h"
#include "measure/crypto/openssl_aead.h"

namespace {

using namespace shredder;

constexpr std::size_t kPieceBytes = 1ULL << 30;
constexpr std::uint64_t kMarker = 0x5A17'D3C9'6B45ULL;
/// Irreducible, without the default's structure.
constexpr std::uint64_t kAnyPolynomial = 0x1'3A5B'9C2D'7E41ULL;
constexpr int kRuns = 7;
constexpr std::size_t kCheckedBytes = 32ULL << 20;
constexpr std::size_t kSlots = 3;
constexpr std::uint8_t kSealKey[crypto::kKeyBytes] = {7, 48, 89};

__global__ void fillRandom(std::uint64_t* words, std::size_t count) {
    std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += step) {
        std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ULL;  // splitmix64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        words[i] = z ^ (z >> 31);
    }
}

__global__ void readAll(const uint4* words, std::size_t count, std::uint32_t* result) {
    std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    std::uint32_t sum = 0;
#pragma unroll 8
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += step) {
        uint4 word = words[i];
        sum ^= word.x ^ word.y ^ word.z ^ word.w;
    }
    if (sum == 0x12345678) *result = sum;  // so that the reading is not optimised away
}

Polynomial irreducibleFrom(std::uint64_t bits) {
    while (!Polynomial::isIrreducible(bits)) {
        bits += 2;
    }
    return Polynomial(bits);
}

ScanSpec specOf(const Polynomial& polynomial, int maskBits) {
    std::uint64_t mask = (1ULL << maskBits) - 1;
    return {.tables = RollTables(polynomial),
            .mask = mask,
            .marker = kMarker & mask,
            .segmentMask = 0,
            .segmentMarker = 0,
            .defaultPolynomial = polynomial.isDefault()};
}

double medianSeconds(const std::function<void()>& run) {
    std::vector<double> seconds;
    for (int i = -1; i < kRuns; i++) {
        checkCuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        auto begin = std::chrono::steady_clock::now();
        run();
        checkCuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        if (i >= 0) seconds.push_back(elapsed.count());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

void print(const char* name, const std::string& details, std::size_t bytes, double seconds) {
    std::printf("{\"name\":\"%s\",%s\"bytes\":%zu,\"seconds\":%.6f,\"gbPerSecond\":%.1f}\n", name,
                details.c_str(), bytes, seconds, static_cast<double>(bytes) / seconds / 1e9);
    std::fflush(stdout);
}

std::string averageOf(int maskBits) {
    return "\"average\":" + std::to_string(1U << maskBits) + ",";
}

/// What one piece on its way needs.
struct Slot {
    static constexpr std::uint32_t kCapacity = kPieceBytes / 512;
    static constexpr std::uint32_t kMaxMessages = kPieceBytes / 2048 + 3;
    /// Chunks of 64 KiB have at most eight segments, and are an eighth as many.
    static constexpr std::size_t kScratchOfMessage = 64;

    DeviceMemory<std::uint64_t> bitmap{kPieceBytes / 64};
    DeviceMemory<std::uint32_t> blockOffsets{kPieceBytes / kCompactionBlockBytes};
    PinnedMemory<std::uint32_t> cuts{kCapacity};
    PinnedMemory<std::uint32_t> count{1};
    PinnedMemory<Message> hostMessages{kMaxMessages};
    DeviceMemory<Message> messages{kMaxMessages};
    DeviceMemory<std::uint32_t> order{kMaxMessages};
    DeviceMemory<std::uint32_t> classOffsets{kLengthClasses};
    DeviceMemory<std::uint8_t[32]> digests{kMaxMessages};
    PinnedMemory<std::uint8_t[32]> hostDigests{kMaxMessages};
    DeviceMemory<std::uint8_t> sealed{crypto::sealedRoom(kPieceBytes, kMaxMessages)};
    DeviceMemory<std::uint8_t> tags{kMaxMessages * crypto::kTagBytes};
    DeviceMemory<std::uint8_t> sealScratch{kMaxMessages * kScratchOfMessage};
    CudaStream stream;
    CudaEvent scanned;

    CandidateList candidates() { return {cuts.get(), count.get(), blockOffsets.get(), kCapacity}; }
};

struct ListedCandidates {
    const std::uint32_t* list;
    std::size_t count;
    std::size_t at = 0;

    std::uint64_t first(std::uint64_t from, std::uint64_t to) {
        while (at < count && list[at] < from) {
            at++;
        }
        return at < count && list[at] <= to ? list[at] : kNoCandidate;
    }
    static bool isStrong(std::uint64_t) { return false; }
};

/// Turns a piece's candidates into messages; returns how many.
std::uint32_t select(const Slot& slot, int maskBits, Message* messages) {
    std::uint64_t average = 1ULL << maskBits;
    CutRules rules{.minBytes = average / 4,
                   .maxBytes = average * 4,
                   .segmentMinBytes = 0,
                   .segmentMaxBytes = 0,
                   .hasSegments = false};
    ListedCandidates candidates{slot.cuts.get(), *slot.count.get()};
    std::uint32_t count = 0;
    std::uint32_t leaves = 0;
    CutSelector(rules).select(candidates, 0, kPieceBytes, true,
                              [&](std::uint64_t offset, std::uint32_t length, bool) {
                                  messages[count++] = {static_cast<std::int64_t>(offset), length, leaves};
                                  leaves += (length + 1023) / 1024;
                              });
    return count;
}

class Measurement {
  public:
    explicit Measurement(std::size_t pieces)
        : pieces_(pieces), memory_(kPieceBytes * pieces + 2 * kReadAheadBytes) {
        fillRandom<<<4096, 256>>>(reinterpret_cast<std::uint64_t*>(memory_.get()),
                                  (kPieceBytes * pieces + 2 * kReadAheadBytes) / 8);
        checkLaunch("fillRandom");
        DeviceMemory<std::uint8_t> key(crypto::kKeyBytes);
        checkCuda(cudaMemcpy(key.get(), kSealKey, sizeof kSealKey, cudaMemcpyHostToDevice), "copy");
        crypto::enqueueAesGcmKey(key.get(), sealKey_.get(), nullptr);
        checkCuda(cudaDeviceSynchronize(), "the key to seal with");
        for (std::size_t i = 0; i < kSlots; i++) {
            slots_.push_back(std::make_unique<Slot>());
        }
    }

    void run() {
        for (int maskBits : {7, 13, 16, 20, 25}) {
            checkScan(specOf(Polynomial(Polynomial::kDefaultBits), maskBits));
            checkScan(specOf(irreducibleFrom(kAnyPolynomial), maskBits));
        }
        limits();
        for (int maskBits : {13, 16, 20}) {
            measureScan(specOf(Polynomial(Polynomial::kDefaultBits), maskBits), maskBits, "default",
                        ScanForm::Fast);
        }
        measureScan(specOf(irreducibleFrom(kAnyPolynomial), 13), 13, "any", ScanForm::Fast);
        measureScan(specOf(Polynomial(Polynomial::kDefaultBits), 13), 13, "default", ScanForm::Naive);
        for (int maskBits : {13, 16, 20}) {
            measureDigests(maskBits);
        }
        for (bool seal : {false, true}) {
            measureWhole(13, seal);
            measureWhole(16, seal);
        }
    }

  private:
    std::uint8_t* piece(std::size_t i) const { return memory_.get() + kReadAheadBytes + i * kPieceBytes; }
    DeviceBuffer buffer(std::size_t i) const { return {piece(i), kPieceBytes}; }
    std::size_t bytes() const { return pieces_ * kPieceBytes; }

    void checkScan(const ScanSpec& spec) {
        Slot& slot = *slots_[0];
        std::size_t size = kCheckedBytes - 77;
        std::vector<std::uint8_t> host(kWindowBytes + size);
        std::vector<std::uint64_t> expected((size + 63) / 64);
        std::vector<std::uint64_t> found(expected.size());
        checkCuda(cudaMemcpy(host.data(), piece(0) - kWindowBytes, host.size(), cudaMemcpyDeviceToHost),
                  "copy");
        kScanScalar.mark(spec, host.data() + kWindowBytes, size, expected.data());
        for (ScanForm form : {ScanForm::Fast, ScanForm::Naive}) {
            enqueueScan(spec, form, {piece(0), size}, slot.bitmap.get(), slot.stream.view());
            slot.stream.synchronize();
            checkCuda(cudaMemcpy(found.data(), slot.bitmap.get(), found.size() * 8, cudaMemcpyDeviceToHost),
                      "copy");
            if (found != expected) throw std::runtime_error("the scan differs from the reference");
        }
    }

    void limits() {
        DeviceMemory<std::uint32_t> result(1);
        double seconds = medianSeconds([&] {
            readAll<<<132 * 16, 512>>>(reinterpret_cast<const uint4*>(piece(0)), bytes() / 16, result.get());
        });
        print("read", "", bytes(), seconds);
        std::size_t half = bytes() / 2;
        DeviceMemory<std::uint8_t> target(half);
        seconds = medianSeconds([&] {
            checkCuda(cudaMemcpyAsync(target.get(), piece(0), half, cudaMemcpyDeviceToDevice), "copy");
        });
        print("copy", "", half, seconds);
    }

    void measureScan(const ScanSpec& spec, int maskBits, const char* polynomial, ScanForm form) {
        double seconds = medianSeconds([&] {
            for (std::size_t i = 0; i < pieces_; i++) {
                enqueueScan(spec, form, buffer(i), slots_[0]->bitmap.get(), slots_[0]->stream.view());
            }
        });
        print("scan",
              averageOf(maskBits) + "\"polynomial\":\"" + polynomial + "\",\"form\":\"" +
                  (form == ScanForm::Fast ? "fast" : "naive") + "\",",
              bytes(), seconds);
    }

    void scanAndCompact(const ScanSpec& spec, std::size_t i, Slot& slot) {
        enqueueScan(spec, ScanForm::Fast, buffer(i), slot.bitmap.get(), slot.stream.view());
        enqueueCompaction(spec, false, buffer(i), slot.bitmap.get(), slot.candidates(), slot.stream.view());
        slot.scanned.record(slot.stream.view());
    }

    /// The chunks of all pieces, relative to the first one.
    std::vector<Message> allMessages(int maskBits) {
        ScanSpec spec = specOf(Polynomial(Polynomial::kDefaultBits), maskBits);
        Slot& slot = *slots_[0];
        std::vector<Message> all;
        std::vector<Message> messages(Slot::kMaxMessages);
        std::uint32_t leaves = 0;
        for (std::size_t i = 0; i < pieces_; i++) {
            scanAndCompact(spec, i, slot);
            slot.stream.synchronize();
            std::uint32_t count = select(slot, maskBits, messages.data());
            for (std::uint32_t m = 0; m < count; m++) {
                Message message = messages[m];
                message.begin += static_cast<std::int64_t>(i * kPieceBytes);
                message.firstLeaf += leaves;
                all.push_back(message);
            }
            const Message& last = all.back();
            leaves = last.firstLeaf + (last.length + 1023) / 1024;
        }
        return all;
    }

    void measureDigests(int maskBits) {
        std::vector<Message> all = allMessages(maskBits);
        auto count = static_cast<std::uint32_t>(all.size());
        std::uint32_t leaves = all.back().firstLeaf + (all.back().length + 1023) / 1024;
        DeviceMemory<Message> messages(count);
        DeviceMemory<std::uint32_t> order(count);
        DeviceMemory<std::uint32_t> classes(kLengthClasses);
        DeviceMemory<std::uint8_t[32]> digests(count);
        DeviceMemory<std::uint32_t[8]> leafValues(leaves);
        checkCuda(cudaMemcpy(messages.get(), all.data(), count * sizeof(Message), cudaMemcpyHostToDevice),
                  "copy");
        MessageList list{messages.get(), order.get(), classes.get(), count, 4U << maskBits};
        cudaStream_t stream = slots_[0]->stream.view();
        double seconds = medianSeconds([&] {
            enqueueOrder(list, stream);
            enqueueSha256(piece(0), list, digests.get(), stream);
        });
        checkSha256(all, digests.get());
        print("sha256", averageOf(maskBits) + "\"chunks\":" + std::to_string(count) + ",", bytes(), seconds);
        seconds = medianSeconds(
            [&] { enqueueBlake3(piece(0), list, leaves, leafValues.get(), digests.get(), stream); });
        print("blake3", averageOf(maskBits) + "\"chunks\":" + std::to_string(count) + ",", bytes(), seconds);
    }

    /// Every thousandth chunk.
    void checkSha256(const std::vector<Message>& messages, const std::uint8_t (*digests)[32]) {
        std::vector<std::uint8_t> chunk;
        for (std::size_t i = 0; i < messages.size(); i += 1000) {
            chunk.resize(messages[i].length);
            checkCuda(
                cudaMemcpy(chunk.data(), piece(0) + messages[i].begin, chunk.size(), cudaMemcpyDeviceToHost),
                "copy");
            std::uint8_t expected[32];
            std::uint8_t found[32];
            sha256(sha256CompressPortable, chunk.data(), chunk.size(), expected);
            checkCuda(cudaMemcpy(found, digests[i], sizeof found, cudaMemcpyDeviceToHost), "copy");
            if (std::memcmp(expected, found, sizeof found) != 0)
                throw std::runtime_error("a digest is wrong");
        }
    }

    /// Selects a scanned piece's cuts and starts its digests, and seals its chunks if asked to; returns how
    /// many.
    std::uint32_t digest(std::size_t i, int maskBits, bool seal, Slot& slot) {
        slot.scanned.synchronize();
        std::uint32_t count = select(slot, maskBits, slot.hostMessages.get());
        enqueueFetch(slot.messages.get(), slot.hostMessages.get(), count * sizeof(Message),
                     slot.stream.view());
        MessageList list{slot.messages.get(), slot.order.get(), slot.classOffsets.get(), count,
                         4U << maskBits};
        enqueueOrder(list, slot.stream.view());
        enqueueSha256(piece(i), list, slot.digests.get(), slot.stream.view());
        if (seal) enqueueSeal(i, list, slot);
        checkCuda(cudaMemcpyAsync(slot.hostDigests.get(), slot.digests.get(), count * 32UL,
                                  cudaMemcpyDeviceToHost, slot.stream.view()),
                  "copy");
        return count;
    }

    void enqueueSeal(std::size_t i, const MessageList& list, Slot& slot) {
        crypto::DeviceBatch batch{};
        batch.in = piece(i);
        batch.out = slot.sealed.get();
        batch.tags = slot.tags.get();
        batch.tagStride = crypto::kTagBytes;
        batch.messages = list.messages;
        batch.length = list.maxLength;
        batch.count = list.count;
        if (crypto::scratchBytes(batch.count, batch.length) > slot.sealScratch.bytes()) {
            throw std::logic_error("too little working memory to seal " + std::to_string(batch.count) +
                                   " chunks");
        }
        crypto::enqueueAesGcm(sealKey_.get(), batch, slot.sealScratch.get(), slot.stream.view());
    }

    /// Every thousandth chunk of the first piece, and its tag, as OpenSSL has them.
    void checkSealed(int maskBits) {
        Slot& slot = *slots_[0];
        scanAndCompact(specOf(Polynomial(Polynomial::kDefaultBits), maskBits), 0, slot);
        std::uint32_t count = digest(0, maskBits, true, slot);
        slot.stream.synchronize();
        crypto::OpensslAead openssl(crypto::Aead::kAes256Gcm, kSealKey);
        for (std::uint32_t i = 0; i < count; i += 1000) {
            Message message = slot.hostMessages.get()[i];
            std::vector<std::uint8_t> plain(message.length);
            std::vector<std::uint8_t> found(message.length + crypto::kTagBytes);
            std::vector<std::uint8_t> expected(found.size());
            checkCuda(
                cudaMemcpy(plain.data(), piece(0) + message.begin, plain.size(), cudaMemcpyDeviceToHost),
                "copy");
            checkCuda(cudaMemcpy(found.data(), slot.sealed.get() + crypto::sealedOffset(message, i),
                                 plain.size(), cudaMemcpyDeviceToHost),
                      "copy");
            checkCuda(cudaMemcpy(found.data() + plain.size(), slot.tags.get() + i * crypto::kTagBytes,
                                 crypto::kTagBytes, cudaMemcpyDeviceToHost),
                      "copy");
            std::uint8_t nonce[crypto::kNonceBytes];
            crypto::Nonce{i, 0}.write(nonce);
            openssl.seal(nonce, nullptr, 0, plain.data(), plain.size(), expected.data());
            if (found != expected) throw std::runtime_error("a sealed chunk is wrong");
        }
    }

    void measureWhole(int maskBits, bool seal) {
        ScanSpec spec = specOf(Polynomial(Polynomial::kDefaultBits), maskBits);
        double seconds = medianSeconds([&] {
            for (std::size_t i = 0; i < pieces_ + 1; i++) {
                if (i < pieces_) {
                    Slot& slot = *slots_[i % kSlots];
                    slot.stream.synchronize();
                    scanAndCompact(spec, i, slot);
                }
                if (i > 0) digest(i - 1, maskBits, seal, *slots_[(i - 1) % kSlots]);
            }
        });
        if (seal) checkSealed(maskBits);
        print(seal ? "scan_select_sha256_seal" : "scan_select_sha256", averageOf(maskBits), bytes(), seconds);
    }

    std::size_t pieces_;
    DeviceMemory<std::uint8_t> memory_;
    DeviceMemory<crypto::AesGcmDeviceKey> sealKey_{1};
    std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace

int main(int argc, char** argv) {
    try {
        Measurement(argc > 1 ? std::stoul(argv[1]) : 16).run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_kernels: %s\n", error.what());
        return 2;
    }
}
