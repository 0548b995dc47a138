// SPDX-License-Identifier: Apache-2.0
//
// The natives of io.shredder.engine.coding.CodingJni: a doorway to the coder of the C API. Java checks counts
// and lengths; that shards lie within their buffers is proved here once more, where memory is touched.
#include <array>
#include <cstdint>

#include "jni/natives.h"

#define CODING_NATIVE(type, name) \
    extern "C" JNIEXPORT type JNICALL Java_io_shredder_engine_coding_CodingJni_##name

namespace {

using namespace shredder::jni;

/// No code has more.
constexpr jsize kMostShards = 256;

/// Where shards are; on the stack, since coding a few cells takes no longer than finding memory.
struct Addresses {
    std::array<std::uint8_t*, kMostShards> of{};
};

/// The addresses of so many bytes of direct buffers from these places on; null where there is no buffer.
/// False if an exception is pending: also if they don't lie within a buffer.
bool find(JNIEnv* env, jobjectArray buffers, jintArray places, jint bytes, Addresses& found) {
    std::array<jint, kMostShards> at;
    jsize count = env->GetArrayLength(buffers);
    if (count > kMostShards) {
        raise(env, SHREDDER_INVALID_ARGUMENT, "more shards than any code has");
        return false;
    }
    env->GetIntArrayRegion(places, 0, count, at.data());
    if (env->ExceptionCheck() == JNI_TRUE) return false;
    for (jsize i = 0; i < count; i++) {
        jobject buffer = env->GetObjectArrayElement(buffers, i);
        if (buffer == nullptr) continue;
        auto* begin = static_cast<std::uint8_t*>(env->GetDirectBufferAddress(buffer));
        jlong capacity = env->GetDirectBufferCapacity(buffer);
        env->DeleteLocalRef(buffer);
        if (begin == nullptr) {
            raise(env, SHREDDER_INVALID_ARGUMENT, "a buffer is not direct");
            return false;
        }
        jint place = at[static_cast<std::size_t>(i)];
        if (bytes < 0 || place < 0 || place > capacity - bytes) {
            raise(env, SHREDDER_INVALID_ARGUMENT, "a shard does not lie within its buffer");
            return false;
        }
        found.of[static_cast<std::size_t>(i)] = begin + place;
    }
    return true;
}

}  // namespace

CODING_NATIVE(jlong, open)
(JNIEnv* env, jclass, jint code, jint data, jint parity, jint threads, jboolean onGpus, jint gpu) {
    shredder_coder_options options{.code = static_cast<std::uint32_t>(code),
                                   .data_shards = static_cast<std::uint32_t>(data),
                                   .parity_shards = static_cast<std::uint32_t>(parity),
                                   .backend = onGpus == JNI_TRUE ? std::uint32_t{SHREDDER_BACKEND_CUDA}
                                                                 : std::uint32_t{SHREDDER_BACKEND_AUTO},
                                   .threads = static_cast<std::uint32_t>(threads),
                                   .device = gpu};
    shredder_coder* coder = nullptr;
    return succeeded(env, shredder_coder_open(&options, &coder)) ? handle(coder) : 0;
}

CODING_NATIVE(jstring, form)(JNIEnv* env, jclass, jlong coder) {
    shredder_coder_info info{};
    if (!succeeded(env, shredder_coder_describe(pointer<shredder_coder>(coder), &info))) return nullptr;
    return env->NewStringUTF(info.form);
}

CODING_NATIVE(void, encode)
(JNIEnv* env, jclass, jlong coder, jobjectArray data, jintArray dataAt, jobjectArray parity,
 jintArray parityAt, jint bytes) {
    Addresses from;
    Addresses to;
    if (!find(env, data, dataAt, bytes, from) || !find(env, parity, parityAt, bytes, to)) return;
    succeeded(env, shredder_coder_encode(pointer<shredder_coder>(coder), from.of.data(), to.of.data(),
                                         static_cast<std::uint64_t>(bytes)));
}

CODING_NATIVE(void, decode)
(JNIEnv* env, jclass, jlong coder, jobjectArray shards, jintArray shardsAt, jintArray wanted,
 jobjectArray outputs, jintArray outputsAt, jint bytes) {
    Addresses from;
    Addresses to;
    if (!find(env, shards, shardsAt, bytes, from) || !find(env, outputs, outputsAt, bytes, to)) return;
    std::array<std::uint32_t, kMostShards> numbers;
    jsize count = env->GetArrayLength(wanted);
    if (count > kMostShards) {
        raise(env, SHREDDER_INVALID_ARGUMENT, "more shards are wanted than any code has");
        return;
    }
    copyRegion(env, wanted, count, numbers.data());
    if (env->ExceptionCheck() == JNI_TRUE) return;
    succeeded(env, shredder_coder_decode(pointer<shredder_coder>(coder), from.of.data(), numbers.data(),
                                         static_cast<std::size_t>(count), to.of.data(),
                                         static_cast<std::uint64_t>(bytes)));
}

CODING_NATIVE(void, close)(JNIEnv*, jclass, jlong coder) {
    shredder_coder_close(pointer<shredder_coder>(coder));
}
