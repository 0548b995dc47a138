// SPDX-License-Identifier: Apache-2.0
//
// The library as a program has it that loads it while it runs, as a JVM does. Whichever request for memory
// fails, be it the C++ run-time library's for a thread's exceptions, zstd's, the cipher's or a new thread's
// own, every call comes back with a status, and the process lives.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "shredder.h"
#include "shredder_region.h"

namespace {

std::atomic<bool> active{false};
std::atomic<bool> lasting{false};
std::atomic<std::uint64_t> failing{0};
std::atomic<std::uint64_t> requests{0};

bool isRefused() {
    if (!active) return false;
    std::uint64_t number = ++requests;
    bool refused = lasting ? number >= failing : number == failing;
    if (refused) errno = ENOMEM;
    return refused;
}

}  // namespace

// The whole process's, the C library's and the loader's own requests included.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
    return isRefused() ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
    return isRefused() ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
    return isRefused() ? nullptr : __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
    return isRefused() ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return isRefused() ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
    if (isRefused()) return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory == nullptr ? ENOMEM : 0;
}
void* mmap(void* at, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
    if (isRefused()) return MAP_FAILED;
    return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, descriptor, offset));
}
}

namespace {

constexpr std::size_t kBufferBytes = 16 << 10;
constexpr std::size_t kBuffers = 5;
constexpr std::uint32_t kDepth = 8;  // more than the buffers: one thread may fill all, then empty them

void* loaded(const char* name) {
    static void* const kLibrary = dlopen(SHREDDER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void* function = kLibrary == nullptr ? nullptr : dlsym(kLibrary, name);
    if (function == nullptr) throw std::runtime_error(dlerror());
    return function;
}

/// Functions of the library, by the names and the types that its headers give them.
struct Functions {
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration.
#define SHREDDER_LOADED(name)                                          \
    decltype(&shredder_##name) name =                                  \
        reinterpret_cast<decltype(&shredder_##name)>(loaded("shredder" \
                                                            "_" #name))
    // NOLINTEND(bugprone-macro-parentheses)
    SHREDDER_LOADED(backends);
    SHREDDER_LOADED(engine_open);
    SHREDDER_LOADED(engine_describe);
    SHREDDER_LOADED(engine_close);
    SHREDDER_LOADED(stream_open);
    SHREDDER_LOADED(stream_acquire);
    SHREDDER_LOADED(stream_submit);
    SHREDDER_LOADED(stream_finish);
    SHREDDER_LOADED(stream_next);
    SHREDDER_LOADED(stream_release);
    SHREDDER_LOADED(stream_cancel);
    SHREDDER_LOADED(stream_close);
    SHREDDER_LOADED(cut_memory);
    SHREDDER_LOADED(region_reader_open);
    SHREDDER_LOADED(region_reader_read);
    SHREDDER_LOADED(region_reader_open_regions);
    SHREDDER_LOADED(region_reader_close);
    SHREDDER_LOADED(last_error);
#undef SHREDDER_LOADED
};

/// Calls of the library, of which none may need memory of this program's: there may be none.
class Session {
  public:
    explicit Session(const Functions& functions) : call_(functions) {
        for (std::size_t i = 0; i < data_.size(); i++) {
            data_[i] = static_cast<std::uint8_t>(i * i >> 7 ^ i * 2654435761U >> 13);
        }
        std::fill_n(data_.begin() + kBufferBytes / 2, 2 * kBufferBytes, std::uint8_t{0});
    }

    void run() {
        std::array<shredder_backend_info, 8> infos{};
        std::size_t count = 0;
        note(call_.backends(infos.data(), infos.size(), &count));
        std::array<std::uint32_t, 64> lengths{};
        note(call_.cut_memory(&params_, data_.data(), data_.size(), 1, lengths.data(), lengths.size(),
                              &count));
        expectRefusal(call_.cut_memory(nullptr, nullptr, 0, 0, nullptr, 0, nullptr),
                      SHREDDER_INVALID_ARGUMENT);
        useRegions();
        useEngine();
    }

    bool fair = true;
    bool allServed = true;

  private:
    bool note(shredder_status status) {
        if (status == SHREDDER_OK) return true;
        allServed = false;
        if (status != SHREDDER_OUT_OF_MEMORY && status != SHREDDER_CANCELLED) fair = false;
        if (call_.last_error()[0] == '\0') fair = false;
        return false;
    }

    /// Of a call that fails anyway.
    void expectRefusal(shredder_status status, shredder_status usual) {
        if (status == SHREDDER_OUT_OF_MEMORY) {
            allServed = false;
        } else if (status != usual) {
            fair = false;
        }
        if (call_.last_error()[0] == '\0') fair = false;
    }

    void useRegions() {
        shredder_region_reader* reader = nullptr;
        shredder_status opened = call_.region_reader_open(data_.data(), data_.data(), 1, &reader);
        if (opened == SHREDDER_UNAVAILABLE || !note(opened)) return;
        shredder_region_place place{};
        place.path = "/nowhere";
        std::uint8_t target = 0;
        shredder_chunk_name wanted{data_.data(), 1};
        expectRefusal(call_.region_reader_read(reader, &place, 1, &wanted, 1, &target),
                      SHREDDER_SOURCE_ERROR);
        shredder_region_bytes region{data_.data(), kBufferBytes};
        auto copy = [](void* from, std::size_t, std::uint8_t* to) {
            std::memcpy(to, from, kBufferBytes);
            return 0;
        };
        expectRefusal(
            call_.region_reader_open_regions(reader, &region, 1, copy, data_.data(), &wanted, 1, &target),
            SHREDDER_SOURCE_ERROR);
        call_.region_reader_close(reader);
    }

    void useEngine() {
        shredder_engine_options options{.backend = SHREDDER_BACKEND_CPU,
                                        .device = -1,
                                        .buffer_bytes = kBufferBytes,
                                        .pipeline_depth = kDepth,
                                        .cpu_threads = 2};
        shredder_engine* engine = nullptr;
        if (!note(call_.engine_open(&options, &engine))) return;
        shredder_engine_info info{};
        note(call_.engine_describe(engine, &info));
        shredder_stream* stream = nullptr;
        if (note(call_.stream_open(engine, &params_, &stream))) {
            if (!fill(stream)) call_.stream_cancel(stream);
            empty(stream);
            call_.stream_close(stream);
        }
        if (call_.engine_close(engine) != SHREDDER_OK) fair = false;
    }

    bool fill(shredder_stream* stream) {
        for (std::size_t i = 0; i < kBuffers; i++) {
            std::uint8_t* payload = nullptr;
            std::uint64_t capacity = 0;
            if (!note(call_.stream_acquire(stream, &payload, &capacity))) return false;
            std::memcpy(payload, &data_[i * kBufferBytes], kBufferBytes);
            auto submit = i + 1 == kBuffers ? call_.stream_finish : call_.stream_submit;
            if (!note(submit(stream, kBufferBytes))) return false;
        }
        return true;
    }

    void empty(shredder_stream* stream) {
        for (std::uint64_t at = 0;;) {
            shredder_batch batch{};
            if (!note(call_.stream_next(stream, &batch))) return;
            if (batch.record_count == 0) {
                if (at != data_.size()) fair = false;
                return;
            }
            if (std::memcmp(batch.data, &data_[at], batch.data_bytes) != 0) fair = false;
            at += batch.data_bytes;
            if (!note(call_.stream_release(stream))) return;
        }
    }

    const Functions& call_;
    std::array<std::uint8_t, kBuffers * kBufferBytes> data_{};
    shredder_params params_{.polynomial = 0x1'0000'0000'002DULL,
                            .marker = 0x5A17'D3C9'6B45ULL,
                            .min_bytes = 1024,
                            .max_bytes = 40'000,
                            .segment_min_bytes = 0,
                            .segment_max_bytes = 0,
                            .mask_bits = 12,
                            .segment_mask_bits = 0,
                            .digest_algorithm = 1,
                            .compute_digests = 1};
};

/// The session on a thread that has never called the library, with a request that fails. Returns whether
/// there were so many requests.
bool runWithout(std::uint64_t request, Session& session) {
    bool struck = false;
    std::thread([&] {
        failing = request;
        requests = 0;
        active = true;
        session.run();
        active = false;
        struck = requests >= failing;
    }).join();
    return struck;
}

class LoadedLibraryTest : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Of, LoadedLibraryTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "lasting" : "once"; });

TEST_P(LoadedLibraryTest, whicheverRequestForMemoryFailsIsAStatus) {
    static const Functions kFunctions;
    lasting = GetParam();
    bool struck = true;
    for (std::uint64_t request = 1; struck; request++) {
        SCOPED_TRACE("request " + std::to_string(request));
        auto session = std::make_unique<Session>(kFunctions);
        struck = runWithout(request, *session);
        ASSERT_TRUE(session->fair);
        ASSERT_TRUE(struck || session->allServed);
        ASSERT_TRUE(struck || request > 50) << "hardly any request was seen";
    }
}

}  // namespace
