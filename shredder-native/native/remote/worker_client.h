// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "pipeline/named_threads.h"
#include "remote/connection.h"
#include "remote/worker.h"

namespace shredder::remote {

/// One client of a worker. A thread takes its frames and starts what they ask for, a second waits for what
/// the devices find, and a third sends it, in the order of what was asked: so no device's place waits for a
/// client that doesn't take its answers. What a client may not say ends its connection, with the reason, and
/// nothing else.
class WorkerClient {
  public:
    WorkerClient(Worker& worker, int socket);
    WorkerClient(const WorkerClient&) = delete;
    WorkerClient& operator=(const WorkerClient&) = delete;
    ~WorkerClient();

    bool hasEnded() const { return ended_ == kThreads; }
    /// If there is something that the client waits for, nothing is being sent, and the devices where it waits
    /// do something: one that hangs is to be noticed.
    void sendNews();
    /// Ends the connection, so that no thread waits for the client any more. why: for the client; empty where
    /// there is nobody to tell.
    void end(const char* why) noexcept;

  private:
    static constexpr int kThreads = 3;

    /// The client's buffer that lies here.
    struct Slot {
        std::uint64_t sequence = 0;
        std::shared_ptr<const StreamPlan> plan;
        std::unique_ptr<HostMemory> memory;  // 48 bytes before it and the payload, then the records
        BufferGeometry geometry{};           // of the memory
        WorkerDevice* device = nullptr;
        std::unique_ptr<Workspace> workspace;  // of the device
        Job job;
        int steps = 0;  // that have not been answered
    };
    /// What a device does, and who waits for it.
    struct Step {
        Slot* slot;
        bool digests;
        std::uint64_t bytes;
        bool found;             // by the device
        Candidates candidates;  // in the slot's workspace
    };
    template <typename Loop>
    void startThread(const char* name, Loop loop);
    void receiveLoop();
    void findLoop();
    void answerLoop();
    void startNoMore() noexcept;
    template <typename Body>
    void attempt(Body body) noexcept;
    void greet();
    bool take();
    void awaitIdle(Slot& slot);
    void scan(const FrameHeader& header);
    void digest(const FrameHeader& header);
    void prepare(Slot& slot, const ScanBody& body, std::uint64_t payloadBytes);
    void takeDevice(Slot& slot, const BufferGeometry& wanted);
    void dropWorkspace(Slot& slot) noexcept;
    std::shared_ptr<const StreamPlan> planOf(const ScanBody& body);
    void start(Slot& slot, bool digests, std::uint64_t bytes);
    void enter(const Step& step);
    Step* nextToFind();
    Step* nextToAnswer();
    void find(Step& step);
    void answer(const Step& step);
    void leave(const Step& step) noexcept;
    bool waitsForWhatMoves();
    FrameHeader headerOf(FrameType type, const Slot& slot) const;
    void sendDigests(const Slot& slot);
    void sendCandidates(const Slot& slot, const Candidates& candidates);
    Slot& slotOf(const FrameHeader& header);

    Worker& worker_;
    Connection connection_;
    FairShare share_;
    std::array<Slot, kMostSlots> slots_;
    using PlanKey =
        std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>;
    std::map<PlanKey, std::shared_ptr<const StreamPlan>> plans_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Step> steps_;      // that have not been answered
    std::size_t triedSteps_ = 0;  // the first ones of them: found, or lost with their device
    bool startsMore_ = true;
    bool closed_ = false;
    std::map<WorkerDevice*, std::size_t> waitsAt_;  // steps that wait there, or are worked on
    std::atomic<std::uint64_t> waitingBytes_{0};
    std::atomic<int> ended_{0};
    NamedThreads threads_;
};

}  // namespace shredder::remote
