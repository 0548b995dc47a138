// SPDX-License-Identifier: Apache-2.0
//
// Takes the place of the C++ library's operator new and of the C library's pthread_create.
#include "tests/shortage.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace shredder::test {
namespace {

std::atomic<bool> active{false};
std::atomic<Resource> scarce{Resource::Memory};
std::atomic<Duration> howLong{Duration::Once};
std::atomic<std::uint64_t> failing{0};
std::atomic<std::uint64_t> requests{0};

bool isRefused(Resource resource) {
    if (!active || scarce != resource) return false;
    std::uint64_t number = ++requests;
    return howLong == Duration::Once ? number == failing : number >= failing;
}

}  // namespace

Shortage::Shortage(Resource resource, std::uint64_t number, Duration duration) {
    scarce = resource;
    howLong = duration;
    failing = number;
    requests = 0;
    active = true;
}

Shortage::~Shortage() {
    active = false;
}

bool Shortage::struck() const {
    return requests >= failing;
}

// What follows is where memory comes from.
// NOLINTBEGIN(cppcoreguidelines-owning-memory)

namespace {

void* allocate(std::size_t bytes) noexcept {
    return isRefused(Resource::Memory) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}

void* allocate(std::size_t bytes, std::align_val_t alignment) noexcept {
    auto unit = static_cast<std::size_t>(alignment);
    if (isRefused(Resource::Memory)) return nullptr;
    return std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
}

void* orThrow(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace
}  // namespace shredder::test

using shredder::test::allocate;
using shredder::test::orThrow;

void* operator new(std::size_t bytes) {
    return orThrow(allocate(bytes));
}
void* operator new[](std::size_t bytes) {
    return orThrow(allocate(bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return orThrow(allocate(bytes, alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return orThrow(allocate(bytes, alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(bytes, alignment);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(memory);
}

// NOLINTEND(cppcoreguidelines-owning-memory)

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*body)(void*),
                                                                     void* argument) noexcept {
    static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    if (shredder::test::isRefused(shredder::test::Resource::Thread)) return EAGAIN;
    return real(thread, attributes, body, argument);
}
