// SPDX-License-Identifier: Apache-2.0
//
// The limits that figures of the CUDA backend are held against, one line of JSON each:
//
//   shredder_transfer                 pinned memory to the devices and back, pieces of the default buffer:
//   the first
//                                     device alone, then 2, 4, ... and all of them at once
//   shredder_transfer --sizes         pieces of 4 KiB to 256 MiB, pinned and pageable, both ways (Shredder,
//   figure 3) shredder_transfer --allocation    what it costs to get memory: pinned, pageable, on the device,
//   and and pageable
//                                     memory copied into a ring that is there already (Shredder, figure 6);
//                                     all of it written once, since pages come with the first touch
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/cuda_resources.h"
#include "measure/clocks.h"
#include "measure/json_line.h"

namespace {

using shredder::checkCuda;
using shredder::CudaStream;
using shredder::DeviceMemory;
using shredder::PinnedMemory;
using shredder::tools::JsonLine;
using shredder::tools::median;
using shredder::tools::wallSeconds;

constexpr std::size_t kPieceBytes = 32ULL << 20;
constexpr std::size_t kPieces = 8;
constexpr std::size_t kLeastSize = 4ULL << 10;
constexpr std::size_t kMostSize = 256ULL << 20;
constexpr int kRounds = 5;

/// Median of the rounds' seconds, after one that doesn't count.
double secondsOf(const std::function<void()>& work) {
    work();
    std::vector<double> seconds;
    for (int round = 0; round < kRounds; round++) {
        double begin = wallSeconds();
        work();
        seconds.push_back(wallSeconds() - begin);
    }
    return median(seconds);
}

enum class Direction { kToDevice, kToHost };

const char* nameOf(Direction direction) {
    return direction == Direction::kToDevice ? "h2d" : "d2h";
}

/// One device's memory, as much pinned memory, and a stream each way.
class Link {
  public:
    Link(int device, std::size_t bytes) : device_(select(device)), host_(bytes), memory_(bytes) {
        std::memset(host_.get(), 1, bytes);
    }

    void start(Direction direction, std::uint8_t* host, std::size_t offset, std::size_t bytes) {
        select(device_);
        const CudaStream& stream = direction == Direction::kToDevice ? in_ : out_;
        std::uint8_t* memory = memory_.get() + offset;
        if (direction == Direction::kToDevice) {
            checkCuda(cudaMemcpyAsync(memory, host + offset, bytes, cudaMemcpyHostToDevice, stream.view()),
                      "cudaMemcpyAsync");
        } else {
            checkCuda(cudaMemcpyAsync(host + offset, memory, bytes, cudaMemcpyDeviceToHost, stream.view()),
                      "cudaMemcpyAsync");
        }
    }
    void wait() {
        select(device_);
        in_.synchronize();
        out_.synchronize();
    }
    std::uint8_t* pinned() { return host_.get(); }

  private:
    static int select(int device) {
        checkCuda(cudaSetDevice(device), "cudaSetDevice");
        return device;
    }

    int device_;
    PinnedMemory<std::uint8_t> host_;
    DeviceMemory<std::uint8_t> memory_;
    CudaStream in_;
    CudaStream out_;
};

/// Pages from the kernel each time, where malloc would hand out old ones.
class FreshPages {
  public:
    explicit FreshPages(std::size_t bytes)
        : bytes_(bytes),
          memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
    }
    FreshPages(const FreshPages&) = delete;
    FreshPages& operator=(const FreshPages&) = delete;
    ~FreshPages() { munmap(memory_, bytes_); }

    std::uint8_t* get() const { return static_cast<std::uint8_t*>(memory_); }

  private:
    std::size_t bytes_;
    void* memory_;
};

int deviceCount() {
    int count = 0;
    checkCuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    return count;
}

void printRate(const char* name, const char* memory, std::size_t devices, std::size_t pieceBytes,
               std::size_t bytes, double seconds) {
    JsonLine()
        .text("name", name)
        .text("memory", memory)
        .count("devices", devices)
        .count("pieceBytes", pieceBytes)
        .count("bytes", bytes)
        .number("seconds", seconds)
        .number("gbPerSecond", static_cast<double>(bytes) / seconds / 1e9)
        .print();
}

void measureLimit(std::vector<std::unique_ptr<Link>>& links, std::size_t devices) {
    constexpr std::size_t kRepeats = 16;
    auto move = [&](const std::vector<Direction>& directions) {
        double seconds = secondsOf([&] {
            for (std::size_t piece = 0; piece < kRepeats * kPieces; piece++) {
                for (std::size_t i = 0; i < devices; i++) {
                    for (Direction direction : directions) {
                        links[i]->start(direction, links[i]->pinned(), piece % kPieces * kPieceBytes,
                                        kPieceBytes);
                    }
                }
            }
            std::for_each_n(links.begin(), devices, [](auto& link) { link->wait(); });
        });
        printRate(directions.size() == 2 ? "both-ways" : nameOf(directions[0]), "pinned", devices,
                  kPieceBytes, kRepeats * kPieces * kPieceBytes * devices * directions.size(), seconds);
    };
    move({Direction::kToDevice});
    move({Direction::kToHost});
    move({Direction::kToDevice, Direction::kToHost});
}

void measureLimits() {
    int most = deviceCount();
    std::vector<std::unique_ptr<Link>> links;
    for (int device = 0; device < most; device++) {
        links.push_back(std::make_unique<Link>(device, kPieces * kPieceBytes));
    }
    for (int devices = 1; devices < most; devices *= 2) {
        measureLimit(links, static_cast<std::size_t>(devices));
    }
    measureLimit(links, static_cast<std::size_t>(most));
}

void measureSizes() {
    Link link(0, kMostSize);
    std::vector<std::uint8_t> pageable(kMostSize, 1);
    for (std::size_t size = kLeastSize; size <= kMostSize; size *= 4) {
        std::size_t bytes = std::clamp<std::size_t>(size * 256, size, 2 * kMostSize);
        for (const auto& [memory, host] :
             {std::pair{"pinned", link.pinned()}, std::pair{"pageable", pageable.data()}}) {
            for (Direction direction : {Direction::kToDevice, Direction::kToHost}) {
                double seconds = secondsOf([&, host = host] {
                    for (std::size_t at = 0; at < bytes; at += size) {
                        link.start(direction, host, at % kMostSize, size);
                    }
                    link.wait();
                });
                printRate(nameOf(direction), memory, 1, size, bytes, seconds);
            }
        }
    }
}

void measureAllocation() {
    PinnedMemory<std::uint8_t> ring(kMostSize);
    std::memset(ring.get(), 1, kMostSize);
    auto print = [](const char* memory, std::size_t bytes, double seconds) {
        JsonLine()
            .text("name", "allocate")
            .text("memory", memory)
            .count("bytes", bytes)
            .number("seconds", seconds)
            .print();
    };
    for (std::size_t size = 1ULL << 20; size <= kMostSize; size *= 4) {
        auto touch = [size](std::uint8_t* memory) { std::memset(memory, 1, size); };
        print("pinned", size, secondsOf([&] { touch(PinnedMemory<std::uint8_t>(size).get()); }));
        print("device", size, secondsOf([&] { DeviceMemory<std::uint8_t> memory(size); }));
        print("pageable", size, secondsOf([&] { touch(FreshPages(size).get()); }));
        print("pageable-copied-to-ring", size, secondsOf([&] {
                  FreshPages memory(size);
                  touch(memory.get());
                  std::memcpy(ring.get(), memory.get(), size);
              }));
        print("ring-reused", size, secondsOf([&] { touch(ring.get()); }));
    }
}

void run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        measureLimits();
    } else if (arguments[0] == "--sizes") {
        measureSizes();
    } else if (arguments[0] == "--allocation") {
        measureAllocation();
    } else {
        throw std::invalid_argument("unknown option " + arguments[0] + ": use --sizes, --allocation or none");
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run({argv + 1, argv + argc});
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_transfer: %s\n", error.what());
        return 2;
    }
}
