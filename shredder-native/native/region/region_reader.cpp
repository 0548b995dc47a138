// SPDX-License-Identifier: Apache-2.0
#include "region/region_reader.h"

#include <fcntl.h>
#include <intel-ipsec-mb.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cpu/cpu_kernels.h"
#include "pipeline/error.h"
#include "region/hmac_sha256.h"

namespace shredder {
namespace {

// First byte of what is encrypted, seal.md section 3.
constexpr std::uint8_t kFormRaw = 0;
constexpr std::uint8_t kFormZstd = 1;

constexpr std::string_view kSingleLabel = "shredder chunk 2";
constexpr std::string_view kTogetherLabel = "shredder region 1";

/// What is wrong with the bytes of a region; who knows where they are says so.
[[noreturn]] void refuse(const std::string& problem) {
    throw Error(SHREDDER_SOURCE_ERROR, problem);
}

struct MultiBufferDelete {
    void operator()(IMB_MGR* manager) const { free_mb_mgr(manager); }
};

struct DecompressionDelete {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

std::unique_ptr<IMB_MGR, MultiBufferDelete> multiBuffer() {
    std::unique_ptr<IMB_MGR, MultiBufferDelete> manager(alloc_mb_mgr(0));
    if (manager == nullptr) throw std::bad_alloc();
    init_mb_mgr_auto(manager.get(), nullptr);
    int problem = imb_get_errno(manager.get());
    if (problem != 0) throw Error(SHREDDER_UNAVAILABLE, imb_get_strerror(problem));
    return manager;
}

std::unique_ptr<ZSTD_DCtx, DecompressionDelete> decompression() {
    std::unique_ptr<ZSTD_DCtx, DecompressionDelete> context(ZSTD_createDCtx());
    if (context == nullptr) throw std::bad_alloc();
    return context;
}

/// A container that is open to be read, and begins as it should.
class Container {
  public:
    explicit Container(const char* path) : path_(path), file_(path) {
        std::uint8_t header[kContainerHeaderBytes];
        readFully(0, header);
        requireContainerHeader(header);
    }

    bool isAt(const char* path) const { return path_ == path; }

    void readFully(std::uint64_t offset, std::span<std::uint8_t> target) const {
        while (!target.empty()) {
            ssize_t count = pread(file_.descriptor, target.data(), target.size(), static_cast<off_t>(offset));
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) refuse(std::string("can't be read: ") + std::strerror(errno));
            if (count == 0) refuse("the container ends sooner");
            target = target.subspan(static_cast<std::size_t>(count));
            offset += static_cast<std::uint64_t>(count);
        }
    }

  private:
    /// Closed also where the header is not a container's.
    struct File {
        explicit File(const char* path) : descriptor(open(path, O_RDONLY | O_CLOEXEC)) {
            if (descriptor < 0) refuse(std::string("can't be opened: ") + std::strerror(errno));
        }
        File(const File&) = delete;
        File& operator=(const File&) = delete;
        ~File() { close(descriptor); }

        int descriptor;
    };

    std::string path_;
    File file_;
};

std::string_view viewOf(const std::uint8_t* identity) {
    return {reinterpret_cast<const char*>(identity), kIdentityBytes};
}

/// Memory that grows to what is asked for, and is not cleared.
class Room {
  public:
    std::uint8_t* atLeast(std::size_t bytes) {
        if (bytes > bytes_) {
            memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
            bytes_ = bytes;
        }
        return memory_.get();
    }

  private:
    std::unique_ptr<std::uint8_t[]> memory_;
    std::size_t bytes_ = 0;
};

/// Where chunks are wanted.
class WantedChunks {
  public:
    WantedChunks(std::span<const ChunkName> wanted, std::uint8_t* target) {
        places_.reserve(wanted.size());
        for (const ChunkName& chunk : wanted) {
            places_.emplace(viewOf(chunk.identity), Place{target, chunk.bytes});
            target += chunk.bytes;
        }
    }

    /// Where it is wanted; else null.
    std::uint8_t* placeOf(const ChunkName& chunk) const {
        auto found = places_.find(viewOf(chunk.identity));
        return found == places_.end() || found->second.bytes != chunk.bytes ? nullptr : found->second.at;
    }

    /// Where all of these are wanted one behind the other, in this order; else null.
    std::uint8_t* placeOfAll(std::span<const ChunkName> chunks) const {
        std::uint8_t* first = placeOf(chunks[0]);
        std::uint8_t* next = first;
        for (const ChunkName& chunk : chunks) {
            if (next == nullptr || placeOf(chunk) != next) return nullptr;
            next += chunk.bytes;
        }
        return first;
    }

  private:
    struct Place {
        std::uint8_t* at;
        std::uint32_t bytes;
    };

    std::unordered_map<std::string_view, Place> places_;
};

}  // namespace

struct RegionReader::State {
    explicit State(const RegionKeys& keys)
        : sealing(keys.sealing),
          identities(keys.identity),
          digest(keys.digest == DigestAlgorithm::Blake3 ? bestCpuKernels().blake3 : bestCpuKernels().sha256),
          cipher(multiBuffer()),
          zstd(decompression()) {}

    /// The whole record at this place, until the next is read.
    std::span<const std::uint8_t> recordAt(const Container& container, const RegionPlace& place);
    /// Writes what the region has of the wanted chunks.
    void open(const StoredRegion& region, const WantedChunks& wanted);
    /// Writes the plain bytes of all its chunks.
    void openInto(const StoredRegion& region, std::span<std::uint8_t> target);
    void beginUnsealing(const StoredRegion& region);
    void checkSeal(const StoredRegion& region);
    /// Proves chunks that lie back to back; one that is in none of the regions can't be.
    void prove(std::span<const ChunkName> wanted, const std::uint8_t* plain);

    HmacSha256 sealing;
    HmacSha256 identities;
    DigestMany digest;
    std::unique_ptr<IMB_MGR, MultiBufferDelete> cipher;
    std::unique_ptr<ZSTD_DCtx, DecompressionDelete> zstd;
    // Its own alignment is there only for those who define LINUX.
    alignas(64) gcm_key_data expandedKey{};
    alignas(64) gcm_context_data sealContext{};
    Room stored;
    Room compressed;
    Room beside;
    std::vector<std::uint8_t> openBytes;
    std::vector<std::uint8_t> digests;
    std::vector<DigestMessage> messages;
};

std::span<const std::uint8_t> RegionReader::State::recordAt(const Container& container,
                                                            const RegionPlace& place) {
    if (place.bytes > kMaxRecordBytes) refuse("the record is too long");
    std::span<std::uint8_t> record(stored.atLeast(place.bytes), place.bytes);
    container.readFully(place.offset, record);
    return record;
}

void RegionReader::State::open(const StoredRegion& region, const WantedChunks& wanted) {
    std::uint8_t* together = wanted.placeOfAll(region.chunks);
    if (together != nullptr) {
        openInto(region, {together, region.plainBytes});
        return;
    }
    std::span<std::uint8_t> aside(beside.atLeast(region.plainBytes), region.plainBytes);
    openInto(region, aside);
    const std::uint8_t* from = aside.data();
    for (const ChunkName& chunk : region.chunks) {
        std::uint8_t* to = wanted.placeOf(chunk);
        if (to != nullptr) std::memcpy(to, from, chunk.bytes);
        from += chunk.bytes;
    }
}

void RegionReader::State::openInto(const StoredRegion& region, std::span<std::uint8_t> target) {
    beginUnsealing(region);
    std::uint8_t form = 0;
    IMB_AES256_GCM_DEC_UPDATE(cipher.get(), &expandedKey, &sealContext, &form, region.sealed.data(), 1);
    std::span<const std::uint8_t> sealed = region.sealed.subspan(1);
    // What needs no more than to be decrypted is so where it belongs.
    bool done = form == kFormRaw && sealed.size() == target.size();
    std::uint8_t* to = done ? target.data() : compressed.atLeast(sealed.size());
    IMB_AES256_GCM_DEC_UPDATE(cipher.get(), &expandedKey, &sealContext, to, sealed.data(), sealed.size());
    checkSeal(region);
    if (done) return;
    if (form == kFormRaw) refuse("the region has " + std::to_string(sealed.size()) + " bytes");
    if (form != kFormZstd) refuse("the region has form " + std::to_string(form));
    std::size_t bytes = ZSTD_decompressDCtx(zstd.get(), target.data(), target.size(), to, sealed.size());
    if (ZSTD_isError(bytes) != 0) refuse(std::string("can't be decompressed: ") + ZSTD_getErrorName(bytes));
    if (bytes != target.size()) refuse("decompresses to " + std::to_string(bytes) + " bytes");
}

void RegionReader::State::beginUnsealing(const StoredRegion& region) {
    bool single = region.chunks.size() == 1;
    std::string_view label = single ? kSingleLabel : kTogetherLabel;
    openBytes.assign(label.begin(), label.end());
    for (const ChunkName& chunk : region.chunks) {
        openBytes.insert(openBytes.end(), chunk.identity, chunk.identity + kIdentityBytes);
        for (int shift = 24; shift >= 0; shift -= 8) {
            openBytes.push_back(static_cast<std::uint8_t>(chunk.bytes >> shift));
        }
    }
    std::uint8_t key[kDigestBytes];
    sealing.of(single ? std::span(region.chunks[0].identity, kIdentityBytes)
                      : std::span<const std::uint8_t>(openBytes),
               key);
    IMB_AES256_GCM_PRE(cipher.get(), key, &expandedKey);
    IMB_AES256_GCM_INIT(cipher.get(), &expandedKey, &sealContext, region.nonce.data(), openBytes.data(),
                        openBytes.size());
}

void RegionReader::State::checkSeal(const StoredRegion& region) {
    std::uint8_t tag[16];
    IMB_AES256_GCM_DEC_FINALIZE(cipher.get(), &expandedKey, &sealContext, tag, sizeof tag);
    std::uint8_t difference = 0;
    for (std::size_t i = 0; i < sizeof tag; i++) {
        difference |= tag[i] ^ region.tag[i];
    }
    if (difference != 0) refuse("the seal is broken: it was damaged, forged or sealed with another key");
}

void RegionReader::State::prove(std::span<const ChunkName> wanted, const std::uint8_t* plain) {
    digests.resize(wanted.size() * kDigestBytes);
    messages.clear();
    for (std::size_t i = 0; i < wanted.size(); i++) {
        messages.push_back({plain, wanted[i].bytes, digests.data() + i * kDigestBytes});
        plain += wanted[i].bytes;
    }
    digest(messages.data(), messages.size());
    identities.ofDigests(digests.data(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); i++) {
        if (std::memcmp(digests.data() + i * kDigestBytes, wanted[i].identity, kIdentityBytes) != 0) {
            refuse("chunk " + std::to_string(i) + " of those wanted has another identity");
        }
    }
}

RegionReader::RegionReader(const RegionKeys& keys) : state_(std::make_unique<State>(keys)) {}

RegionReader::~RegionReader() = default;

void RegionReader::read(std::span<const RegionPlace> places, std::span<const ChunkName> wanted,
                        std::uint8_t* target) {
    WantedChunks chunks(wanted, target);
    std::unique_ptr<Container> container;
    for (const RegionPlace& place : places) {
        try {
            if (container == nullptr || !container->isAt(place.path)) {
                container = std::make_unique<Container>(place.path);
            }
            state_->open(StoredRegion(state_->recordAt(*container, place)), chunks);
        } catch (const Error& error) {
            throw Error(error.status(), std::string(place.path) + " at " + std::to_string(place.offset) +
                                            ": " + error.what());
        }
    }
    state_->prove(wanted, target);
}

void RegionReader::open(std::span<const RegionBytes> regions, const CopyStored& copy,
                        std::span<const ChunkName> wanted, std::uint8_t* target) {
    WantedChunks chunks(wanted, target);
    for (std::size_t i = 0; i < regions.size(); i++) {
        try {
            std::uint8_t* stored = state_->stored.atLeast(regions[i].storedBytes);
            copy(i, stored);
            state_->open(StoredRegion(regions[i].fields, {stored, regions[i].storedBytes}), chunks);
        } catch (const Error& error) {
            throw Error(error.status(), "region " + std::to_string(i) + ": " + error.what());
        }
    }
    state_->prove(wanted, target);
}

}  // namespace shredder
