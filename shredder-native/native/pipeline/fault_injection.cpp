// SPDX-License-Identifier: Apache-2.0
#include "pipeline/fault_injection.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "pipeline/error.h"

namespace shredder {
namespace {

constexpr const char* kFaultVariable = "SHREDDER_INJECT_FAULT";
constexpr std::array<const char*, 5> kStageNames = {"scan", "candidates", "digest", "finish", "code"};

/// Passes every call on, but for the one that fails.
class FaultyDevice final : public Device {
  public:
    FaultyDevice(std::unique_ptr<Device> device, std::vector<Fault> faults)
        : device_(std::move(device)), faults_(std::move(faults)) {}

    std::string name() const override { return device_->name(); }
    bool isGpu() const override { return device_->isGpu(); }
    std::uint64_t bytesOfOthers() const override { return device_->bytesOfOthers(); }
    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool pinned) override {
        return device_->createHostMemory(bytes, pinned);
    }
    std::unique_ptr<Workspace> createWorkspace(const BufferGeometry& geometry) override {
        return device_->createWorkspace(geometry);
    }
    void scan(const Job& job, Workspace& workspace) override {
        failIfDue(Fault::Stage::Scan);
        device_->scan(job, workspace);
    }
    Candidates candidates(const Job& job, Workspace& workspace) override {
        failIfDue(Fault::Stage::Candidates);
        return device_->candidates(job, workspace);
    }
    void digest(const Job& job, Workspace& workspace) override {
        failIfDue(Fault::Stage::Digest);
        device_->digest(job, workspace);
    }
    void finish(Job& job, Workspace& workspace) override {
        failIfDue(Fault::Stage::Finish);
        device_->finish(job, workspace);
    }
    void abandon(Workspace& workspace) noexcept override { device_->abandon(workspace); }
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) override {
        device_->digestBatch(data, offsets, lengths, count, algorithm, digests);
    }
    std::uint64_t bytesScanned() const override { return device_->bytesScanned(); }

  private:
    void failIfDue(Fault::Stage stage) {
        auto index = static_cast<std::size_t>(stage);
        std::uint64_t call = ++calls_[index];
        for (const Fault& fault : faults_) {
            if (fault.stage == stage && fault.call == call) {
                throw Error(SHREDDER_DEVICE_ERROR, std::string("fault injected into ") + kStageNames[index] +
                                                       " " + std::to_string(call) + " by " + kFaultVariable);
            }
        }
    }

    std::unique_ptr<Device> device_;
    std::vector<Fault> faults_;
    std::array<std::atomic<std::uint64_t>, kStageNames.size()> calls_{};
};

template <typename Number>
bool parse(const std::string& text, Number& number) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

bool parse(const std::string& text, Fault::Stage& stage) {
    for (std::size_t i = 0; i < kStageNames.size(); i++) {
        if (text == kStageNames[i]) {
            stage = static_cast<Fault::Stage>(i);
            return true;
        }
    }
    return false;
}

Fault faultOf(const std::string& text) {
    std::istringstream parts(text);
    std::string device;
    std::string stage;
    std::string call;
    std::getline(parts, device, ':');
    std::getline(parts, stage, ':');
    std::getline(parts, call);
    Fault fault{};
    if (parse(device, fault.device) && parse(stage, fault.stage) && parse(call, fault.call)) return fault;
    throw Error(SHREDDER_INVALID_ARGUMENT,
                std::string(kFaultVariable) + ": '" + text +
                    "' is not DEVICE:STAGE:N with scan, candidates, digest, finish or code as STAGE");
}

}  // namespace

std::vector<Fault> faultsFromEnvironment() {
    const char* value = std::getenv(kFaultVariable);
    std::vector<Fault> faults;
    std::istringstream list(value == nullptr ? "" : value);
    for (std::string text; std::getline(list, text, ',');) {
        faults.push_back(faultOf(text));
    }
    return faults;
}

std::unique_ptr<Device> withFaults(std::unique_ptr<Device> device, std::size_t number,
                                   const std::vector<Fault>& faults) {
    std::vector<Fault> own;
    for (const Fault& fault : faults) {
        if (fault.device == number) own.push_back(fault);
    }
    if (own.empty()) return device;
    return std::make_unique<FaultyDevice>(std::move(device), std::move(own));
}

}  // namespace shredder
