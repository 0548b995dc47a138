// SPDX-License-Identifier: Apache-2.0
#include "coding/device_group.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace shredder::coding {
namespace {

/// What a device takes begins at a multiple of this.
constexpr std::size_t kDevicePieceBytes = 4096;

/// Passes every call on, but for the one that fails: of that one it passes on the first half.
class FaultyCodingDevice final : public CodingDevice {
  public:
    FaultyCodingDevice(std::unique_ptr<CodingDevice> device, std::vector<Fault> faults)
        : device_(std::move(device)), faults_(std::move(faults)) {}

    std::string name() const override { return device_->name(); }

    void apply(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
               std::size_t from, std::size_t bytes) override {
        std::uint64_t call = ++calls_;
        bool due =
            std::any_of(faults_.begin(), faults_.end(), [&](const Fault& f) { return f.call == call; });
        device_->apply(rows, inputs, outputs, from, due ? bytes / 2 : bytes);
        if (due) {
            throw Error(SHREDDER_DEVICE_ERROR,
                        "fault injected into code " + std::to_string(call) + " by SHREDDER_INJECT_FAULT");
        }
    }

  private:
    std::unique_ptr<CodingDevice> device_;
    std::vector<Fault> faults_;
    std::atomic<std::uint64_t> calls_{0};
};

/// A range for each of so many devices, or for fewer.
std::vector<ByteRange> shared(std::size_t bytes, std::size_t devices) {
    std::size_t each =
        ((bytes + devices - 1) / devices + kDevicePieceBytes - 1) / kDevicePieceBytes * kDevicePieceBytes;
    std::vector<ByteRange> ranges;
    for (std::size_t from = 0; from < bytes; from += each) {
        ranges.push_back({from, std::min(each, bytes - from)});
    }
    return ranges;
}

}  // namespace

DeviceGroup::DeviceGroup(std::vector<std::unique_ptr<CodingDevice>> devices) {
    for (auto& device : devices) {
        members_.push_back(std::make_unique<Member>());
        members_.back()->device = std::move(device);
    }
    if (members_.size() > 1) pool_ = std::make_unique<WorkerPool>(static_cast<unsigned>(members_.size()));
}

std::vector<ByteRange> DeviceGroup::apply(const Matrix& rows, const std::uint8_t* const* inputs,
                                          std::uint8_t* const* outputs, std::size_t bytes) {
    std::vector<Member*> members = working();
    if (members.empty()) return {{0, bytes}};
    std::vector<ByteRange> ranges = shared(bytes, members.size());
    std::vector<char> done(ranges.size(), 0);  // not bool: threads write side by side
    auto compute = [&](std::size_t i) {
        done[i] = tried(*members[i], rows, inputs, outputs, ranges[i]) ? 1 : 0;
    };
    if (ranges.size() == 1) {
        compute(0);
    } else {
        pool_->start(ranges.size(), compute).wait();
    }
    std::vector<ByteRange> left;
    for (std::size_t i = 0; i < ranges.size(); i++) {
        if (done[i] == 0) left.push_back(ranges[i]);
    }
    return left;
}

std::size_t DeviceGroup::failed() const {
    return static_cast<std::size_t>(
        std::count_if(members_.begin(), members_.end(), [](const auto& m) { return m->failed.load(); }));
}

std::vector<DeviceGroup::Member*> DeviceGroup::working() {
    std::vector<Member*> all;
    for (auto& member : members_) {
        if (!member->failed) all.push_back(member.get());
    }
    return all;
}

/// Whether the device has computed the range. Whatever it threw, the call goes on elsewhere.
bool DeviceGroup::tried(Member& member, const Matrix& rows, const std::uint8_t* const* inputs,
                        std::uint8_t* const* outputs, const ByteRange& range) {
    try {
        member.device->apply(rows, inputs, outputs, range.from, range.bytes);
        return true;
    } catch (...) {
        warn(member, Error::current());
        return false;
    }
}

/// Memory that is lacking now may be there for the next call.
void DeviceGroup::warn(Member& member, const Error& error) noexcept {
    bool passes = error.status() == SHREDDER_OUT_OF_MEMORY;
    if ((passes ? member.lackedMemory : member.failed).exchange(true)) return;
    std::fprintf(stderr, "shredder: warning: coding on %s failed, %s: %s\n", member.device->name().c_str(),
                 passes ? "and goes on elsewhere as often as that happens" : "it is no longer used for it",
                 error.what());
}

std::unique_ptr<CodingDevice> withFaults(std::unique_ptr<CodingDevice> device, std::size_t number,
                                         const std::vector<Fault>& faults) {
    std::vector<Fault> own;
    for (const Fault& fault : faults) {
        if (fault.device == number && fault.stage == Fault::Stage::Code) own.push_back(fault);
    }
    if (own.empty()) return device;
    return std::make_unique<FaultyCodingDevice>(std::move(device), std::move(own));
}

}  // namespace shredder::coding
