// SPDX-License-Identifier: Apache-2.0
//
// Workers that lend devices to other processes: the same chunks, whatever a worker or a client does.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <future>
#include <map>
#include <thread>

#include "cpu/digest.h"
#include "pipeline/error.h"
#include "remote/fair_gate.h"
#include "remote/remote_device.h"
#include "tests/remote_rig.h"

namespace shredder::test {
namespace {

using namespace remote;

constexpr std::uint32_t kWorkerPolicies = 5;

int moments(int usual) {
    const char* asked = std::getenv("SHREDDER_TEST_MOMENTS");
    return asked == nullptr ? usual : std::stoi(asked);
}

class RemoteWorkerTest : public testing::Test {
  protected:
    std::string socket() const { return folder_.path() + "/worker"; }
    std::string between() const { return folder_.path() + "/between"; }

    std::unique_ptr<Worker> start(unsigned mostClients = 16) const {
        return std::make_unique<Worker>(WorkerOptions{
            .socket = socket(), .devices = "cpu*2", .mostClients = mostClients, .mostBufferBytes = 1 << 20});
    }

    static EnginePtr open(const std::string& pool, std::uint32_t policy = SHREDDER_LEAST_WORK) {
        return openEngine({.device = -1,
                           .buffer_bytes = 4096,
                           .pipeline_depth = 3,
                           .cpu_threads = 1,
                           .scheduling = policy,
                           .devices = pool.c_str()});
    }

    TemporaryFolder folder_;
};

/// Chunks through a pool with a worker that a middleman stands before, and says how many devices failed.
std::uint32_t failuresOf(const std::string& pool, const shredder_params& params, const Bytes& data,
                         std::uint32_t policy) {
    shredder_engine_options options{.device = -1,
                                    .buffer_bytes = 4096,
                                    .pipeline_depth = 3,
                                    .cpu_threads = 1,
                                    .scheduling = policy,
                                    .devices = pool.c_str()};
    EnginePtr engine = openEngine(options);
    EXPECT_EQ(chunk(engine.get(), params, data), referenceChunks(params, data));
    return infoOf(engine).devices_failed;
}

TEST_F(RemoteWorkerTest, everyPolicyGivesTheSameChunksWithAWorkerInThePool) {
    auto worker = start();
    std::mt19937_64 random(randomSeed());
    for (const std::string& pool : {"worker:" + socket(), "scalar*1,worker:" + socket() + "*7",
                                    "worker:" + socket() + ",cpu*1,worker:" + socket()}) {
        for (std::uint32_t policy = 0; policy < kWorkerPolicies; policy++) {
            shredder_params params = randomParams(random);
            Bytes data = splitmix64(random(), 100'000 + random() % 50'000);
            EXPECT_EQ(failuresOf(pool, params, data, policy), 0U) << pool << ", " << policy;
        }
    }
    EXPECT_GT(worker->state().bytesScanned, 500'000U);
}

TEST_F(RemoteWorkerTest, manyClientsAtOnce) {
    auto worker = start();
    std::vector<std::thread> clients;
    for (std::uint64_t i = 0; i < 6; i++) {
        clients.emplace_back([&, i] {
            shredder_params params = paramsOfAverage(9);
            Bytes data = splitmix64(i, 300'000);
            EnginePtr engine = open("worker:" + socket());
            EXPECT_EQ(chunk(engine.get(), params, data), referenceChunks(params, data));
            EXPECT_EQ(infoOf(engine).devices_failed, 0U);
        });
    }
    for (std::thread& client : clients) {
        client.join();
    }
    EXPECT_EQ(worker->state().clientsServed, 6U);
}

/// SHREDDER_TEST_MOMENTS in the environment: how many.
TEST_F(RemoteWorkerTest, aWorkerThatIsLostAtAnyMomentLosesNothing) {
    auto worker = start();
    std::mt19937_64 random(randomSeed());
    std::atomic<int> last{0};
    Middleman middleman(between(), socket(), [&](Frame&, int number) { return number < last; });
    shredder_params params = paramsOfAverage(8);
    for (int i = 0; i < moments(40); i++) {
        last = 3 + static_cast<int>(random() % 60);
        Bytes data = splitmix64(random(), std::size_t{16} * 4096 + random() % 4096);
        failuresOf("scalar*1,worker:" + between(), params, data, i % kWorkerPolicies);
        failuresOf("worker:" + between(), params, data, i % kWorkerPolicies);
    }
}

TEST_F(RemoteWorkerTest, aWorkerThatEndsWhileItWorksLosesNothing) {
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(8);
    for (int i = 0; i < 10; i++) {
        auto worker = start();
        EnginePtr engine = open("worker:" + socket());
        Bytes data = splitmix64(random(), 2'000'000);
        std::thread end([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
            worker.reset();
        });
        EXPECT_EQ(chunk(engine.get(), params, data), referenceChunks(params, data));
        end.join();
    }
    auto again = start();
    EnginePtr engine = open("worker:" + socket());
    Bytes data = splitmix64(1, 100'000);
    EXPECT_EQ(chunk(engine.get(), params, data), referenceChunks(params, data));
    EXPECT_EQ(infoOf(engine).devices_failed, 0U) << "one that came back";
}

/// What a worker says instead of the truth.
using Lie = std::function<void(Frame& frame)>;

void* at(Frame& frame, std::size_t offset) {
    return frame.body.data() + offset;
}

CandidatesBody& candidatesIn(Frame& frame) {
    return *static_cast<CandidatesBody*>(at(frame, 0));
}

std::uint32_t& entryOf(Frame& frame, std::size_t entry) {
    return static_cast<std::uint32_t*>(at(frame, sizeof(CandidatesBody)))[entry];
}

TEST_F(RemoteWorkerTest, aWorkerThatSaysWhatCannotBeIsUsedNoMore) {
    const std::map<std::string, Lie> liesOfCandidates = {
        {"form", [](Frame& frame) { candidatesIn(frame).form = static_cast<CandidatesForm>(9); }},
        {"one more than there are", [](Frame& frame) { candidatesIn(frame).count++; }},
        {"far more", [](Frame& frame) { candidatesIn(frame).count = 1ULL << 62; }},
        {"shorter", [](Frame& frame) { frame.body.resize(frame.body.size() - 4); }},
        {"descending", [](Frame& frame) { std::swap(entryOf(frame, 0), entryOf(frame, 1)); }},
        {"outside", [](Frame& frame) { entryOf(frame, candidatesIn(frame).count - 1) = 4097; }},
        {"at none", [](Frame& frame) { entryOf(frame, 0) = 0; }},
        {"slot", [](Frame& frame) { frame.header.slot = kMostSlots; }},
        {"a buffer that was never sent", [](Frame& frame) { frame.header.sequence += 1'000; }},
        {"no frame of a worker", [](Frame& frame) { frame.header.type = FrameType::Hello; }},
        {"a text too long",
         [](Frame& frame) {
             frame.header.type = FrameType::Refused;
             frame.body.assign(5'000, 'x');
         }},
        {"digests that nobody asked for",
         [](Frame& frame) {
             frame.header.type = FrameType::Digests;
             frame.header.sequence += 7;
         }},
    };
    auto worker = start();
    shredder_params params = paramsOfAverage(8);
    params.min_bytes = 1;
    for (const auto& [name, lie] : liesOfCandidates) {
        std::atomic<int> truths{2};
        Middleman middleman(between(), socket(), [&truths, &lie = lie](Frame& frame, int) {
            bool fits = frame.header.type == FrameType::Candidates && candidatesIn(frame).count > 1;
            if (fits && truths-- == 0) lie(frame);
            return true;
        });
        EXPECT_EQ(failuresOf("worker:" + between(), params, splitmix64(8, 60'000), SHREDDER_LEAST_WORK), 1U)
            << name;
    }
}

TEST_F(RemoteWorkerTest, digestsOfAnotherNumberAreRefused) {
    auto worker = start();
    Middleman middleman(between(), socket(), [&](Frame& frame, int) {
        if (frame.header.type == FrameType::Digests) frame.body.resize(frame.body.size() - kDigestBytes);
        return true;
    });
    EXPECT_EQ(
        failuresOf("worker:" + between(), paramsOfAverage(8), splitmix64(8, 60'000), SHREDDER_LEAST_WORK),
        1U);
}

/// The buffers are so small that the spot checks see all of them.
TEST_F(RemoteWorkerTest, wrongResultsAreFoundBySpotChecks) {
    const std::map<FrameType, Lie> lies = {{FrameType::Candidates,
                                            [](Frame& frame) {
                                                if (candidatesIn(frame).count == 0) return;
                                                candidatesIn(frame).count--;
                                                frame.body.resize(frame.body.size() - 4);
                                            }},
                                           {FrameType::Digests, [](Frame& frame) {
                                                for (std::size_t i = 0; i < frame.body.size();
                                                     i += kDigestBytes) {
                                                    frame.body[i] ^= 1;
                                                }
                                            }}};
    auto worker = start();
    for (const auto& [type, lie] : lies) {
        Middleman middleman(between(), socket(), [type = type, &lie = lie](Frame& frame, int) {
            if (frame.header.type == type) lie(frame);
            return true;
        });
        EXPECT_EQ(
            failuresOf("worker:" + between(), paramsOfAverage(8), splitmix64(8, 60'000), SHREDDER_LEAST_WORK),
            1U);
    }
}

TEST_F(RemoteWorkerTest, aWorkerThatSaysNothingHasFailedOnceItIsLate) {
    auto worker = start();
    Middleman middleman(between(), socket(), [&](Frame& frame, int) {
        while (frame.header.type == FrameType::Scan) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            if (frame.header.sequence++ > 100) return false;
        }
        return true;
    });
    auto device = openRemoteDevice(between(), 1, std::chrono::milliseconds(200));
    shredder_params params = paramsOfAverage(8);
    StreamPlan plan{.id = 1,
                    .scan = scanSpec(params),
                    .rules = cutRules(params),
                    .geometry = {4096, 100},
                    .computeDigests = true,
                    .digestAlgorithm = DigestAlgorithm::Sha256};
    auto workspace = device->createWorkspace(plan.geometry);
    Bytes memory(12'288);
    Job job{.plan = &plan, .payload = memory.data() + 4096, .payloadBytes = 4096};
    auto begin = std::chrono::steady_clock::now();
    device->scan(job, *workspace);
    try {
        device->candidates(job, *workspace);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), SHREDDER_DEVICE_LOST);
        EXPECT_NE(std::string(error.what()).find("said nothing for 200 ms"), std::string::npos)
            << error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatienceWithWorkers / 2)
        << "by the device's own patience";
    device->abandon(*workspace);
}

/// What a worker answers to a client that says this after its hello; empty: nothing, and it closes.
std::string answerTo(const std::string& socket, const Frame& frame) {
    Connection client(connectTo(socket), std::chrono::seconds(10));
    HelloBody hello{.magic = kMagic, .version = kVersion, .weight = 1};
    client.send({.type = FrameType::Hello}, {{&hello, sizeof hello}});
    FrameHeader header{};
    EXPECT_TRUE(client.receiveHeader(header));
    client.skip(header.bodyBytes);
    try {
        client.send(frame.header, {{frame.body.data(), frame.body.size()}});
    } catch (const Error&) {
        EXPECT_TRUE(client.awaitReadable(std::chrono::seconds(10))) << "it was closed without a reason";
    }
    if (!client.receiveHeader(header)) return "";
    std::string text(header.bodyBytes, ' ');
    client.receive(text.data(), text.size());
    return header.type == FrameType::Refused ? text
                                             : "frame " + std::to_string(static_cast<int>(header.type));
}

Frame scanFrame(const std::function<void(ScanBody&)>& change, std::size_t payloadBytes = 4096) {
    ScanBody body{.polynomial = paramsOfAverage(8).polynomial,
                  .marker = paramsOfAverage(8).marker,
                  .maskBits = 8,
                  .digestAlgorithm = 1,
                  .payloadRoom = 8192,
                  .maxRecords = 100};
    change(body);
    Frame frame{.header = {.type = FrameType::Scan, .slot = 0, .sequence = 1},
                .body = Bytes(sizeof body + payloadBytes)};
    std::memcpy(frame.body.data(), &body, sizeof body);
    return frame;
}

TEST_F(RemoteWorkerTest, whatNoClientMaySayEndsItsConnectionAlone) {
    auto worker = start();
    EnginePtr other = open("worker:" + socket());
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(5, 50'000);
    const std::map<std::string, Frame> frames = {
        {"frame type 77", {.header = {.type = static_cast<FrameType>(77)}}},
        {"frame type 2", {.header = {.type = FrameType::Welcome}}},
        {"slot 16", {.header = {.type = FrameType::Digest, .slot = 16}}},
        {"digests of a buffer that is not here", {.header = {.type = FrameType::Digest, .sequence = 0}}},
        {"a buffer's frame of 10 bytes",
         {.header = {.type = FrameType::Scan, .sequence = 1}, .body = Bytes(10)}},
        {"the polynomial is not irreducible", scanFrame([](ScanBody& body) { body.polynomial = 6; })},
        {"mask bits 31", scanFrame([](ScanBody& body) { body.maskBits = 31; })},
        {"marker's low", scanFrame([](ScanBody& body) { body.marker = 0; })},
        {"digest algorithm 3", scanFrame([](ScanBody& body) { body.digestAlgorithm = 3; })},
        {"room for 4097", scanFrame([](ScanBody& body) { body.payloadRoom = 4097; })},
        {"room for 1073741824", scanFrame([](ScanBody& body) { body.payloadRoom = 1 << 30; })},
        {"room for 0 chunks", scanFrame([](ScanBody& body) { body.maxRecords = 0; })},
        {"room for 8196 chunks", scanFrame([](ScanBody& body) { body.maxRecords = 8196; })},
        {"a buffer's frame of", scanFrame([](ScanBody&) {}, (1 << 20) + 1)}};
    for (const auto& [problem, frame] : frames) {
        std::string answer = answerTo(socket(), frame);
        EXPECT_NE(answer.find(problem), std::string::npos) << problem << ": " << answer;
        ASSERT_EQ(chunk(other.get(), params, data), referenceChunks(params, data));
    }
    EXPECT_EQ(infoOf(other).devices_failed, 0U);
}

TEST_F(RemoteWorkerTest, chunksThatLieOutsideOfTheBufferAreRefused) {
    auto worker = start();
    for (const std::vector<DigestPiece>& pieces : {std::vector<DigestPiece>{{0, 0}},
                                                   {{4000, 97}},
                                                   {{0, 10}, {9, 1}},
                                                   {{0xffffffff, 2}},
                                                   {{1, 0xffffffff}}}) {
        Connection client(connectTo(socket()), std::chrono::seconds(10));
        HelloBody hello{.magic = kMagic, .version = kVersion, .weight = 1};
        client.send({.type = FrameType::Hello}, {{&hello, sizeof hello}});
        Frame scan = scanFrame([](ScanBody&) {});
        client.send(scan.header, {{scan.body.data(), scan.body.size()}});
        client.send({.type = FrameType::Digest, .slot = 0, .sequence = 1},
                    {{pieces.data(), pieces.size() * sizeof(DigestPiece)}});
        FrameHeader header{};
        while (client.receiveHeader(header) && header.type != FrameType::Refused) {
            ASSERT_NE(header.type, FrameType::Digests);
            client.skip(header.bodyBytes);
        }
        EXPECT_EQ(header.type, FrameType::Refused);
    }
}

/// Sixteen buffers, whose answers no socket has room for.
void askAndTakeNothing(Connection& client) {
    HelloBody hello{.magic = kMagic, .version = kVersion, .weight = 1};
    client.send({.type = FrameType::Hello}, {{&hello, sizeof hello}});
    constexpr std::size_t kPayloadBytes = 1 << 20;
    Frame frame = scanFrame(
        [](ScanBody& body) {
            body.maskBits = 4;
            body.marker = 1;
            body.payloadRoom = kPayloadBytes;
        },
        kPayloadBytes);
    Bytes payload = splitmix64(9, kPayloadBytes);
    std::copy(payload.begin(), payload.end(), frame.body.begin() + sizeof(ScanBody));
    for (std::uint32_t slot = 0; slot < kMostSlots; slot++) {
        frame.header.slot = slot;
        client.send(frame.header, {{frame.body.data(), frame.body.size()}});
    }
}

TEST_F(RemoteWorkerTest, clientsThatTakeNoAnswersHoldUpNobody) {
    auto worker = start();
    Connection first(connectTo(socket()), std::chrono::seconds(10));
    Connection second(connectTo(socket()), std::chrono::seconds(10));
    askAndTakeNothing(first);
    askAndTakeNothing(second);
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(5, 50'000);
    EnginePtr other = open("worker:" + socket());
    auto chunks = std::async(std::launch::async, [&] { return chunk(other.get(), params, data); });
    EXPECT_EQ(chunks.wait_for(std::chrono::seconds(8)), std::future_status::ready)
        << "their patience with such clients has not ended yet";
    EXPECT_EQ(chunks.get(), referenceChunks(params, data));
    EXPECT_EQ(infoOf(other).devices_failed, 0U);
}

TEST_F(RemoteWorkerTest, theNameOfAWorkerCanBePrinted) {
    auto worker = start();
    Middleman middleman(between(), socket(), [&](Frame& frame, int) {
        if (frame.header.type == FrameType::Welcome) {
            std::strcpy(static_cast<char*>(at(frame, offsetof(WelcomeBody, name))), "\x1b[2J\nwarning");
        }
        return true;
    });
    EXPECT_EQ(openRemoteDevice(between(), 1, kPatienceWithWorkers)->name(),
              "worker:" + between() + " (?[2J?warning)");
}

std::string problemOf(const std::function<void()>& action) {
    try {
        action();
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

/// Returns once a worker has seen so many clients, of which so many are there; fails if that does not come.
void awaitClients(const Worker& worker, std::uint64_t served, unsigned there) {
    auto isSo = [&] { return worker.state().clientsServed == served && worker.state().clients == there; };
    for (int i = 0; i < 500 && !isSo(); i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(isSo());
}

TEST_F(RemoteWorkerTest, aWorkerHasSoManyClientsAndItsSocketOneOwner) {
    EXPECT_NE(
        problemOf([&] { openRemoteDevice(socket(), 1, kPatienceWithWorkers); }).find("no worker answers"),
        std::string::npos);
    auto worker = start(2);
    struct stat state {};
    ASSERT_EQ(stat(socket().c_str(), &state), 0);
    EXPECT_EQ(state.st_mode & 0777, 0600U);
    EXPECT_NE(problemOf([&] { start(); }).find("can't listen"), std::string::npos);
    awaitClients(*worker, 1, 0);  // Whoever wanted to listen there has looked whether somebody answers.
    auto first = openRemoteDevice(socket(), 1, kPatienceWithWorkers);
    auto second = openRemoteDevice(socket(), 1, kPatienceWithWorkers);
    std::string third = problemOf([&] { openRemoteDevice(socket(), 1, kPatienceWithWorkers); });
    EXPECT_NE(third.find("it has 2 clients"), std::string::npos) << third;
    first.reset();
    awaitClients(*worker, 3, 1);
    openRemoteDevice(socket(), 1, kPatienceWithWorkers);
}

TEST_F(RemoteWorkerTest, aBufferThatTheWorkerHasNoRoomForGoesElsewhere) {
    auto worker = start();
    std::string pool = "worker:" + socket();
    EnginePtr engine =
        openEngine({.device = -1, .buffer_bytes = 2 << 20, .cpu_threads = 1, .devices = pool.c_str()});
    Bytes data = splitmix64(3, 100'000);
    EXPECT_EQ(chunk(engine.get(), paramsOfAverage(8), data), referenceChunks(paramsOfAverage(8), data));
    EXPECT_EQ(infoOf(engine).devices_failed, 1U);
}

TEST(FairGateTest, aDeviceIsStillWhileAStepOfItDoesNotEnd) {
    using std::chrono::milliseconds;
    FairClock clock;
    FairGate gate(2, clock);
    FairShare share;
    EXPECT_FALSE(gate.isStill(milliseconds(0))) << "it has nothing to do";
    gate.enter(share, 1);
    std::this_thread::sleep_for(milliseconds(2));
    EXPECT_TRUE(gate.isStill(milliseconds(1)));
    gate.enter(share, 1);
    EXPECT_TRUE(gate.isStill(milliseconds(1))) << "what begins beside it ends nothing";
    EXPECT_FALSE(gate.isStill(std::chrono::hours(1)));
    gate.leave(1);
    EXPECT_FALSE(gate.isStill(std::chrono::hours(1)));
    gate.leave(1);
    EXPECT_FALSE(gate.isStill(milliseconds(0)));
}

/// Steps that all wait when the device's place comes free.
TEST(FairGateTest, clientsTakeTurnsByTheirWeights) {
    constexpr std::uint64_t kBytes = 1000;
    constexpr std::size_t kSteps = 12;
    FairClock clock;
    FairGate gate(1, clock);
    FairShare before;
    gate.enter(before, 1);
    std::vector<std::uint32_t> order;
    std::array<FairShare, 2> shares;
    std::vector<std::thread> steps;
    for (std::uint32_t weight : {1, 3}) {
        FairShare& share = shares[weight / 3];
        share.setWeight(weight);
        for (std::size_t i = 0; i < kSteps; i++) {
            steps.emplace_back([&order, &gate, &share, weight] {
                gate.enter(share, kBytes);
                order.push_back(weight);  // one at a time: who has the place
                gate.leave(kBytes);
            });
        }
    }
    while (gate.bytes() < 1 + 2 * kSteps * kBytes) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    gate.leave(1);
    for (std::thread& step : steps) {
        step.join();
    }
    auto heavy = std::count(order.begin(), order.begin() + std::ptrdiff_t{kSteps}, 3U);
    EXPECT_GE(heavy, 8);
    EXPECT_LE(heavy, 10);
    EXPECT_EQ(gate.bytes(), 0U);
}

}  // namespace
}  // namespace shredder::test
