// SPDX-License-Identifier: Apache-2.0
#include "cpu/cpu_device.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

#include "cpu/worker_pool.h"

namespace shredder {
namespace {

/// One piece of a parallel scan; a multiple of 64, so that pieces share no bitmap word.
constexpr std::size_t kScanPieceBytes = 512ULL << 10;
/// Chunks of one piece of parallel digesting hold at least this many bytes together, and at least a thread's
/// share: the more messages, the fuller the lanes.
constexpr std::size_t kDigestPieceBytes = 256ULL << 10;

struct AlignedDelete {
    static constexpr std::align_val_t kAlignment{4096};
    void operator()(std::uint8_t* memory) const { ::operator delete[](memory, kAlignment); }
};

class CpuSlot final : public Slot {
  public:
    explicit CpuSlot(const SlotGeometry& geometry)
        : Slot(geometry),
          memory_(new (AlignedDelete::kAlignment) std::uint8_t[geometry.carryBytes + geometry.payloadBytes]),
          bitmap_((geometry.payloadBytes + 63) / 64) {}

    std::uint8_t* payload() override { return memory_.get() + geometry().carryBytes; }
    shredder_record* records() override { return records_.data(); }

    std::vector<std::uint64_t>& bitmap() { return bitmap_; }
    std::vector<shredder_record>& recordList() { return records_; }

  private:
    std::unique_ptr<std::uint8_t[], AlignedDelete> memory_;
    std::vector<std::uint64_t> bitmap_;
    std::vector<shredder_record> records_;
};

class CpuDevice final : public Device {
  public:
    CpuDevice(const CpuForm& form, unsigned threads) : form_(form), threads_(threads), workers_(threads) {}

    std::unique_ptr<Slot> createSlot(const SlotGeometry& geometry) override {
        return std::make_unique<CpuSlot>(geometry);
    }
    std::unique_ptr<Lane> createLane(const StreamPlan& plan) override;
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, std::uint8_t* digests) override {
        std::vector<DigestMessage> messages(count);
        for (std::size_t i = 0; i < count; i++) {
            messages[i] = {data + offsets[i], lengths[i], digests + kDigestBytes * i};
        }
        digest(messages);
    }
    std::uint64_t bytesScanned() const override { return bytesScanned_; }

    void scan(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
        std::size_t pieces = (size + kScanPieceBytes - 1) / kScanPieceBytes;
        workers_.forEach(pieces, [&](std::size_t i) {
            std::size_t begin = i * kScanPieceBytes;
            form_.scan(spec, data + begin, std::min(kScanPieceBytes, size - begin), bitmap + begin / 64);
        });
        bytesScanned_ += size;
    }

    /// data holds the chunks back to back.
    void digest(const std::uint8_t* data, std::vector<shredder_record>& records) {
        std::vector<DigestMessage> messages(records.size());
        for (std::size_t i = 0; i < records.size(); i++) {
            messages[i] = {data + (records[i].offset - records[0].offset), records[i].length,
                           records[i].digest};
        }
        digest(messages);
    }

  private:
    void digest(const std::vector<DigestMessage>& messages) {
        std::vector<std::size_t> begins = splitByBytes(messages);
        workers_.forEach(begins.size() - 1, [&](std::size_t piece) {
            form_.digest(&messages[begins[piece]], begins[piece + 1] - begins[piece]);
        });
    }

    /// Where each piece begins, and the end.
    std::vector<std::size_t> splitByBytes(const std::vector<DigestMessage>& messages) const {
        std::size_t total =
            std::accumulate(messages.begin(), messages.end(), std::size_t{0},
                            [](std::size_t sum, const DigestMessage& message) { return sum + message.size; });
        std::size_t pieceBytes = std::max(kDigestPieceBytes, total / threads_ + 1);
        std::vector<std::size_t> begins{0};
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < messages.size(); i++) {
            bytes += messages[i].size;
            if (bytes >= pieceBytes || i + 1 == messages.size()) {
                begins.push_back(i + 1);
                bytes = 0;
            }
        }
        return begins;
    }

    CpuForm form_;
    unsigned threads_;
    WorkerPool workers_;
    std::atomic<std::uint64_t> bytesScanned_{0};
};

/// All work is done in kernel; nothing has to be moved to the device or back.
class CpuLane final : public Lane {
  public:
    CpuLane(CpuDevice& device, const StreamPlan& plan) : device_(device), plan_(plan) {
        tail_.reserve(plan.rules.maxBytes);
    }

    void transfer(Job&) override {}

    void kernel(Job& job) override {
        auto& slot = static_cast<CpuSlot&>(*job.slot);
        device_.scan(plan_.scan, slot.payload(), job.payloadBytes, slot.bitmap().data());
        std::memcpy(slot.payload() - tail_.size(), tail_.data(), tail_.size());
        selectCuts(job, slot);
        if (plan_.computeDigests && job.recordCount > 0) {
            const std::uint8_t* data = slot.payload() - (job.streamOffset - slot.recordList()[0].offset);
            device_.digest(data, slot.recordList());
        }
        keepTail(job, slot);
    }

    void store(Job&) override {}
    void abandon(Job&) noexcept override {}

  private:
    void selectCuts(Job& job, CpuSlot& slot) {
        std::vector<shredder_record>& records = slot.recordList();
        records.clear();
        auto emit = [&](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
            records.push_back({offset, length, segmentEnd ? SHREDDER_RECORD_SEGMENT_END : 0, {}});
        };
        CutSelector selector(plan_.rules, cuts_, job.streamOffset + job.payloadBytes, job.last, emit);
        selector.start(job.streamOffset);
        for (std::size_t word = 0; word < (job.payloadBytes + 63) / 64; word++) {
            for (std::uint64_t bits = slot.bitmap()[word]; bits != 0; bits &= bits - 1) {
                std::size_t end = word * 64 + static_cast<std::size_t>(std::countr_zero(bits)) + 1;
                selector.candidate(job.streamOffset + end, [&] { return isStrong(slot.payload() + end); });
            }
        }
        selector.finish();
        cuts_ = selector.state();
        job.recordCount = records.size();
    }

    bool isStrong(const std::uint8_t* end) const {
        return (windowFingerprint(plan_.scan.tables, end) & plan_.scan.segmentMask) ==
               plan_.scan.segmentMarker;
    }

    /// The bytes after the last cut; the next buffer's first chunk begins with them.
    void keepTail(const Job& job, CpuSlot& slot) {
        const std::uint8_t* end = slot.payload() + job.payloadBytes;
        tail_.assign(end - (job.streamOffset + job.payloadBytes - cuts_.lastCut), end);
    }

    CpuDevice& device_;
    StreamPlan plan_;
    CutState cuts_;
    std::vector<std::uint8_t> tail_;
};

std::unique_ptr<Lane> CpuDevice::createLane(const StreamPlan& plan) {
    return std::make_unique<CpuLane>(*this, plan);
}

}  // namespace

std::unique_ptr<Device> openCpuDevice(const CpuForm& form, unsigned threads) {
    return std::make_unique<CpuDevice>(form, threads);
}

}  // namespace shredder
