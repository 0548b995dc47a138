// SPDX-License-Identifier: Apache-2.0
//
// Codes shards of host memory on a GPU. A call goes tile by tile, a tile being the same range of bytes of
// every shard, through a few slots, each with device memory and a stream of its own:
//
//   inputs to the device    tile n                     the copy engine to the device
//   product                 tile n - 1
//   outputs to the host     tile n - 2                 the copy engine to the host
//
// The host waits, asleep, before it enqueues a tile's next step, for the reason at the top of cuda_device.cu:
// a copy engine that has to wait for a kernel, or a kernel that waits for it, loses more time than the host.
#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "cuda/coding_kernels.h"
#include "cuda/cuda_coder.h"
#include "cuda/cuda_resources.h"

namespace shredder {
namespace {

using coding::Matrix;

constexpr std::size_t kSlots = 4;
constexpr std::size_t kSlotBytes = 32 << 20;
/// A shard's part of a slot begins at a multiple of this.
constexpr std::size_t kTileBytes = 4096;
/// Tiles of a call at least, if they are no smaller than kLeastTile: so that copies overlap.
constexpr std::size_t kTiles = 8;
constexpr std::size_t kLeastTile = 256 << 10;

/// One call, as a device sees it.
struct CodingCall {
    const Matrix& rows;
    const std::uint8_t* const* inputs;
    std::uint8_t* const* outputs;
    std::size_t from;
    std::size_t bytes;

    std::size_t shards() const { return rows.rows() + rows.columns(); }
    /// Bytes of a shard that go together.
    std::size_t tileBytes() const {
        std::size_t most = kSlotBytes / shards() / kTileBytes * kTileBytes;
        std::size_t wanted = std::max(bytes / kTiles, kLeastTile) / kTileBytes * kTileBytes;
        return std::min(most, wanted);
    }
};

/// Where one tile is at a time.
class Slot {
  public:
    cudaStream_t stream() const { return stream_.view(); }
    void wait() const { reached_.synchronize(); }

    void copyInputs(const CodingCall& call, std::size_t tile) {
        place(call, tile);
        const void* from[coding::kMostShards];
        void* to[coding::kMostShards];
        for (std::size_t i = 0; i < call.rows.columns(); i++) {
            from[i] = call.inputs[i] + from_;
            to[i] = shards_.at[i];
        }
        copy(to, from, call.rows.columns());
    }

    /// Of whole words: what lies behind the inputs' last bytes is never copied back.
    void multiply(const CodingCall& call, const ProductTables* tables) {
        enqueueProduct(tables, call.rows.rows(), call.rows.columns(), shards_, (bytes_ + 15) / 16 * 16,
                       stream_.view());
        reached_.record(stream_.view());
    }

    void copyOutputs(const CodingCall& call) {
        const void* from[coding::kMostShards];
        void* to[coding::kMostShards];
        for (std::size_t i = 0; i < call.rows.rows(); i++) {
            from[i] = shards_.at[call.rows.columns() + i];
            to[i] = call.outputs[i] + from_;
        }
        copy(to, from, call.rows.rows());
    }

    /// Whatever happened: nothing touches the call's memory any more.
    void abandon() const noexcept {
        cudaStreamSynchronize(stream_.view());
        cudaGetLastError();
    }

  private:
    /// One copy of each shard, all at once: one by one, copies of 128 KiB took an H200 three times as long.
    void copy(void* const* to, const void* const* from, std::size_t shards) {
        std::size_t sizes[coding::kMostShards];
        std::fill_n(sizes, shards, bytes_);
        cudaMemcpyAttributes attributes{};
        attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        std::size_t first = 0;
        checkCuda(cudaMemcpyBatchAsync(to, from, sizes, shards, &attributes, &first, 1, stream_.view()),
                  "copy of shards");
        reached_.record(stream_.view());
    }

    void place(const CodingCall& call, std::size_t tile) {
        std::size_t stride = call.tileBytes();
        from_ = call.from + tile * stride;
        bytes_ = std::min(stride, call.bytes - tile * stride);
        for (std::size_t i = 0; i < call.shards(); i++) {
            shards_.at[i] = memory_.get() + i * stride;
        }
    }

    CudaStream stream_;
    CudaEvent reached_;  ///< what was enqueued last
    DeviceMemory<std::uint8_t> memory_{kSlotBytes};
    ShardPointers shards_{};
    std::size_t from_ = 0;
    std::size_t bytes_ = 0;
};

/// What one call at a time needs.
class CodingWorkspace {
  public:
    void run(const CodingCall& call) {
        copyTables(productTables(call.rows), tables_.get(), slots_[0].stream());
        std::size_t tile = call.tileBytes();
        std::size_t tiles = (call.bytes + tile - 1) / tile;
        for (std::size_t step = 0; step < tiles + 2; step++) {
            if (step < tiles) {
                slot(step).wait();
                slot(step).copyInputs(call, step);
            }
            if (step >= 1 && step - 1 < tiles) {
                slot(step - 1).wait();
                slot(step - 1).multiply(call, tables_.get());
            }
            if (step >= 2) {
                slot(step - 2).wait();
                slot(step - 2).copyOutputs(call);
            }
        }
        for (const Slot& each : slots_) {
            each.wait();
        }
    }

    void abandon() const noexcept {
        for (const Slot& each : slots_) {
            each.abandon();
        }
    }

  private:
    static constexpr std::size_t kMostTables = coding::kMostShards * coding::kMostShards / 4;

    Slot& slot(std::size_t tile) { return slots_[tile % kSlots]; }

    // The last group of rows may have up to seven that are not there, for each of at most kMostShards inputs.
    DeviceMemory<ProductTables> tables_{kMostTables + 8 * coding::kMostShards};
    std::array<Slot, kSlots> slots_;
};

class CudaCodingDevice final : public coding::CodingDevice {
  public:
    explicit CudaCodingDevice(int ordinal) : ordinal_(ordinal) {}
    CudaCodingDevice(const CudaCodingDevice&) = delete;
    CudaCodingDevice& operator=(const CudaCodingDevice&) = delete;
    ~CudaCodingDevice() override { logCuda(cudaSetDevice(ordinal_), "cudaSetDevice"); }

    std::string name() const override { return "cuda:" + std::to_string(ordinal_); }

    void apply(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
               std::size_t from, std::size_t bytes) override {
        if (bytes == 0) return;
        checkCuda(cudaSetDevice(ordinal_), "cudaSetDevice");
        std::unique_ptr<CodingWorkspace> workspace = take();
        try {
            workspace->run({rows, inputs, outputs, from, bytes});
        } catch (...) {
            workspace->abandon();
            throw;
        }
        giveBack(std::move(workspace));
    }

  private:
    std::unique_ptr<CodingWorkspace> take() {
        {
            std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<CodingWorkspace> workspace = std::move(idle_.back());
                idle_.pop_back();
                return workspace;
            }
        }
        return std::make_unique<CodingWorkspace>();
    }

    void giveBack(std::unique_ptr<CodingWorkspace> workspace) {
        std::lock_guard lock(mutex_);
        idle_.push_back(std::move(workspace));
    }

    int ordinal_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<CodingWorkspace>> idle_;  ///< those that no call uses
};

}  // namespace

std::unique_ptr<coding::CodingDevice> openCudaCodingDevice(int ordinal) {
    return std::make_unique<CudaCodingDevice>(ordinal);
}

}  // namespace shredder
