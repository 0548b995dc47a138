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

/// One client of a worker. A thread takes its frames and starts what they ask for, another sends the answers,
/// in the order of what was asked. What a client may not say ends its connection, with the reason, and
/// nothing else.
class WorkerClient {
  public:
    WorkerClient(Worker& worker, int socket);
    WorkerClient(const WorkerClient&) = delete;
    WorkerClient& operator=(const WorkerClient&) = delete;
    ~WorkerClient();

    bool hasEnded() const { return ended_ == kThreads; }
    /// If there is something that the client waits for, and nothing is being sent.
    void sendNews();

  private:
    static constexpr int kThreads = 2;

    /// The client's buffer that lies here.
    struct Slot {
        std::uint64_t sequence = 0;
        std::shared_ptr<const StreamPlan> plan;
        std::unique_ptr<HostMemory> memory;  // 48 bytes before it and the payload, then the records
        BufferGeometry geometry{};           // of the memory
        WorkerDevice* device = nullptr;
        std::map<WorkerDevice*, std::unique_ptr<Workspace>> workspaces;
        Job job;
        int steps = 0;  // that have not been answered
    };
    /// What a device does, and who waits for it.
    struct Step {
        Slot* slot;
        bool digests;
        std::uint64_t bytes;
    };

    void receiveLoop();
    void receiveNoMore() noexcept;
    void answerLoop();
    template <typename Body>
    void attempt(Body body) noexcept;
    void greet();
    bool take();
    void awaitIdle(Slot& slot);
    void scan(const FrameHeader& header);
    void digest(const FrameHeader& header);
    void prepare(Slot& slot, const ScanBody& body, std::uint64_t payloadBytes);
    std::shared_ptr<const StreamPlan> planOf(const ScanBody& body);
    void start(Slot& slot, bool digests, std::uint64_t bytes);
    bool next(Step& step);
    void answer(const Step& step);
    void leave(const Step& step);
    FrameHeader headerOf(FrameType type, const Slot& slot) const;
    void sendDigests(const Slot& slot);
    void sendCandidates(const Slot& slot, const Candidates& candidates);
    void end(const char* why) noexcept;
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
    std::deque<Step> steps_;
    bool closed_ = false;
    bool receives_ = true;                 // and so may start more
    std::atomic<std::size_t> waiting_{0};  // steps that have not been answered
    std::atomic<std::uint64_t> waitingBytes_{0};
    std::atomic<int> ended_{0};
    NamedThreads threads_;
};

}  // namespace shredder::remote
