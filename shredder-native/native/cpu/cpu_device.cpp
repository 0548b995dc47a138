// SPDX-License-Identifier: Apache-2.0
//
// The CPU as a device. Scan and digest are cut into as many pieces as there are threads and handed to the
// workers; both return at once. So the workers digest one buffer while the store thread selects the cuts of
// the next, and scan the one after it, and run out of work only when the pipeline does.
#include "cpu/cpu_device.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "cpu/buffer_scan.h"
#include "cpu/worker_pool.h"
#include "pipeline/carried_bytes.h"
#include "pipeline/plain_memory.h"

namespace shredder {
namespace {

/// Chunks of one piece of digesting hold at least this many bytes together, and at least a thread's share:
/// the more messages, the fuller the lanes.
constexpr std::size_t kDigestPieceBytes = 256ULL << 10;

/// Messages and where each piece of them begins, and the end.
struct DigestWork {
    std::vector<DigestMessage> messages;
    std::vector<std::size_t> begins;
};

class CpuWorkspace final : public Workspace {
  public:
    CpuWorkspace(const BufferGeometry& geometry, unsigned threads)
        : Workspace(geometry), scan(geometry.payloadBytes, threads) {}

    MemoryUse memory() const override {
        return {.hostBytes = scan.bytes(), .pinnedBytes = 0, .deviceBytes = 0};
    }

    BufferScan scan;
    DigestWork digests;
    WorkerPool::Task task;  // the scan, then the digests
};

CpuWorkspace& own(Workspace& workspace) {
    return static_cast<CpuWorkspace&>(workspace);
}

class CpuDevice final : public Device {
  public:
    CpuDevice(const std::string& name, const CpuKernels& kernels, unsigned threads)
        : name_(name), kernels_(kernels), workers_(threads) {}

    std::string name() const override { return name_; }

    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool) override {
        return std::make_unique<PlainMemory>(bytes);
    }

    std::unique_ptr<Workspace> createWorkspace(const BufferGeometry& geometry) override {
        return std::make_unique<CpuWorkspace>(geometry, workers_.threads());
    }

    void scan(const Job& job, Workspace& workspace) override {
        BufferScan& scan = own(workspace).scan;
        std::size_t pieces = scan.begin(job.payload, job.payloadBytes);
        own(workspace).task = workers_.start(pieces, [this, &job, &scan](std::size_t piece) {
            scan.scan(kernels_.scan, job.plan->scan, piece);
        });
        bytesScanned_ += job.payloadBytes;
    }

    Candidates candidates(const Job&, Workspace& workspace) override {
        own(workspace).task.wait();
        return own(workspace).scan.candidates();
    }

    void digest(const Job& job, Workspace& workspace) override {
        DigestWork& work = own(workspace).digests;
        work.messages.clear();
        // A chunk that no job before has digested a part of fills a lane, as others do.
        bool wholeCarried = job.carriedEnds && !job.carriedBefore;
        if (wholeCarried) {
            work.messages.push_back({job.carried->data(), job.carriedBytes, job.records[0].digest});
        }
        for (std::size_t i = job.firstInPayload(); i < job.recordCount; i++) {
            shredder_record& record = job.records[i];
            work.messages.push_back({job.chunk(i), record.length, record.digest});
        }
        const Job* goesOn = job.carried != nullptr && !wholeCarried ? &job : nullptr;
        own(workspace).task = startDigests(work, job.plan->digestAlgorithm, goesOn);
    }

    void finish(Job&, Workspace& workspace) override { own(workspace).task.wait(); }

    void abandon(Workspace& workspace) noexcept override { own(workspace).task.waitForEnd(); }

    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) override {
        DigestWork work;
        for (std::size_t i = 0; i < count; i++) {
            work.messages.push_back({data + offsets[i], lengths[i], digests + kDigestBytes * i});
        }
        startDigests(work, algorithm, nullptr).wait();
    }

    std::uint64_t bytesScanned() const override { return bytesScanned_; }

  private:
    /// work must stay until the task is done; so must the job whose carried bytes are to be the first piece,
    /// if there is one.
    WorkerPool::Task startDigests(DigestWork& work, DigestAlgorithm algorithm, const Job* job) {
        splitByBytes(work);
        DigestMany digest = algorithm == DigestAlgorithm::Blake3 ? kernels_.blake3 : kernels_.sha256;
        std::size_t carriedPieces = job != nullptr ? 1 : 0;
        auto digestPiece = [this, digest, &work, job](std::size_t piece) {
            if (job != nullptr && piece-- == 0) {
                digestCarried(*job, kernels_.running);
                return;
            }
            std::size_t begin = work.begins[piece];
            digest(&work.messages[begin], work.begins[piece + 1] - begin);
        };
        return workers_.start(carriedPieces + work.begins.size() - 1, digestPiece);
    }

    void splitByBytes(DigestWork& work) const {
        const std::vector<DigestMessage>& messages = work.messages;
        std::size_t total =
            std::accumulate(messages.begin(), messages.end(), std::size_t{0},
                            [](std::size_t sum, const DigestMessage& message) { return sum + message.size; });
        std::size_t pieceBytes = std::max(kDigestPieceBytes, total / workers_.threads() + 1);
        work.begins.assign(1, 0);
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < messages.size(); i++) {
            bytes += messages[i].size;
            if (bytes >= pieceBytes || i + 1 == messages.size()) {
                work.begins.push_back(i + 1);
                bytes = 0;
            }
        }
    }

    std::string name_;
    CpuKernels kernels_;
    std::atomic<std::uint64_t> bytesScanned_{0};
    WorkerPool workers_;
};

}  // namespace

std::unique_ptr<Device> openCpuDevice(const std::string& name, const CpuKernels& kernels, unsigned threads) {
    return std::make_unique<CpuDevice>(name, kernels, threads);
}

}  // namespace shredder
