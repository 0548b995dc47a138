// SPDX-License-Identifier: Apache-2.0
//
// What every implementation of Device keeps, pipeline/device.h: one suite for all devices of this machine.
#include <gtest/gtest.h>

#include <cstring>

#include "chunk/candidate_finder.h"
#include "cpu/blake3.h"
#include "cpu/scan.h"
#include "cpu/sha256.h"
#include "pipeline/backends.h"
#include "pipeline/selection.h"
#include "remote/remote_device.h"
#include "remote/worker.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

constexpr std::size_t kPayloadBytes = 1 << 20;
constexpr std::size_t kBeforePayloadBytes = 4096;
constexpr std::size_t kMostRecords = 1 << 18;  // as in an engine

StreamPlan planOf(const shredder_params& params, std::size_t payloadBytes = kPayloadBytes) {
    static std::uint64_t id = 1ULL << 32;
    return {.id = id++,
            .scan = scanSpec(params),
            .rules = cutRules(params),
            .geometry = {payloadBytes, std::min(payloadBytes / params.min_bytes + 3, kMostRecords)},
            .computeDigests = true,
            .digestAlgorithm = static_cast<DigestAlgorithm>(params.digest_algorithm)};
}

/// A whole stream of one buffer in memory of a device.
class OneBuffer {
  public:
    OneBuffer(Device& device, const StreamPlan& plan, const Bytes& data, bool pinned = true)
        : carried_(plan.rules.maxBytes, 0, meter_),
          memory_(device.createHostMemory(kBeforePayloadBytes + plan.geometry.payloadBytes +
                                              plan.geometry.maxRecords * sizeof(shredder_record),
                                          pinned)),
          selection_(plan, carried_) {
        job.plan = &plan;
        job.payload = memory_->data() + kBeforePayloadBytes;
        job.records = reinterpret_cast<shredder_record*>(job.payload + plan.geometry.payloadBytes);
        job.payloadBytes = data.size();
        job.last = true;
        std::memset(job.payload - kWindowBytes, 0, kWindowBytes);
        if (!data.empty()) std::memcpy(job.payload, data.data(), data.size());
    }

    void select(const Candidates& candidates) { selection_.select(job, candidates); }

    /// Through all four calls.
    void run(Device& device, Workspace& workspace) {
        device.scan(job, workspace);
        select(device.candidates(job, workspace));
        if (job.recordCount == 0) return;
        device.digest(job, workspace);
        device.finish(job, workspace);
    }

    std::vector<ChunkValue> chunks() const {
        std::vector<ChunkValue> chunks;
        for (std::size_t i = 0; i < job.recordCount; i++) {
            const shredder_record& record = job.records[i];
            chunks.push_back({record.offset, record.length, (record.flags & SHREDDER_RECORD_SEGMENT_END) != 0,
                              hexOf(record.digest, sizeof record.digest)});
        }
        return chunks;
    }

  private:
    MemoryMeter meter_;
    CarryPool carried_;

  public:
    RingJob job;

  private:
    std::unique_ptr<HostMemory> memory_;
    Selection selection_;
};

/// The candidates of a buffer by the readable scan, as list entries.
std::vector<std::uint32_t> referenceCandidates(const StreamPlan& plan, const Job& job) {
    std::vector<std::uint64_t> bitmap((job.payloadBytes + 63) / 64);
    kScanScalar.mark(plan.scan, job.payload, job.payloadBytes, bitmap.data());
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; i < job.payloadBytes; i++) {
        if ((bitmap[i / 64] >> (i % 64) & 1) == 0) continue;
        bool strong = plan.rules.hasSegments && (windowFingerprint(plan.scan.tables, job.payload + i + 1) &
                                                 plan.scan.segmentMask) == plan.scan.segmentMarker;
        list.push_back(static_cast<std::uint32_t>(i + 1) | (strong ? kStrongFlag : 0));
    }
    return list;
}

/// The same from either form that a device may give.
std::vector<std::uint32_t> listOf(const StreamPlan& plan, const Job& job, const Candidates& candidates) {
    EXPECT_TRUE((candidates.list == nullptr) != (candidates.bitmap == nullptr) || candidates.count == 0);
    std::vector<std::uint32_t> list;
    CandidateFinder finder(plan.scan, candidates, job.payload, job.streamOffset);
    for (std::uint64_t from = 1; from <= job.payloadBytes;) {
        std::uint64_t found = finder.first(from, job.payloadBytes);
        if (found == kNoCandidate) break;
        bool strong = plan.rules.hasSegments && finder.isStrong(found);
        list.push_back(static_cast<std::uint32_t>(found) | (strong ? kStrongFlag : 0));
        from = found + 1;
    }
    return list;
}

shredder_params segmentParams() {
    shredder_params params = paramsOfAverage(10);
    params.segment_mask_bits = 12;
    params.segment_min_bytes = 3'000;
    params.segment_max_bytes = 50'000;
    return params;
}

/// A backend of this machine, or a worker that lends one.
struct DeviceKind {
    shredder_backend backend;
    bool worker;
};

class DeviceContract : public testing::TestWithParam<DeviceKind> {
  protected:
    void SetUp() override {
        shredder_engine_options options{.backend = GetParam().backend, .device = -1};
        options.cpu_threads = 2;
        if (GetParam().worker) {
            std::string socket = folder_.path() + "/socket";
            worker_ = std::make_unique<Worker>(
                WorkerOptions{.socket = socket, .devices = nameOf(GetParam().backend), .cpuThreads = 2});
            device_ = openRemoteDevice(socket, 1, kPatienceWithWorkers);
        } else {
            device_ = std::move(openDevices(chooseBackend(GetParam().backend), options).front());
        }
    }

    TemporaryFolder folder_;
    std::unique_ptr<Worker> worker_;
    std::unique_ptr<Device> device_;
};

TEST_P(DeviceContract, findsExactlyTheCandidatesOfTheReadableScan) {
    std::mt19937_64 random(randomSeed());
    for (int round = 0; round < 30; round++) {
        StreamPlan plan = planOf(randomParams(random));
        auto workspace = device_->createWorkspace(plan.geometry);
        OneBuffer buffer(*device_, plan, splitmix64(random(), random() % kPayloadBytes));
        device_->scan(buffer.job, *workspace);
        Candidates candidates = device_->candidates(buffer.job, *workspace);
        ASSERT_EQ(listOf(plan, buffer.job, candidates), referenceCandidates(plan, buffer.job));
    }
}

TEST_P(DeviceContract, findsAFloodOfCandidates) {
    // Runs of 0x4d are all candidates under the default polynomial and marker at 8 bits.
    StreamPlan plan = planOf(paramsOfAverage(8));
    auto workspace = device_->createWorkspace(plan.geometry);
    OneBuffer buffer(*device_, plan, Bytes(kPayloadBytes, 0x4d));
    device_->scan(buffer.job, *workspace);
    Candidates candidates = device_->candidates(buffer.job, *workspace);
    EXPECT_EQ(listOf(plan, buffer.job, candidates), referenceCandidates(plan, buffer.job));
}

TEST_P(DeviceContract, digestsTheChunksByBothAlgorithms) {
    Bytes data = splitmix64(3, kPayloadBytes - 77);
    for (DigestMany reference : {sha256ManyPortable, blake3ManyPortable}) {
        shredder_params params = segmentParams();
        params.digest_algorithm = reference == sha256ManyPortable ? 1 : 2;
        StreamPlan plan = planOf(params);
        auto workspace = device_->createWorkspace(plan.geometry);
        OneBuffer buffer(*device_, plan, data);
        buffer.run(*device_, *workspace);
        ASSERT_GT(buffer.job.recordCount, 100U);
        for (const ChunkValue& chunk : buffer.chunks()) {
            Bytes digest(kDigestBytes);
            DigestMessage message{data.data() + chunk.offset, chunk.length, digest.data()};
            reference(&message, 1);
            ASSERT_EQ(chunk.digestHex, hexOf(digest.data(), digest.size())) << chunk.offset;
        }
    }
}

TEST_P(DeviceContract, givesWholeChunksOfAStreamOfOneBuffer) {
    shredder_params params = segmentParams();
    StreamPlan plan = planOf(params);
    Bytes data = splitmix64(4, 300'000);
    auto workspace = device_->createWorkspace(plan.geometry);
    for (bool pinned : {true, false}) {
        OneBuffer buffer(*device_, plan, data, pinned);
        buffer.run(*device_, *workspace);
        EXPECT_EQ(buffer.chunks(), referenceChunks(params, data)) << (pinned ? "pinned" : "pageable");
    }
}

/// With the records that are set.
void bringCarried(Device& device, Workspace& workspace, OneBuffer& buffer) {
    device.scan(buffer.job, workspace);
    device.candidates(buffer.job, workspace);
    device.digest(buffer.job, workspace);
    device.finish(buffer.job, workspace);
}

TEST_P(DeviceContract, digestsAChunkThatSeveralBuffersBringAndThoseBehindIt) {
    Bytes whole = splitmix64(5, 900'000);
    Bytes behind = splitmix64(6, 3'000);
    for (DigestMany reference : {sha256ManyPortable, blake3ManyPortable}) {
        shredder_params params = paramsOfAverage(18);
        params.digest_algorithm = reference == sha256ManyPortable ? 1 : 2;
        StreamPlan plan = planOf(params);
        auto workspace = device_->createWorkspace(plan.geometry);
        MemoryMeter meter;
        CarriedBytes carried(plan.rules.maxBytes, meter);
        carried.begin(plan.digestAlgorithm);
        carried.append(whole.data(), 100'001);
        OneBuffer middle(*device_, plan, Bytes(whole.begin() + 100'001, whole.begin() + 600'000));
        middle.job.carried = &carried;
        carried.append(whole.data() + 100'001, 499'999);
        middle.job.carriedBytes = carried.size();
        bringCarried(*device_, *workspace, middle);

        Bytes rest(whole.begin() + 600'000, whole.end());
        rest.insert(rest.end(), behind.begin(), behind.end());
        OneBuffer end(*device_, plan, rest);
        carried.append(whole.data() + 600'000, 300'000);
        end.job.carried = &carried;
        end.job.carriedBytes = whole.size();
        end.job.carriedEnds = true;
        end.job.carriedBefore = true;
        end.job.streamOffset = 600'000;
        end.job.records[0] = {0, 900'000, 0, {}};
        end.job.records[1] = {900'000, 3'000, 0, {}};
        end.job.recordCount = 2;
        bringCarried(*device_, *workspace, end);

        Bytes digests(2 * kDigestBytes);
        DigestMessage messages[] = {{whole.data(), whole.size(), digests.data()},
                                    {behind.data(), behind.size(), &digests[kDigestBytes]}};
        reference(messages, 2);
        EXPECT_EQ(end.chunks()[0].digestHex, hexOf(digests.data(), kDigestBytes));
        EXPECT_EQ(end.chunks()[1].digestHex, hexOf(&digests[kDigestBytes], kDigestBytes));

        // As after a failure of the device, when both are run again, and in the other order.
        auto another = device_->createWorkspace(plan.geometry);
        std::fill_n(end.job.records[0].digest, kDigestBytes, std::uint8_t{0});
        bringCarried(*device_, *another, end);
        bringCarried(*device_, *workspace, middle);
        EXPECT_EQ(end.chunks()[0].digestHex, hexOf(digests.data(), kDigestBytes));
    }
}

TEST_P(DeviceContract, aLargerWorkspaceServesSmallerBuffersOneAfterTheOther) {
    std::mt19937_64 random(randomSeed());
    auto workspace = device_->createWorkspace({kPayloadBytes, 1 << 18});
    for (int round = 0; round < 20; round++) {
        shredder_params params = randomParams(random);
        StreamPlan plan = planOf(params, 4096 * (1 + random() % 10));
        Bytes data = splitmix64(random(), random() % plan.geometry.payloadBytes);
        OneBuffer buffer(*device_, plan, data);
        buffer.run(*device_, *workspace);
        ASSERT_EQ(buffer.chunks(), referenceChunks(params, data)) << round;
    }
}

TEST_P(DeviceContract, buffersInSeveralWorkspacesAreUnderWayAtOnce) {
    shredder_params params = segmentParams();
    StreamPlan plan = planOf(params);
    std::vector<std::unique_ptr<Workspace>> workspaces;
    std::vector<std::unique_ptr<OneBuffer>> buffers;
    std::vector<Bytes> inputs;
    for (std::uint64_t i = 0; i < 3; i++) {
        inputs.push_back(splitmix64(i, 100'000 + 1'000 * i));
        workspaces.push_back(device_->createWorkspace(plan.geometry));
        buffers.push_back(std::make_unique<OneBuffer>(*device_, plan, inputs[i]));
        device_->scan(buffers[i]->job, *workspaces[i]);
    }
    for (std::size_t i = 3; i-- > 0;) {
        buffers[i]->select(device_->candidates(buffers[i]->job, *workspaces[i]));
        device_->digest(buffers[i]->job, *workspaces[i]);
    }
    for (std::size_t i = 0; i < 3; i++) {
        device_->finish(buffers[i]->job, *workspaces[i]);
        EXPECT_EQ(buffers[i]->chunks(), referenceChunks(params, inputs[i]));
    }
}

TEST_P(DeviceContract, anAbandonedWorkspaceServesTheNextBufferAndTheBufferAnotherWorkspace) {
    shredder_params params = segmentParams();
    StreamPlan plan = planOf(params);
    Bytes data = splitmix64(6, 400'000);
    std::vector<ChunkValue> expected = referenceChunks(params, data);
    auto workspace = device_->createWorkspace(plan.geometry);
    device_->abandon(*workspace);  // nothing was started
    for (int calls = 1; calls <= 3; calls++) {
        OneBuffer buffer(*device_, plan, data);
        device_->scan(buffer.job, *workspace);
        if (calls >= 2) buffer.select(device_->candidates(buffer.job, *workspace));
        if (calls >= 3) device_->digest(buffer.job, *workspace);
        device_->abandon(*workspace);

        auto another = device_->createWorkspace(plan.geometry);
        device_->scan(buffer.job, *another);
        Candidates candidates = device_->candidates(buffer.job, *another);
        if (calls < 2) buffer.select(candidates);
        device_->digest(buffer.job, *another);
        device_->finish(buffer.job, *another);
        EXPECT_EQ(buffer.chunks(), expected);

        OneBuffer next(*device_, plan, data);
        next.run(*device_, *workspace);
        EXPECT_EQ(next.chunks(), expected);
    }
}

TEST_P(DeviceContract, countsWhatItScans) {
    StreamPlan plan = planOf(paramsOfAverage(10));
    auto workspace = device_->createWorkspace(plan.geometry);
    OneBuffer buffer(*device_, plan, splitmix64(7, 12'345));
    buffer.run(*device_, *workspace);
    EXPECT_EQ(device_->bytesScanned(), 12'345U);
    EXPECT_FALSE(device_->name().empty());
}

TEST_P(DeviceContract, hostMemoryIsAlignedAndAsLargeAsAskedFor) {
    for (bool pinned : {true, false}) {
        auto memory = device_->createHostMemory(123'456, pinned);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->data()) % 4096, 0U);
        EXPECT_EQ(memory->size(), 123'456U);
        EXPECT_TRUE(pinned || !memory->pinned());
        std::memset(memory->data(), 1, memory->size());
    }
}

std::vector<DeviceKind> kindsHere() {
    std::vector<DeviceKind> kinds;
    for (shredder_backend backend : availableBackends()) {
        for (bool worker : {false, true}) {
            kinds.push_back({backend, worker});
        }
    }
    return kinds;
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceContract, testing::ValuesIn(kindsHere()), [](const auto& kind) {
    return (kind.param.worker ? "worker_" : "") + nameOf(kind.param.backend);
});

}  // namespace
}  // namespace shredder::test
