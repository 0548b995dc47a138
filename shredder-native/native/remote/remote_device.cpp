// SPDX-License-Identifier: Apache-2.0
//
// Frames go out by the threads of the pipeline, each as a whole; one thread of the device's own takes what
// comes, and wakes whoever waits for it. A job's place at the worker is a slot, one for each workspace; an
// answer about a slot's earlier buffer, whose job was abandoned, is left out.
#include "remote/remote_device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>

#include "cpu/cpu_kernels.h"
#include "pipeline/carried_bytes.h"
#include "pipeline/error.h"
#include "pipeline/named_threads.h"
#include "pipeline/pipeline.h"
#include "pipeline/plain_memory.h"
#include "remote/connection.h"
#include "remote/remote_answers.h"
#include "remote/spot_check.h"

namespace shredder {
namespace {

using namespace remote;
using Milliseconds = std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr Milliseconds kReasonComes{200};

class RemoteDevice;

class RemoteWorkspace final : public Workspace {
  public:
    RemoteWorkspace(const BufferGeometry& geometry, RemoteDevice& device, std::uint32_t slot)
        : Workspace(geometry), device_(device), slot_(slot) {}
    RemoteWorkspace(const RemoteWorkspace&) = delete;
    RemoteWorkspace& operator=(const RemoteWorkspace&) = delete;
    ~RemoteWorkspace() override;

    MemoryUse memory() const override { return {}; }  // what comes back is little
    std::uint32_t slot() const { return slot_; }

    std::vector<DigestPiece> pieces;

  private:
    RemoteDevice& device_;
    std::uint32_t slot_;
};

RemoteWorkspace& remoteOf(Workspace& workspace) {
    return static_cast<RemoteWorkspace&>(workspace);
}

class RemoteDevice final : public Device {
  public:
    RemoteDevice(const std::string& path, std::uint32_t weight, Milliseconds patience)
        : path_(path), patience_(patience), connection_(connectTo(path), patience) {
        greet(weight);
        threads_.start("shredder-worker", [this] { receiveLoop(); });
    }

    RemoteDevice(const RemoteDevice&) = delete;
    RemoteDevice& operator=(const RemoteDevice&) = delete;
    ~RemoteDevice() override {
        connection_.shutDown();
        threads_.join();
    }

    std::string name() const override { return "worker:" + path_ + " (" + worker_ + ")"; }

    std::uint64_t bytesOfOthers() const override { return bytesOfOthers_; }

    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool) override {
        return std::make_unique<PlainMemory>(bytes);
    }

    std::unique_ptr<Workspace> createWorkspace(const BufferGeometry& geometry) override {
        if (geometry.payloadBytes > mostPayloadBytes_ || geometry.maxRecords > kMostRecords) {
            throw Error(SHREDDER_DEVICE_ERROR, "it takes buffers of at most " +
                                                   std::to_string(mostPayloadBytes_) + " bytes, not " +
                                                   std::to_string(geometry.payloadBytes));
        }
        std::lock_guard lock(mutex_);
        for (std::uint32_t i = 0; i < slotCount_; i++) {
            if (slots_[i].taken) continue;
            auto made = std::make_unique<RemoteWorkspace>(geometry, *this, i);
            slots_[i].taken = true;
            return made;
        }
        throw Error(SHREDDER_DEVICE_ERROR,
                    "it takes at most " + std::to_string(slotCount_) + " buffers at once");
    }

    void giveBack(std::uint32_t slot) noexcept {
        std::lock_guard lock(mutex_);
        forget(slots_[slot]);
        slots_[slot].taken = false;
    }

    void scan(const Job& job, Workspace& workspace) override {
        std::uint32_t slot = remoteOf(workspace).slot();
        FrameHeader header{.type = FrameType::Scan, .slot = slot, .sequence = begin(slot, job.payloadBytes)};
        bytesScanned_ += job.payloadBytes;
        if (job.payloadBytes == 0) return;
        const ScanSpec& spec = job.plan->scan;
        ScanBody body{.polynomial = spec.polynomial,
                      .marker = spec.segmentMask != 0 ? spec.segmentMarker : spec.marker,
                      .maskBits = static_cast<std::uint32_t>(std::popcount(spec.mask)),
                      .segmentMaskBits = static_cast<std::uint32_t>(std::popcount(spec.segmentMask)),
                      .digestAlgorithm = static_cast<std::uint32_t>(job.plan->digestAlgorithm),
                      .payloadRoom = workspace.geometry().payloadBytes,
                      .maxRecords = workspace.geometry().maxRecords};
        std::memcpy(body.before, job.payload - kWindowBytes, kWindowBytes);
        send(header, {{&body, sizeof body}, {job.payload, job.payloadBytes}});
    }

    Candidates candidates(const Job& job, Workspace& workspace) override {
        RemoteSlot& slot = slots_[remoteOf(workspace).slot()];
        await([&slot] { return !slot.awaitsCandidates; });
        Candidates found = slot.candidates.view();
        if (!checkScan(job, found, slot.sequence))
            fail("its candidates are wrong, as a computation here shows");
        return found;
    }

    void digest(const Job& job, Workspace& workspace) override {
        std::vector<DigestPiece>& pieces = remoteOf(workspace).pieces;
        pieces.clear();
        for (std::size_t i = job.firstInPayload(); i < job.recordCount; i++) {
            pieces.push_back({static_cast<std::uint32_t>(job.chunk(i) - job.payload), job.records[i].length});
        }
        if (pieces.empty()) return;
        std::uint32_t slot = remoteOf(workspace).slot();
        FrameHeader header{
            .type = FrameType::Digest, .slot = slot, .sequence = beginDigests(slot, pieces.size())};
        send(header, {{pieces.data(), pieces.size() * sizeof(DigestPiece)}});
    }

    /// Carried bytes are here, and are digested here.
    void finish(Job& job, Workspace& workspace) override {
        digestCarried(job, bestCpuKernels().running);
        if (remoteOf(workspace).pieces.empty()) return;
        RemoteSlot& slot = slots_[remoteOf(workspace).slot()];
        await([&slot] { return slot.awaitedDigests == 0; });
        const std::uint8_t* digest = slot.digests.data();
        for (std::size_t i = job.firstInPayload(); i < job.recordCount; i++, digest += kDigestBytes) {
            std::memcpy(job.records[i].digest, digest, kDigestBytes);
        }
        if (!checkDigest(job, slot.sequence)) fail("a digest is wrong, as a computation here shows");
    }

    /// The job's memory was read while its frames were sent, and nothing writes there but finish.
    void abandon(Workspace& workspace) noexcept override {
        std::lock_guard lock(mutex_);
        forget(slots_[remoteOf(workspace).slot()]);
        remoteOf(workspace).pieces.clear();
    }

    /// Here: to send the bytes and to read them once more costs more than it saves.
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) override {
        std::vector<DigestMessage> messages;
        for (std::size_t i = 0; i < count; i++) {
            messages.push_back({data + offsets[i], lengths[i], digests + kDigestBytes * i});
        }
        const CpuKernels& kernels = bestCpuKernels();
        (algorithm == DigestAlgorithm::Blake3 ? kernels.blake3 : kernels.sha256)(messages.data(), count);
    }

    std::uint64_t bytesScanned() const override { return bytesScanned_; }

  private:
    void greet(std::uint32_t weight) {
        HelloBody hello{.magic = kMagic, .version = kVersion, .weight = weight};
        FrameHeader header{.type = FrameType::Hello};
        try {
            sendHello(header, hello);
            if (!connection_.receiveHeader(header)) lost("it has closed the connection");
            if (header.type == FrameType::Refused) lost("it says: " + receiveText(connection_, header));
            if (header.type != FrameType::Welcome || header.bodyBytes != sizeof(WelcomeBody)) {
                refuseAnswer(header, "no welcome");
            }
            takeWelcome(header, connection_.receiveBody<WelcomeBody>());
        } catch (const Error& error) {
            throw Error(SHREDDER_UNAVAILABLE, "worker '" + path_ + "': " + error.what());
        }
    }

    /// One that takes no more clients may have closed the connection; why is to be received all the same.
    void sendHello(const FrameHeader& header, const HelloBody& hello) {
        try {
            connection_.send(header, {{&hello, sizeof hello}});
        } catch (const Error&) {
            if (!connection_.awaitReadable(Milliseconds(0))) throw;
        }
    }

    [[noreturn]] static void lost(const std::string& why) { throw Error(SHREDDER_DEVICE_LOST, why); }

    void takeWelcome(const FrameHeader& header, const WelcomeBody& welcome) {
        if (welcome.magic != kMagic || welcome.version != kVersion) {
            refuseAnswer(header, "no worker of version " + std::to_string(kVersion));
        }
        if (welcome.slots == 0 || welcome.slots > kMostSlots || welcome.name[kNameBytes - 1] != 0) {
            refuseAnswer(header, std::to_string(welcome.slots) + " slots");
        }
        slotCount_ = welcome.slots;
        mostPayloadBytes_ = welcome.mostPayloadBytes;
        worker_ = readable(welcome.name);
    }

    std::uint64_t begin(std::uint32_t number, std::uint64_t payloadBytes) {
        std::lock_guard lock(mutex_);
        RemoteSlot& slot = slots_[number];
        forget(slot);
        slot.candidates = {};
        slot.payloadBytes = payloadBytes;
        slot.sequence++;
        if (payloadBytes > 0) awaitAnswerLocked(slot.awaitsCandidates, true);
        return slot.sequence;
    }

    std::uint64_t beginDigests(std::uint32_t number, std::size_t count) {
        std::lock_guard lock(mutex_);
        awaitAnswerLocked(slots_[number].awaitedDigests, count);
        return slots_[number].sequence;
    }

    template <typename Awaited>
    void awaitAnswerLocked(Awaited& awaited, Awaited value) {
        awaited = value;
        if (awaitedAnswers_++ == 0) heardAt_ = Clock::now();
    }

    void forget(RemoteSlot& slot) noexcept {
        awaitedAnswers_ -= (slot.awaitsCandidates ? 1 : 0) + (slot.awaitedDigests > 0 ? 1 : 0);
        slot.awaitsCandidates = false;
        slot.awaitedDigests = 0;
    }

    /// While anything goes out, nothing need come in; what may hold that up has a time of its own.
    void send(const FrameHeader& header, std::initializer_list<Part> body) {
        sending_++;
        try {
            connection_.send(header, body);
        } catch (...) {
            Error error = Error::current();
            awaitReason();
            sending_--;
            throw setFailure(asLoss(error));
        }
        std::lock_guard lock(mutex_);
        heardAt_ = Clock::now();
        sending_--;
    }

    /// A worker that ends the connection says why: that is received beside.
    void awaitReason() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kReasonComes, [this] { return failure_.has_value(); });
    }

    template <typename Condition>
    void await(Condition condition) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failure_.has_value() || condition(); });
        if (failure_) throw *failure_;
    }

    [[noreturn]] void fail(const std::string& why) { throw setFailure(Error(SHREDDER_DEVICE_LOST, why)); }

    /// The first one that was set.
    Error setFailure(const Error& error) {
        std::lock_guard lock(mutex_);
        if (!failure_) failure_ = error;
        changed_.notify_all();
        connection_.shutDown();
        return *failure_;
    }

    void receiveLoop() {
        try {
            while (receiveOne()) {
            }
            setFailure(Error(SHREDDER_DEVICE_LOST, "it has closed the connection"));
        } catch (...) {
            setFailure(asLoss(Error::current()));
        }
    }

    /// Half a frame has come or gone: whatever the reason is, this connection is of no more use.
    static Error asLoss(const Error& error) noexcept {
        if (isDeviceFailure(error)) return error;
        return {SHREDDER_DEVICE_LOST, "there was no memory for what is said to it or by it"};
    }

    /// Waits for a frame, and takes it; false once there are no more.
    bool receiveOne() {
        while (!connection_.awaitReadable(patience_ / 4)) {
            std::lock_guard lock(mutex_);
            if (sending_ == 0 && awaitedAnswers_ > 0 && Clock::now() - heardAt_ > patience_) {
                throw Error(SHREDDER_DEVICE_LOST, "it has said nothing for " +
                                                      std::to_string(patience_.count()) +
                                                      " ms, though it was waited for");
            }
        }
        FrameHeader header{};
        if (!connection_.receiveHeader(header)) return false;
        take(header);
        std::lock_guard lock(mutex_);
        heardAt_ = Clock::now();
        return true;
    }

    void take(const FrameHeader& header) {
        switch (header.type) {
            case FrameType::Candidates:
                return takeCandidates(header);
            case FrameType::Digests:
                return takeDigests(header);
            case FrameType::News:
                if (header.bodyBytes != sizeof(NewsBody)) refuseAnswer(header, "news of another length");
                bytesOfOthers_ = connection_.receiveBody<NewsBody>().bytesOfOthers;
                return;
            case FrameType::Refused:
                lost("it says: " + receiveText(connection_, header));
            default:
                refuseAnswer(header, "no frame that a worker sends");
        }
    }

    /// The slot that an answer is about; null if it is about an earlier buffer of it, which nobody wants any
    /// more.
    RemoteSlot* slotOf(const FrameHeader& header) {
        if (header.slot >= slotCount_ || header.sequence > slots_[header.slot].sequence ||
            header.sequence == 0) {
            refuseAnswer(header, "nothing was asked there");
        }
        return header.sequence == slots_[header.slot].sequence ? &slots_[header.slot] : nullptr;
    }

    void takeCandidates(const FrameHeader& header) {
        std::uint64_t payloadBytes = 0;
        {
            std::lock_guard lock(mutex_);
            RemoteSlot* slot = slotOf(header);
            payloadBytes = slot != nullptr && slot->awaitsCandidates ? slot->payloadBytes : 0;
        }
        if (payloadBytes == 0) return skip(header);
        CandidatesAnswer answer = receiveCandidates(connection_, header, payloadBytes);
        std::lock_guard lock(mutex_);
        RemoteSlot* slot = slotOf(header);
        if (slot == nullptr || !slot->awaitsCandidates) return;
        slot->candidates = std::move(answer);
        slot->awaitsCandidates = false;
        awaitedAnswers_--;
        changed_.notify_all();
    }

    void takeDigests(const FrameHeader& header) {
        std::size_t count = 0;
        {
            std::lock_guard lock(mutex_);
            RemoteSlot* slot = slotOf(header);
            count = slot != nullptr ? slot->awaitedDigests : 0;
        }
        if (count == 0) return skip(header);
        if (header.bodyBytes != count * kDigestBytes) {
            refuseAnswer(header, std::to_string(header.bodyBytes) + " bytes for " + std::to_string(count) +
                                     " digests");
        }
        std::vector<std::uint8_t> digests(header.bodyBytes);
        connection_.receive(digests.data(), digests.size());
        std::lock_guard lock(mutex_);
        RemoteSlot* slot = slotOf(header);
        if (slot == nullptr || slot->awaitedDigests != count) return;
        slot->digests = std::move(digests);
        slot->awaitedDigests = 0;
        awaitedAnswers_--;
        changed_.notify_all();
    }

    /// An answer about a job that was abandoned.
    void skip(const FrameHeader& header) {
        if (header.bodyBytes > sizeof(CandidatesBody) + 4 * mostPayloadBytes_)
            refuseAnswer(header, "too long");
        connection_.skip(header.bodyBytes);
    }

    std::string path_;
    std::string worker_;
    Milliseconds patience_;
    Connection connection_;
    std::uint32_t slotCount_ = 0;
    std::uint64_t mostPayloadBytes_ = 0;
    std::atomic<std::uint64_t> bytesScanned_{0};
    std::atomic<std::uint64_t> bytesOfOthers_{0};
    std::atomic<int> sending_{0};

    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<RemoteSlot, kMostSlots> slots_;
    std::size_t awaitedAnswers_ = 0;
    Clock::time_point heardAt_{};
    std::optional<Error> failure_;
    NamedThreads threads_;
};

RemoteWorkspace::~RemoteWorkspace() {
    device_.giveBack(slot_);
}

}  // namespace

std::unique_ptr<Device> openRemoteDevice(const std::string& path, std::uint32_t weight,
                                         Milliseconds patience) {
    return std::make_unique<RemoteDevice>(path, weight, patience);
}

}  // namespace shredder
