// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "shredder.h"

namespace shredder::test {

using Bytes = std::vector<std::uint8_t>;

/// One chunk as a value, to compare and to print.
struct ChunkValue {
    std::uint64_t offset;
    std::uint32_t length;
    bool segmentEnd;
    std::string digestHex;

    bool operator==(const ChunkValue&) const = default;
};
std::ostream& operator<<(std::ostream& out, const ChunkValue& chunk);

std::string hexOf(const std::uint8_t* bytes, std::size_t count);
Bytes bytesOfHex(const std::string& hex);

/// Throws std::runtime_error with the engine's text unless OK.
void check(shredder_status status);

struct EngineDelete {
    void operator()(shredder_engine* engine) const { check(shredder_engine_close(engine)); }
};
using EnginePtr = std::unique_ptr<shredder_engine, EngineDelete>;
struct StreamDelete {
    void operator()(shredder_stream* stream) const { shredder_stream_close(stream); }
};
using StreamPtr = std::unique_ptr<shredder_stream, StreamDelete>;

EnginePtr openEngine(shredder_backend backend, std::uint64_t bufferBytes = 0, std::uint32_t depth = 0,
                     std::uint32_t cpuThreads = 2);
EnginePtr openEngine(const shredder_engine_options& options);
shredder_engine_info infoOf(const EnginePtr& engine);
StreamPtr openStream(shredder_engine* engine, const shredder_params& params);

/// Parameters with average 2^maskBits, min a quarter and max four times of it, no segments.
shredder_params paramsOfAverage(std::uint32_t maskBits);

/// Sends data through the stream in pieces of these sizes (the last repeats), and collects the chunks; checks
/// that each batch's bytes are the data's.
std::vector<ChunkValue> runStream(shredder_stream* stream, const Bytes& data,
                                  const std::vector<std::size_t>& pieceSizes);
/// In pieces as large as the ring's buffers.
std::vector<ChunkValue> chunk(shredder_engine* engine, const shredder_params& params, const Bytes& data);

/// The definition, byte by byte, with none of the engine's code for scanning and selection.
std::vector<ChunkValue> referenceChunks(const shredder_params& params, const Bytes& data);

/// Positions after the marked bytes of a bitmap's first `bytes` bytes, as a listing scan gives them.
std::vector<std::uint32_t> listOfBits(const std::vector<std::uint64_t>& bitmap, std::size_t bytes);

/// The standard splitmix64 stream, little-endian.
Bytes splitmix64(std::uint64_t seed, std::size_t size);

/// A file of testvectors/, of this tree or of the folder that SHREDDER_TEST_VECTORS names.
std::ifstream vectorFile(const std::string& name);

/// CPU and, where there is one, CUDA backends of this machine.
std::vector<shredder_backend> availableBackends();
std::string nameOf(shredder_backend backend);

/// Sets a variable of the environment for its lifetime.
class EnvironmentVariable {
  public:
    EnvironmentVariable(const char* name, const std::string& value);
    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
    ~EnvironmentVariable();

  private:
    const char* name_;
    std::optional<std::string> old_;
};

/// An empty folder for its lifetime.
class TemporaryFolder {
  public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// A fresh seed for a random test, printed so that a failure can be repeated; SHREDDER_TEST_SEED overrides.
std::uint64_t randomSeed();

/// Random irreducible polynomial, masks, limits, with and without segments.
shredder_params randomParams(std::mt19937_64& random);

}  // namespace shredder::test
