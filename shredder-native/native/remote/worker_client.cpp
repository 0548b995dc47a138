// SPDX-License-Identifier: Apache-2.0
#include "remote/worker_client.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "pipeline/error.h"
#include "pipeline/pipeline.h"
#include "pipeline/plain_memory.h"

namespace shredder::remote {
namespace {

/// More are no stream's: what is derived from them is forgotten.
constexpr std::size_t kMostPlans = 64;
/// No engine of this process gives a stream such a number.
constexpr std::uint64_t kFirstPlan = 1ULL << 62;
constexpr std::size_t kReadableAfter = 64;
/// Chunks that can end in a buffer beside one a byte, as engines reckon.
constexpr std::uint64_t kMoreRecords = 3;
/// A device at which no step ends for so long hangs.
constexpr std::chrono::seconds kMostStill{30};

std::uint64_t nextPlan() {
    static std::atomic<std::uint64_t> last{kFirstPlan};
    return ++last;
}

void refuse(bool bad, const std::string& why) {
    if (bad) throw Error(SHREDDER_INVALID_ARGUMENT, why);
}

shredder_params paramsOf(const ScanBody& body) {
    refuse(body.maskBits > 30, "mask bits " + std::to_string(body.maskBits));
    std::uint64_t average = 1ULL << body.maskBits;
    shredder_params params{};
    params.polynomial = body.polynomial;
    params.marker = body.marker;
    params.mask_bits = body.maskBits;
    params.min_bytes = 1;
    params.max_bytes = average;
    params.segment_mask_bits = body.segmentMaskBits;
    params.segment_min_bytes = body.segmentMaskBits != 0 ? 1 : 0;
    params.segment_max_bytes = body.segmentMaskBits != 0 ? (1ULL << 63) - 1 : 0;
    params.compute_digests = 1;
    params.digest_algorithm = body.digestAlgorithm;
    validate(params);
    return params;
}

}  // namespace

WorkerClient::WorkerClient(Worker& worker, int socket)
    : worker_(worker), connection_(socket, worker.options().patience) {
    try {
        startThread("shredder-answer", [this] { answerLoop(); });
        startThread("shredder-find", [this] { findLoop(); });
        startThread("shredder-client", [this] { receiveLoop(); });
    } catch (...) {
        startNoMore();
        threads_.join();
        throw;
    }
}

template <typename Loop>
void WorkerClient::startThread(const char* name, Loop loop) {
    threads_.start(name, [this, loop] {
        loop();
        ended_++;
    });
}

WorkerClient::~WorkerClient() {
    end("");
    threads_.join();
    for (Slot& slot : slots_) {
        dropWorkspace(slot);
    }
}

/// What is thrown ends the connection, with the reason for the client.
template <typename Body>
void WorkerClient::attempt(Body body) noexcept {
    try {
        body();
    } catch (...) {
        Error error = Error::current();
        end(error.status() == SHREDDER_DEVICE_LOST ? "" : error.what());
    }
}

void WorkerClient::end(const char* why) noexcept {
    {
        std::lock_guard lock(mutex_);
        if (closed_) return;
        closed_ = true;
        changed_.notify_all();
    }
    try {
        std::size_t bytes = std::min(std::strlen(why), kMostTextBytes);
        if (bytes > 0) connection_.trySend({.type = FrameType::Refused}, {{why, bytes}});
    } catch (...) {
        connection_.shutDown();  // Nobody is there to hear it.
    }
    connection_.shutDown();
}

void WorkerClient::receiveLoop() {
    attempt([this] {
        greet();
        while (take()) {
        }
    });
    startNoMore();
}

void WorkerClient::startNoMore() noexcept {
    end("");
    std::lock_guard lock(mutex_);
    startsMore_ = false;
    changed_.notify_all();
}

void WorkerClient::greet() {
    FrameHeader header{};
    if (!connection_.receiveHeader(header)) return;
    refuse(header.type != FrameType::Hello || header.bodyBytes != sizeof(HelloBody), "no hello");
    auto hello = connection_.receiveBody<HelloBody>();
    refuse(hello.magic != kMagic || hello.version != kVersion,
           "this worker talks version " + std::to_string(kVersion) + " to its clients");
    refuse(hello.weight == 0 || hello.weight > FairShare::kMostWeight,
           "weight " + std::to_string(hello.weight));
    share_.setWeight(hello.weight);
    WelcomeBody welcome{.magic = kMagic,
                        .version = kVersion,
                        .slots = kMostSlots,
                        .mostPayloadBytes = worker_.options().mostBufferBytes};
    std::snprintf(welcome.name, sizeof welcome.name, "%s", worker_.name().c_str());
    connection_.send({.type = FrameType::Welcome}, {{&welcome, sizeof welcome}});
}

/// False once the client has gone, or is to go.
bool WorkerClient::take() {
    while (!connection_.awaitReadable(std::chrono::milliseconds(-1))) {
    }
    FrameHeader header{};
    if (!connection_.receiveHeader(header)) return false;
    switch (header.type) {
        case FrameType::Scan:
            scan(header);
            return true;
        case FrameType::Digest:
            digest(header);
            return true;
        default:
            refuse(true, "frame type " + std::to_string(static_cast<std::uint32_t>(header.type)));
            return false;
    }
}

WorkerClient::Slot& WorkerClient::slotOf(const FrameHeader& header) {
    refuse(header.slot >= slots_.size(), "slot " + std::to_string(header.slot));
    return slots_[header.slot];
}

/// Until what was asked there before is answered: the client has that, or doesn't want it any more.
void WorkerClient::awaitIdle(Slot& slot) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&slot] { return slot.steps == 0; });
}

void WorkerClient::scan(const FrameHeader& header) {
    Slot& slot = slotOf(header);
    std::uint64_t payloadBytes = header.bodyBytes - sizeof(ScanBody);
    refuse(header.bodyBytes <= sizeof(ScanBody) || payloadBytes > worker_.options().mostBufferBytes,
           "a buffer's frame of " + std::to_string(header.bodyBytes) + " bytes");
    refuse(header.sequence <= slot.sequence, "buffer " + std::to_string(header.sequence) + " of slot " +
                                                 std::to_string(header.slot) + " comes late");
    awaitIdle(slot);
    slot.sequence = header.sequence;
    auto body = connection_.receiveBody<ScanBody>();
    prepare(slot, body, payloadBytes);
    connection_.receive(slot.job.payload, payloadBytes);
    start(slot, false, payloadBytes);
}

/// Room for the buffer, at a device.
void WorkerClient::prepare(Slot& slot, const ScanBody& body, std::uint64_t payloadBytes) {
    BufferGeometry wanted{.payloadBytes = body.payloadRoom, .maxRecords = body.maxRecords};
    refuse(wanted.payloadBytes > worker_.options().mostBufferBytes || wanted.payloadBytes < payloadBytes ||
               wanted.payloadBytes % kPageBytes != 0,
           "room for " + std::to_string(body.payloadRoom) + " bytes");
    refuse(wanted.maxRecords == 0 ||
               wanted.maxRecords > std::min(kMostRecords, wanted.payloadBytes + kMoreRecords),
           "room for " + std::to_string(body.maxRecords) + " chunks");
    slot.plan = planOf(body);
    if (!slot.memory || !slot.geometry.covers(wanted)) {
        slot.memory.reset();
        slot.memory = worker_.createMemory(kPageBytes + wanted.payloadBytes + kReadableAfter +
                                           wanted.maxRecords * sizeof(shredder_record));
        slot.geometry = wanted;
    }
    takeDevice(slot, wanted);
    std::uint8_t* payload = slot.memory->data() + kPageBytes;
    slot.job = Job{};
    slot.job.plan = slot.plan.get();
    slot.job.payload = payload;
    slot.job.payloadBytes = payloadBytes;
    slot.job.records =
        reinterpret_cast<shredder_record*>(payload + slot.geometry.payloadBytes + kReadableAfter);
    std::memcpy(payload - kWindowBytes, body.before, kWindowBytes);
}

/// A slot has one workspace: what it had at another device would be kept for nothing.
void WorkerClient::takeDevice(Slot& slot, const BufferGeometry& wanted) {
    WorkerDevice& device = worker_.choose();
    if (slot.device == &device && slot.workspace && slot.workspace->geometry().covers(wanted)) return;
    dropWorkspace(slot);
    slot.device = &device;
    try {
        slot.workspace = device.device->createWorkspace(wanted);
    } catch (...) {
        worker_.fail(device, Error::current());
        throw;
    }
}

void WorkerClient::dropWorkspace(Slot& slot) noexcept {
    if (slot.workspace) slot.device->device->abandon(*slot.workspace);
    slot.workspace.reset();
}

std::shared_ptr<const StreamPlan> WorkerClient::planOf(const ScanBody& body) {
    PlanKey key{body.polynomial,  body.marker,
                body.maskBits,    (body.segmentMaskBits << 8) | (body.digestAlgorithm & 0xff),
                body.payloadRoom, body.maxRecords};
    auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    shredder_params params = paramsOf(body);
    auto plan = std::make_shared<StreamPlan>(
        StreamPlan{.id = nextPlan(),
                   .scan = scanSpec(params),
                   .rules = cutRules(params),
                   .geometry = {.payloadBytes = body.payloadRoom, .maxRecords = body.maxRecords},
                   .computeDigests = true,
                   .digestAlgorithm = digestAlgorithm(body.digestAlgorithm)});
    if (plans_.size() >= kMostPlans) plans_.clear();
    plans_[key] = plan;
    return plan;
}

void WorkerClient::digest(const FrameHeader& header) {
    Slot& slot = slotOf(header);
    awaitIdle(slot);
    refuse(slot.sequence == 0 || header.sequence != slot.sequence, "digests of a buffer that is not here");
    std::size_t count = header.bodyBytes / sizeof(DigestPiece);
    refuse(count == 0 || count * sizeof(DigestPiece) != header.bodyBytes ||
               count > slot.job.plan->geometry.maxRecords,
           std::to_string(header.bodyBytes) + " bytes of chunks");
    std::vector<DigestPiece> pieces(count);
    connection_.receive(pieces.data(), header.bodyBytes);
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < count; i++) {
        const DigestPiece& piece = pieces[i];
        refuse(piece.length == 0 || piece.offset < end || piece.offset > slot.job.payloadBytes ||
                   piece.length > slot.job.payloadBytes - piece.offset,
               "a chunk of " + std::to_string(piece.length) + " bytes at " + std::to_string(piece.offset) +
                   " of a buffer of " + std::to_string(slot.job.payloadBytes));
        end = std::uint64_t{piece.offset} + piece.length;
        slot.job.records[i] = {.offset = piece.offset, .length = piece.length, .flags = 0, .digest = {}};
    }
    slot.job.recordCount = count;
    start(slot, true, slot.job.payloadBytes);
}

/// Once it is this client's turn at the device.
void WorkerClient::start(Slot& slot, bool digests, std::uint64_t bytes) {
    Step step{.slot = &slot, .digests = digests, .bytes = bytes, .found = false, .candidates = {}};
    enter(step);
    try {
        digests ? slot.device->device->digest(slot.job, *slot.workspace)
                : slot.device->device->scan(slot.job, *slot.workspace);
        std::lock_guard lock(mutex_);
        steps_.push_back(step);
        slot.steps++;
        changed_.notify_all();
    } catch (...) {
        leave(step);
        worker_.fail(*slot.device, Error::current());
        throw;
    }
}

void WorkerClient::enter(const Step& step) {
    WorkerDevice* device = step.slot->device;
    {
        std::lock_guard lock(mutex_);
        waitsAt_[device]++;
    }
    waitingBytes_ += step.bytes;
    try {
        device->gate.enter(share_, step.bytes);
    } catch (...) {
        waitingBytes_ -= step.bytes;
        std::lock_guard lock(mutex_);
        waitsAt_.find(device)->second--;
        throw;
    }
}

void WorkerClient::leave(const Step& step) noexcept {
    step.slot->device->gate.leave(step.bytes);
    waitingBytes_ -= step.bytes;
    std::lock_guard lock(mutex_);
    waitsAt_.find(step.slot->device)->second--;
}

/// Waits for what was started; null once there will be no more.
WorkerClient::Step* WorkerClient::nextToFind() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !startsMore_ || steps_.size() > triedSteps_; });
    return steps_.size() > triedSteps_ ? &steps_[triedSteps_] : nullptr;
}

void WorkerClient::findLoop() {
    while (Step* step = nextToFind()) {
        attempt([&] { find(*step); });
        std::lock_guard lock(mutex_);
        triedSteps_++;
        changed_.notify_all();
    }
}

/// Waits for what was found; null once there will be no more.
WorkerClient::Step* WorkerClient::nextToAnswer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return triedSteps_ > 0 || (!startsMore_ && steps_.empty()); });
    return triedSteps_ > 0 ? &steps_.front() : nullptr;
}

void WorkerClient::answerLoop() {
    while (Step* step = nextToAnswer()) {
        if (step->found) attempt([&] { answer(*step); });
        std::lock_guard lock(mutex_);
        step->slot->steps--;
        steps_.pop_front();
        triedSteps_--;
        changed_.notify_all();
    }
}

/// Gives the device's place free.
void WorkerClient::find(Step& step) {
    Slot& slot = *step.slot;
    try {
        if (step.digests) {
            slot.device->device->finish(slot.job, *slot.workspace);
        } else {
            step.candidates = slot.device->device->candidates(slot.job, *slot.workspace);
        }
        step.found = true;
    } catch (...) {
        leave(step);
        worker_.fail(*slot.device, Error::current());
        throw;
    }
    leave(step);
}

void WorkerClient::answer(const Step& step) {
    step.digests ? sendDigests(*step.slot) : sendCandidates(*step.slot, step.candidates);
}

void WorkerClient::sendDigests(const Slot& slot) {
    std::vector<std::uint8_t> digests(slot.job.recordCount * kDigestBytes);
    for (std::size_t i = 0; i < slot.job.recordCount; i++) {
        std::memcpy(&digests[i * kDigestBytes], slot.job.records[i].digest, kDigestBytes);
    }
    connection_.send(headerOf(FrameType::Digests, slot), {{digests.data(), digests.size()}});
}

FrameHeader WorkerClient::headerOf(FrameType type, const Slot& slot) const {
    return {
        .type = type, .slot = static_cast<std::uint32_t>(&slot - slots_.data()), .sequence = slot.sequence};
}

void WorkerClient::sendCandidates(const Slot& slot, const Candidates& candidates) {
    bool bitmap = candidates.bitmap != nullptr;
    CandidatesBody body{.form = bitmap ? CandidatesForm::Bitmap
                                       : (candidates.strengthListed ? CandidatesForm::ListWithStrength
                                                                    : CandidatesForm::List),
                        .zero = 0,
                        .count = bitmap ? (slot.job.payloadBytes + 63) / 64 : candidates.count};
    const void* entries = bitmap ? static_cast<const void*>(candidates.bitmap) : candidates.list;
    connection_.send(headerOf(FrameType::Candidates, slot),
                     {{&body, sizeof body}, {entries, body.count * (bitmap ? 8 : 4)}});
}

void WorkerClient::sendNews() {
    std::uint64_t all = worker_.waitingBytes();
    std::uint64_t own = waitingBytes_;
    NewsBody news{.bytesOfOthers = all > own ? all - own : 0};
    try {
        if (waitsForWhatMoves()) connection_.trySend({.type = FrameType::News}, {{&news, sizeof news}});
    } catch (...) {
        end("");
    }
}

/// Whether it waits at a device, and all those do something.
bool WorkerClient::waitsForWhatMoves() {
    std::lock_guard lock(mutex_);
    bool waits = false;
    for (const auto& [device, steps] : waitsAt_) {
        if (steps == 0) continue;
        if (device->gate.isStill(kMostStill)) return false;
        waits = true;
    }
    return waits;
}

}  // namespace shredder::remote
