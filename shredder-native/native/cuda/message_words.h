// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shredder {

enum class ByteOrder { Big, Little };

/// Reads a message's words, wherever in memory it begins: a word is put together from two aligned ones by a
/// byte permutation, which also turns its bytes round. May read up to four bytes beyond what it is asked for.
template <ByteOrder Order>
class MessageWords {
  public:
    __device__ explicit MessageWords(const std::uint8_t* data) {
        auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data) % 4);
        aligned_ = reinterpret_cast<const std::uint32_t*>(data - misalignment);
        selector_ = (Order == ByteOrder::Big ? 0x0123U : 0x3210U) + misalignment * 0x1111U;
    }

    /// The next sixteen words.
    __device__ void next(std::uint32_t (&words)[16]) {
        std::uint32_t current = aligned_[0];
#pragma unroll
        for (int i = 0; i < 16; i++) {
            std::uint32_t following = aligned_[i + 1];
            words[i] = __byte_perm(current, following, selector_);
            current = following;
        }
        aligned_ += 16;
    }

    /// The next `bytes` bytes, fewer than 64, and zeros; a byte 0x80 behind them if marked.
    __device__ void last(std::uint32_t (&words)[16], std::uint32_t bytes, bool marked) {
        std::uint32_t current = aligned_[0];
#pragma unroll
        for (int i = 0; i < 16; i++) {
            auto at = static_cast<std::uint32_t>(4 * i);
            std::uint32_t following = at < bytes ? aligned_[i + 1] : 0;
            std::uint32_t word = __byte_perm(current, following, selector_);
            std::uint32_t valid = bytes <= at ? 0 : bytes - at;
            if (valid < 4) word = cutOff(word, valid) | (marked && bytes >= at ? mark(valid) : 0);
            words[i] = word;
            current = following;
        }
    }

  private:
    /// valid is below 4.
    __device__ static std::uint32_t cutOff(std::uint32_t word, std::uint32_t valid) {
        if (Order == ByteOrder::Big) return valid == 0 ? 0 : word & (~0U << (32 - 8 * valid));
        return word & ((1U << (8 * valid)) - 1);
    }

    __device__ static std::uint32_t mark(std::uint32_t at) {
        return Order == ByteOrder::Big ? 0x80000000U >> (8 * at) : 0x80U << (8 * at);
    }

    const std::uint32_t* aligned_;
    std::uint32_t selector_;
};

}  // namespace shredder
