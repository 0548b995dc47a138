// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <future>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

namespace fs = std::filesystem;

/// What a fill ended with, and the chunks that the consumer got.
struct Filled {
    shredder_status status = SHREDDER_OK;
    std::string error;
    std::uint64_t bytesRead = 0;
    std::vector<ChunkValue> chunks;
};

class FileReaderTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "shredder-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const Bytes& data) const {
        std::ofstream out(folder_ / name, std::ios::binary);
        out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
        return folder_ / name;
    }

    std::string pipe(const std::string& name) const {
        EXPECT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
        return folder_ / name;
    }

    fs::path folder_;
};

/// Fills a stream from the path on a thread of its own while this one takes the chunks.
Filled chunkPath(const std::string& path, const shredder_read_options& options = {},
                 std::uint64_t bufferBytes = 1 << 20,
                 const std::function<void(shredder_stream*)>& onBatch = {}) {
    EnginePtr engine = openEngine(SHREDDER_BACKEND_CPU, bufferBytes, 2);
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(10));
    Filled filled;
    auto reader = std::async(std::launch::async, [&] {
        filled.status = shredder_stream_fill_path(stream.get(), path.c_str(), &options, &filled.bytesRead);
        filled.error = shredder_last_error();
    });
    shredder_batch batch{};
    while (shredder_stream_next(stream.get(), &batch) == SHREDDER_OK && batch.record_count > 0) {
        for (std::uint64_t i = 0; i < batch.record_count; i++) {
            const shredder_record& record = batch.records[i];
            filled.chunks.push_back(
                {record.offset, record.length, false, hexOf(record.digest, sizeof record.digest)});
        }
        if (onBatch) onBatch(stream.get());
        check(shredder_stream_release(stream.get()));
    }
    reader.get();
    return filled;
}

void expectChunks(const std::vector<ChunkValue>& chunks, std::size_t size, const Filled& filled,
                  const std::string& what) {
    EXPECT_EQ(filled.status, SHREDDER_OK) << what << ": " << filled.error;
    EXPECT_EQ(filled.bytesRead, size) << what;
    EXPECT_EQ(filled.chunks, chunks) << what;
}

void expectChunksOf(const Bytes& data, const Filled& filled, const std::string& what) {
    expectChunks(referenceChunks(paramsOfAverage(10), data), data.size(), filled, what);
}

TEST_F(FileReaderTest, aFileOfAnyLengthGivesTheChunksOfItsBytesWithAnyNumberOfThreads) {
    for (std::size_t size : {0, 1, 4095, 4096, 4097, 1 << 18, 900'001}) {
        Bytes data = splitmix64(size, size);
        std::string path = write("data", data);
        std::vector<ChunkValue> chunks = referenceChunks(paramsOfAverage(10), data);
        for (std::uint32_t threads : {0U, 1U, 3U, 16U}) {
            for (std::uint64_t bufferBytes : {5000UL, 600'000UL, 1UL << 20}) {
                expectChunks(
                    chunks, size,
                    chunkPath(path, {.threads = threads, .direct = 0, .offset = 0, .length = 0}, bufferBytes),
                    std::to_string(size) + " bytes, " + std::to_string(threads) + " threads");
            }
        }
    }
}

TEST_F(FileReaderTest, directReadsGiveTheSameBytesWhateverTheAlignment) {
    Bytes data = splitmix64(5, 900'001);
    std::string path = write("data", data);
    for (std::uint64_t bufferBytes : {5000UL, 1UL << 20}) {
        Filled filled = chunkPath(path, {.threads = 4, .direct = 1, .offset = 0, .length = 0}, bufferBytes);
        if (filled.error.find("its file system refuses") != std::string::npos) {
            GTEST_SKIP() << filled.error;
        }
        expectChunksOf(data, filled, "direct");
    }
    Bytes part(data.begin() + 12'345, data.begin() + 12'345 + 800'000);
    expectChunksOf(part, chunkPath(path, {.threads = 2, .direct = 1, .offset = 12'345, .length = 800'000}),
                   "part, direct");
}

TEST_F(FileReaderTest, aPartOfAFileIsReadAsAskedForAndNothingBeyondItsEnd) {
    Bytes data = splitmix64(6, 700'000);
    std::string path = write("data", data);
    for (auto [offset, length] : {std::pair{0UL, 1UL}, {1UL, 699'999UL}, {400'000UL, 123UL}, {5UL, 0UL}}) {
        auto begin = data.begin() + static_cast<std::ptrdiff_t>(offset);
        Bytes part(begin, length == 0 ? data.end() : begin + static_cast<std::ptrdiff_t>(length));
        expectChunksOf(part, chunkPath(path, {.threads = 2, .direct = 0, .offset = offset, .length = length}),
                       "part");
    }
    for (auto [offset, length] : {std::pair{700'001UL, 0UL}, {699'999UL, 2UL}, {1UL, ~0UL}}) {
        Filled filled = chunkPath(path, {.threads = 2, .direct = 0, .offset = offset, .length = length});
        EXPECT_EQ(filled.status, SHREDDER_INVALID_ARGUMENT);
        EXPECT_NE(filled.error.find("has 700000 bytes"), std::string::npos) << filled.error;
    }
}

TEST_F(FileReaderTest, aPipeIsReadToItsEnd) {
    std::string path = pipe("pipe");
    Bytes data = splitmix64(7, 500'000);
    auto writer = std::async(std::launch::async, [&] { write("pipe", data); });
    expectChunksOf(data, chunkPath(path, {}, 5000), "pipe");
    writer.get();
}

TEST_F(FileReaderTest, aPipeThatThisProcessHasIsReadToItsEndThoughItsWritersAreGone) {
    Bytes data = splitmix64(8, 30'000);
    for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
        int ends[2];
        ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
        ASSERT_EQ(::write(ends[1], data.data(), data.size()), static_cast<ssize_t>(data.size()));
        close(ends[1]);
        expectChunksOf(data, chunkPath(folder + std::to_string(ends[0])), folder);
        close(ends[0]);
    }
}

TEST_F(FileReaderTest, aSocketThatThisProcessHasIsRead) {
    Bytes data = splitmix64(9, 30'000);
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ASSERT_EQ(::write(ends[1], data.data(), data.size()), static_cast<ssize_t>(data.size()));
    close(ends[1]);
    expectChunksOf(data, chunkPath("/dev/fd/" + std::to_string(ends[0])), "socket");
    close(ends[0]);
}

TEST_F(FileReaderTest, aFileOfTheKernelThatClaimsNoLengthIsReadAllTheSame) {
    std::ifstream in("/proc/version", std::ios::binary);
    Bytes data((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    ASSERT_FALSE(data.empty());
    expectChunksOf(data, chunkPath("/proc/version"), "/proc/version");
}

TEST_F(FileReaderTest, cancelEndsAReadThatHasNoEnd) {
    Filled filled = chunkPath("/dev/zero", {}, 1 << 16, shredder_stream_cancel);
    EXPECT_EQ(filled.status, SHREDDER_CANCELLED);
}

TEST_F(FileReaderTest, cancelWakesAReaderThatWaitsForAPipesWriter) {
    std::string path = pipe("pipe");
    EnginePtr engine = openEngine(SHREDDER_BACKEND_SCALAR, 4096);
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
    auto reader = std::async(std::launch::async, [&] {
        return shredder_stream_fill_path(stream.get(), path.c_str(), nullptr, nullptr);
    });
    shredder_stream_cancel(stream.get());
    EXPECT_EQ(reader.get(), SHREDDER_CANCELLED);
}

TEST_F(FileReaderTest, aFileThatShrinksWhileItIsReadIsFoundOut) {
    for (std::uint32_t direct : {0U, 1U}) {
        std::string path = write("shrinks", Bytes(4'000'000, 1));
        Filled filled = chunkPath(path, {.threads = 2, .direct = direct, .offset = 0, .length = 0}, 65536,
                                  [&](shredder_stream*) { fs::resize_file(path, 100'000); });
        if (filled.error.find("its file system refuses") != std::string::npos) continue;
        EXPECT_EQ(filled.status, SHREDDER_SOURCE_CHANGED) << filled.error;
        EXPECT_NE(filled.error.find(path + " changed while it was read: it had 4000000 bytes"),
                  std::string::npos)
            << filled.error;
        EXPECT_NE(filled.error.find("now it has 100000"), std::string::npos) << filled.error;
    }
}

TEST_F(FileReaderTest, aFileThatGrowsWhileItIsReadIsFoundOut) {
    std::string path = write("grows", Bytes(4'000'000, 1));
    Filled filled = chunkPath(path, {}, 65536, [&](shredder_stream*) { fs::resize_file(path, 4'000'001); });
    EXPECT_EQ(filled.status, SHREDDER_SOURCE_CHANGED) << filled.error;
}

TEST_F(FileReaderTest, errorsNameThePathAndWhatToDo) {
    std::string file = write("file", Bytes(10, 1));
    std::string fifo = pipe("fifo");
    struct Case {
        std::string path;
        shredder_read_options options;
        shredder_status status;
        std::string text;
    };
    for (const Case& expected : {
             Case{folder_ / "no", {}, SHREDDER_SOURCE_ERROR, "/no does not exist"},
             Case{folder_, {}, SHREDDER_SOURCE_ERROR, " is a directory: name a file"},
             Case{file + "/x", {}, SHREDDER_SOURCE_ERROR, "/file/x can't be opened: Not a directory"},
             Case{file,
                  {.threads = 257, .direct = 0, .offset = 0, .length = 0},
                  SHREDDER_INVALID_ARGUMENT,
                  "threads 257"},
             Case{fifo,
                  {.threads = 0, .direct = 0, .offset = 1, .length = 0},
                  SHREDDER_INVALID_ARGUMENT,
                  "/fifo has no known size"},
             Case{fifo,
                  {.threads = 0, .direct = 1, .offset = 0, .length = 0},
                  SHREDDER_INVALID_ARGUMENT,
                  "/fifo can't be read past the page cache"},
         }) {
        Filled filled = chunkPath(expected.path, expected.options);
        EXPECT_EQ(filled.status, expected.status) << filled.error;
        EXPECT_NE(filled.error.find(expected.text), std::string::npos) << filled.error;
    }
}

TEST_F(FileReaderTest, aFileSystemWithoutDirectReadsIsNamedAndNotReadOtherwise) {
    std::string path = "/sys/kernel/mm/transparent_hugepage/enabled";
    if (!fs::exists(path)) GTEST_SKIP() << "no sysfs here";
    Filled filled = chunkPath(path, {.threads = 0, .direct = 1, .offset = 0, .length = 0});
    EXPECT_EQ(filled.status, SHREDDER_INVALID_ARGUMENT);
    EXPECT_NE(filled.error.find(path + " can't be read past the page cache, its file system refuses"),
              std::string::npos)
        << filled.error;
}

TEST_F(FileReaderTest, anUnreadableFileIsNamed) {
    std::string path = write("secret", Bytes(10, 1));
    ASSERT_EQ(chmod(path.c_str(), 0), 0);
    if (access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user reads everything";
    Filled filled = chunkPath(path);
    EXPECT_NE(filled.error.find("may not be read by this user"), std::string::npos) << filled.error;
}

}  // namespace
}  // namespace shredder::test
