// SPDX-License-Identifier: Apache-2.0
#include "tests/device_rig.h"

#include <algorithm>
#include <cstring>

#include "cpu/cpu_device.h"

namespace shredder::test {
namespace {

std::unique_ptr<Device> plainDevice(const std::string& name) {
    return openCpuDevice(name, cpuKernels(SHREDDER_BACKEND_SCALAR, cpuFeatures()).value(), 1);
}

Devices watchedDevices(const std::vector<WatchedDevice::Watch>& watches, ScanLog& log) {
    Devices devices;
    for (const auto& watch : watches) {
        devices.push_back(
            std::make_unique<WatchedDevice>("watched:" + std::to_string(devices.size()), watch, &log));
    }
    return devices;
}

SchedulerOptions optionsOf(shredder_scheduling policy, std::size_t jobsUnderWay) {
    return {.policy = policy,
            .pipeline = {.jobsUnderWay = jobsUnderWay, .reuseWorkspaces = true},
            .openSubstitute = [](std::size_t) { return plainDevice("substitute"); }};
}

}  // namespace

WatchedDevice::WatchedDevice(std::string name, Watch watch, ScanLog* log)
    : name_(std::move(name)), watch_(std::move(watch)), log_(log), device_(plainDevice(name_)) {}

void WatchedDevice::tell(Call call) {
    int number = ++numbers_[static_cast<std::size_t>(call)];
    if (watch_) watch_(call, number);
}

std::unique_ptr<HostMemory> WatchedDevice::createHostMemory(std::size_t bytes, bool pinned) {
    return device_->createHostMemory(bytes, pinned);
}

std::unique_ptr<Workspace> WatchedDevice::createWorkspace(const BufferGeometry& geometry) {
    tell(Call::CreateWorkspace);
    return device_->createWorkspace(geometry);
}

void WatchedDevice::scan(const Job& job, Workspace& workspace) {
    tell(Call::Scan);
    if (log_ != nullptr) log_->add(job.plan->id);
    device_->scan(job, workspace);
}

Candidates WatchedDevice::candidates(const Job& job, Workspace& workspace) {
    tell(Call::Candidates);
    return device_->candidates(job, workspace);
}

void WatchedDevice::digest(const Job& job, Workspace& workspace) {
    tell(Call::Digest);
    device_->digest(job, workspace);
}

void WatchedDevice::finish(Job& job, Workspace& workspace) {
    tell(Call::Finish);
    device_->finish(job, workspace);
}

void WatchedDevice::abandon(Workspace& workspace) noexcept {
    tell(Call::Abandon);
    device_->abandon(workspace);
}

void WatchedDevice::digestBatch(const std::uint8_t* data, const std::uint64_t* offsets,
                                const std::uint32_t* lengths, std::size_t count, DigestAlgorithm algorithm,
                                std::uint8_t* digests) {
    tell(Call::Digest);
    device_->digestBatch(data, offsets, lengths, count, algorithm, digests);
}

DeviceRig::DeviceRig(const std::vector<WatchedDevice::Watch>& watches, shredder_scheduling policy,
                     std::size_t jobsUnderWay)
    : scheduler(watchedDevices(watches, log), optionsOf(policy, jobsUnderWay), meter),
      memory([this](std::size_t bytes) { return scheduler.createHostMemory(bytes, true); }, true, meter) {}

std::unique_ptr<Stream> DeviceRig::openStream(const shredder_params& params, std::size_t buffers) {
    static std::atomic<std::uint64_t> id{1ULL << 40};
    StreamPlan plan{.id = id++,
                    .scan = scanSpec(params),
                    .rules = cutRules(params),
                    .geometry = {kBufferBytes, kBufferBytes / params.min_bytes + 3},
                    .computeDigests = true,
                    .digestAlgorithm = DigestAlgorithm::Sha256};
    return std::make_unique<Stream>(scheduler, memory, meter, plan, buffers, nullptr);
}

void put(Stream& stream, const Bytes& bytes, bool last) {
    Stream::Payload payload = stream.acquire();
    if (!bytes.empty()) std::memcpy(payload.data, bytes.data(), bytes.size());
    stream.submit(bytes.size(), last);
}

void putAll(Stream& stream, const Bytes& data) {
    for (std::size_t at = 0;;) {
        std::size_t end = std::min(data.size(), at + kBufferBytes);
        auto begin = data.begin();
        put(stream, Bytes(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end)),
            end == data.size());
        if (end == data.size()) return;
        at = end;
    }
}

std::vector<ChunkValue> takeAll(Stream& stream) {
    std::vector<ChunkValue> chunks;
    while (auto batch = stream.next()) {
        for (std::uint64_t i = 0; i < batch->record_count; i++) {
            const shredder_record& record = batch->records[i];
            chunks.push_back({record.offset, record.length, (record.flags & SHREDDER_RECORD_SEGMENT_END) != 0,
                              hexOf(record.digest, sizeof record.digest)});
        }
        stream.release();
    }
    return chunks;
}

std::vector<ChunkValue> runThrough(Stream& stream, const Bytes& data) {
    auto reader = std::async(std::launch::async, [&] { putAll(stream, data); });
    std::vector<ChunkValue> chunks = takeAll(stream);
    reader.get();
    return chunks;
}

}  // namespace shredder::test
