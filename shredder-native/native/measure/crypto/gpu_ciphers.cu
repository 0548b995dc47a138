// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/gpu_ciphers.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "measure/clocks.h"
#include "measure/crypto/cpu_ciphers.h"
#include "measure/crypto/device_ciphers.h"

namespace shredder::crypto {
namespace {

/// What goes over the link at once: small enough to overlap, large enough for its speed.
constexpr std::size_t kPieceBytes = 8ULL << 20;
constexpr std::size_t kStreams = 3;

/// With timing.
class TimedEvent {
  public:
    TimedEvent() { checkCuda(cudaEventCreate(&event_), "cudaEventCreate"); }
    TimedEvent(const TimedEvent&) = delete;
    TimedEvent& operator=(const TimedEvent&) = delete;
    ~TimedEvent() { logCuda(cudaEventDestroy(event_), "cudaEventDestroy"); }

    void record(cudaStream_t stream) const { checkCuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
    double secondsSince(const TimedEvent& begin) const {
        checkCuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
        float milliseconds = 0;
        checkCuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
        return milliseconds / 1e3;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// Messages first .. first + count of a batch.
struct Piece {
    std::size_t first;
    std::size_t count;
};

}  // namespace

struct GpuCiphers::State {
    State(std::size_t bytes, std::size_t outBytes, std::size_t workBytes)
        : hostIn(bytes), hostOut(outBytes), in(bytes), out(outBytes), scratch(workBytes) {
        std::uint8_t keyBytes[kKeyBytes];
        measuringKey(keyBytes);
        std::memcpy(&teaKey, keyBytes, sizeof teaKey);
        checkCuda(cudaMemcpy(key.get(), keyBytes, kKeyBytes, cudaMemcpyHostToDevice), "copy of a key");
        enqueueAesGcmKey(key.get(), aesKey.get(), streams[0].view());
        streams[0].synchronize();
    }

    void enqueue(const std::string& algorithm, std::size_t length, Piece piece, cudaStream_t stream) {
        const std::size_t outBytes = outputBytes(algorithm, length);
        const std::uint8_t* from = in.get() + piece.first * length;
        std::uint8_t* to = out.get() + piece.first * outBytes;
        if (algorithm == "crc-32") {
            crc.enqueue(from, length, piece.count, reinterpret_cast<std::uint32_t*>(to), stream);
        } else if (algorithm == "tea") {
            enqueueTea(teaKey, from, to, piece.count * length, stream);
        } else {
            DeviceBatch batch{};
            batch.in = from;
            batch.out = to;
            batch.tags = to + length;
            batch.inStride = length;
            batch.outStride = batch.tagStride = outBytes;
            batch.firstSequence = piece.first;
            batch.length = static_cast<std::uint32_t>(length);
            batch.count = static_cast<std::uint32_t>(piece.count);
            std::uint8_t* work = scratch.get() + scratchBytes(piece.first, length);
            if (algorithm == "aes-256-gcm") {
                enqueueAesGcm(aesKey.get(), batch, work, stream);
            } else if (algorithm == "chacha20-poly1305") {
                enqueueChachaPoly(key.get(), batch, work, stream);
            } else {
                throw std::invalid_argument("no cipher '" + algorithm + "' on a GPU");
            }
        }
    }

    double overLink(const std::string& algorithm, std::size_t length, std::size_t count, bool withKernel) {
        const std::size_t outBytes = outputBytes(algorithm, length);
        const std::size_t each = std::max<std::size_t>(1, kPieceBytes / std::max<std::size_t>(length, 1));
        double begin = tools::wallSeconds();
        for (Piece piece{0, 0}; piece.first < count; piece.first += piece.count) {
            piece.count = std::min(each, count - piece.first);
            cudaStream_t stream = streams[piece.first / each % kStreams].view();
            checkCuda(cudaMemcpyAsync(in.get() + piece.first * length, hostIn.get() + piece.first * length,
                                      piece.count * length, cudaMemcpyHostToDevice, stream),
                      "copy to the GPU");
            if (withKernel) enqueue(algorithm, length, piece, stream);
            checkCuda(
                cudaMemcpyAsync(hostOut.get() + piece.first * outBytes, out.get() + piece.first * outBytes,
                                piece.count * outBytes, cudaMemcpyDeviceToHost, stream),
                "copy from the GPU");
        }
        for (const CudaStream& stream : streams) {
            stream.synchronize();
        }
        return tools::wallSeconds() - begin;
    }

    PinnedMemory<std::uint8_t> hostIn;
    PinnedMemory<std::uint8_t> hostOut;
    DeviceMemory<std::uint8_t> in;
    DeviceMemory<std::uint8_t> out;
    DeviceMemory<std::uint8_t> scratch;
    DeviceMemory<std::uint8_t> key{kKeyBytes};
    DeviceMemory<AesGcmDeviceKey> aesKey{1};
    TeaKey teaKey{};
    DeviceCrc32 crc;
    CudaStream streams[kStreams];
};

GpuCiphers::GpuCiphers(std::size_t bytes, std::size_t least)
    : state_(std::make_unique<State>(bytes, bytes + bytes / least * kTagBytes,
                                     scratchBytes(bytes / least + bytes / kSegmentBytes, 1))) {}

GpuCiphers::~GpuCiphers() = default;

std::uint8_t* GpuCiphers::in() {
    return state_->hostIn.get();
}

const std::uint8_t* GpuCiphers::out() const {
    return state_->hostOut.get();
}

double GpuCiphers::run(const std::string& algorithm, std::size_t length, std::size_t count) {
    return state_->overLink(algorithm, length, count, true);
}

double GpuCiphers::copy(const std::string& algorithm, std::size_t length, std::size_t count) {
    return state_->overLink(algorithm, length, count, false);
}

double GpuCiphers::kernel(const std::string& algorithm, std::size_t length, std::size_t count, int repeats) {
    cudaStream_t stream = state_->streams[0].view();
    TimedEvent begin;
    TimedEvent end;
    begin.record(stream);
    for (int i = 0; i < repeats; i++) {
        state_->enqueue(algorithm, length, {0, count}, stream);
    }
    end.record(stream);
    return end.secondsSince(begin) / repeats;
}

}  // namespace shredder::crypto
