// SPDX-License-Identifier: Apache-2.0
//
// What the natives share: handles, copies of arrays, and the one place where a status or a C++ exception
// becomes the exception that EngineFailure.of gives.
#pragma once

#include <jni.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include "shredder.h"

#define SHREDDER_NATIVE(type, name) \
    extern "C" JNIEXPORT type JNICALL Java_io_shredder_engine_ShredderJni_##name

namespace shredder::jni {

template <typename T>
T* pointer(jlong handle) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(handle));
}

template <typename T>
jlong handle(T* object) {
    return static_cast<jlong>(reinterpret_cast<std::uintptr_t>(object));
}

/// The text's bytes as they are: JNI's own strings are not quite UTF-8.
inline jbyteArray utf8(JNIEnv* env, const char* text) {
    auto size = static_cast<jsize>(std::strlen(text));
    jbyteArray bytes = env->NewByteArray(size);
    if (bytes != nullptr) env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text));
    return bytes;
}

inline void copyRegion(JNIEnv* env, jbyteArray array, jsize count, void* target) {
    env->GetByteArrayRegion(array, 0, count, static_cast<jbyte*>(target));
}

inline void copyRegion(JNIEnv* env, jintArray array, jsize count, void* target) {
    env->GetIntArrayRegion(array, 0, count, static_cast<jint*>(target));
}

inline void copyRegion(JNIEnv* env, jlongArray array, jsize count, void* target) {
    env->GetLongArrayRegion(array, 0, count, static_cast<jlong*>(target));
}

/// A copy of an array, whose elements are as long as T.
template <typename T, typename Array>
std::vector<T> elements(JNIEnv* env, Array array) {
    std::vector<T> copy(static_cast<std::size_t>(env->GetArrayLength(array)));
    copyRegion(env, array, static_cast<jsize>(copy.size()), copy.data());
    return copy;
}

/// Copies a part of one of these arrays of bytes. While it does the garbage collector waits, and no longer:
/// nothing computes on memory of Java's heap. False if an exception is pending.
inline bool copyPart(JNIEnv* env, jobjectArray arrays, std::size_t index, std::uint32_t from,
                     std::uint32_t bytes, std::uint8_t* target) {
    auto array = static_cast<jbyteArray>(env->GetObjectArrayElement(arrays, static_cast<jsize>(index)));
    if (array == nullptr) return false;
    env->GetByteArrayRegion(array, static_cast<jsize>(from), static_cast<jsize>(bytes),
                            reinterpret_cast<jbyte*>(target));
    env->DeleteLocalRef(array);
    return env->ExceptionCheck() == JNI_FALSE;
}

/// Makes the exception that belongs to a status pending, unless one is pending already.
inline void raise(JNIEnv* env, shredder_status status, const char* problem) {
    if (env->ExceptionCheck() == JNI_TRUE) return;
    jclass failure = env->FindClass("io/shredder/engine/EngineFailure");
    if (failure == nullptr) return;
    jmethodID of = env->GetStaticMethodID(failure, "of", "(I[B)Ljava/lang/Throwable;");
    if (of == nullptr) return;
    jbyteArray text = utf8(env, problem);
    if (text == nullptr) return;
    auto* exception =
        static_cast<jthrowable>(env->CallStaticObjectMethod(failure, of, static_cast<jint>(status), text));
    if (exception != nullptr) env->Throw(exception);
}

/// True if OK; else a Java exception is pending.
inline bool succeeded(JNIEnv* env, shredder_status status) {
    if (status != SHREDDER_OK) raise(env, status, shredder_last_error());
    return status == SHREDDER_OK;
}

/// The body of a native that needs memory of its own. A C++ exception must not get into the JVM: it becomes a
/// Java one, and the native returns nothing.
template <typename Body>
auto guarded(JNIEnv* env, Body body) noexcept -> decltype(body()) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        raise(env, SHREDDER_OUT_OF_MEMORY, "out of memory at the door between Java and the engine");
    } catch (const std::exception& error) {
        raise(env, SHREDDER_INTERNAL, error.what());
    }
    return decltype(body())();
}

}  // namespace shredder::jni
