// SPDX-License-Identifier: Apache-2.0
//
// The natives of io.shredder.engine.ShredderJni: a doorway to the C API and nothing more. Java checks ranges
// and lifetimes; a status that is not OK becomes the exception that EngineFailure.of gives, here and nowhere
// else.
#include <jni.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "shredder.h"

namespace {

/// Bytes of the parameter block, docs/formats/chunking.md section 7.
constexpr jsize kParamBlockBytes = 56;

template <typename T>
T* pointer(jlong handle) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(handle));
}

template <typename T>
jlong handle(T* object) {
    return static_cast<jlong>(reinterpret_cast<std::uintptr_t>(object));
}

/// The text's bytes as they are: JNI's own strings are not quite UTF-8.
jbyteArray utf8(JNIEnv* env, const char* text) {
    auto size = static_cast<jsize>(std::strlen(text));
    jbyteArray bytes = env->NewByteArray(size);
    if (bytes != nullptr) env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text));
    return bytes;
}

void copyRegion(JNIEnv* env, jbyteArray array, jsize count, void* target) {
    env->GetByteArrayRegion(array, 0, count, static_cast<jbyte*>(target));
}

void copyRegion(JNIEnv* env, jintArray array, jsize count, void* target) {
    env->GetIntArrayRegion(array, 0, count, static_cast<jint*>(target));
}

void copyRegion(JNIEnv* env, jlongArray array, jsize count, void* target) {
    env->GetLongArrayRegion(array, 0, count, static_cast<jlong*>(target));
}

/// A copy of an array, whose elements are as long as T.
template <typename T, typename Array>
std::vector<T> elements(JNIEnv* env, Array array) {
    std::vector<T> copy(static_cast<std::size_t>(env->GetArrayLength(array)));
    copyRegion(env, array, static_cast<jsize>(copy.size()), copy.data());
    return copy;
}

/// Makes the exception that belongs to a status pending, unless one is pending already.
void raise(JNIEnv* env, shredder_status status, const char* problem) {
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
bool succeeded(JNIEnv* env, shredder_status status) {
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

std::uint64_t bigEndian(const std::uint8_t* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value = (value << 8) | bytes[i];
    }
    return value;
}

shredder_params paramsOf(const std::uint8_t block[kParamBlockBytes], bool computeDigests) {
    return {.polynomial = bigEndian(block, 8),
            .marker = bigEndian(block + 16, 8),
            .min_bytes = bigEndian(block + 24, 8),
            .max_bytes = bigEndian(block + 32, 8),
            .segment_min_bytes = bigEndian(block + 40, 8),
            .segment_max_bytes = bigEndian(block + 48, 8),
            .mask_bits = block[10],
            .segment_mask_bits = block[11],
            .digest_algorithm = block[12],
            .compute_digests = computeDigests ? 1U : 0U};
}

jobjectArray strings(JNIEnv* env, const std::vector<std::string>& values) {
    jclass type = env->FindClass("java/lang/String");
    if (type == nullptr) return nullptr;
    jobjectArray array = env->NewObjectArray(static_cast<jsize>(values.size()), type, nullptr);
    for (std::size_t i = 0; array != nullptr && i < values.size(); i++) {
        jstring text = env->NewStringUTF(values[i].c_str());
        if (text == nullptr) return nullptr;
        env->SetObjectArrayElement(array, static_cast<jsize>(i), text);
        env->DeleteLocalRef(text);
    }
    return array;
}

/// Views of memory that Java only reads.
jobjectArray directBuffers(JNIEnv* env, const shredder_batch& batch) {
    jclass type = env->FindClass("java/nio/ByteBuffer");
    if (type == nullptr) return nullptr;
    jobjectArray array = env->NewObjectArray(2, type, nullptr);
    if (array == nullptr) return nullptr;
    jobject data =
        env->NewDirectByteBuffer(const_cast<std::uint8_t*>(batch.data), static_cast<jlong>(batch.data_bytes));
    if (data == nullptr) return nullptr;
    jobject records =
        env->NewDirectByteBuffer(const_cast<shredder_record*>(batch.records),
                                 static_cast<jlong>(batch.record_count * sizeof(shredder_record)));
    if (records == nullptr) return nullptr;
    env->SetObjectArrayElement(array, 0, data);
    env->SetObjectArrayElement(array, 1, records);
    return array;
}

/// Chunks that are wanted at a place in direct memory: of each 32 bytes of identities, and a length.
class WantedChunks {
  public:
    /// An exception may be pending then.
    WantedChunks(JNIEnv* env, jbyteArray identities, jintArray lengths, jobject target, jint at)
        : identities_(elements<std::uint8_t>(env, identities)),
          target_(static_cast<std::uint8_t*>(env->GetDirectBufferAddress(target)) + at) {
        for (std::uint32_t bytes : elements<std::uint32_t>(env, lengths)) {
            names_.push_back({identities_.data() + names_.size() * SHREDDER_DIGEST_BYTES, bytes});
        }
    }

    const std::vector<shredder_chunk_name>& names() const { return names_; }
    std::uint8_t* target() const { return target_; }

  private:
    std::vector<std::uint8_t> identities_;
    std::vector<shredder_chunk_name> names_;
    std::uint8_t* target_;
};

/// Arrays that the garbage collector leaves where they are: meanwhile nothing may be asked of Java.
class PinnedArrays {
  public:
    explicit PinnedArrays(JNIEnv* env, jobjectArray arrays) : env_(env) {
        jsize count = env->GetArrayLength(arrays);
        if (env->EnsureLocalCapacity(count) != JNI_OK) return;
        std::vector<jbyteArray> found;
        found.reserve(static_cast<std::size_t>(count));
        pinned_.reserve(static_cast<std::size_t>(count));  // nothing throws while arrays are pinned
        for (jsize i = 0; i < count; i++) {
            found.push_back(static_cast<jbyteArray>(env->GetObjectArrayElement(arrays, i)));
        }
        for (jbyteArray array : found) {
            void* bytes = env->GetPrimitiveArrayCritical(array, nullptr);
            if (bytes == nullptr) return;
            pinned_.push_back({array, static_cast<std::uint8_t*>(bytes)});
        }
        complete_ = true;
    }
    PinnedArrays(const PinnedArrays&) = delete;
    PinnedArrays& operator=(const PinnedArrays&) = delete;
    ~PinnedArrays() {
        for (const Pinned& pinned : pinned_) {
            env_->ReleasePrimitiveArrayCritical(pinned.array, pinned.bytes, JNI_ABORT);
        }
    }

    /// Else an exception is pending.
    bool complete() const { return complete_; }
    const std::uint8_t* operator[](std::size_t i) const { return pinned_[i].bytes; }

  private:
    struct Pinned {
        jbyteArray array;
        std::uint8_t* bytes;
    };

    JNIEnv* env_;
    std::vector<Pinned> pinned_;
    bool complete_ = false;
};

}  // namespace

#define SHREDDER_NATIVE(type, name) \
    extern "C" JNIEXPORT type JNICALL Java_io_shredder_engine_ShredderJni_##name

SHREDDER_NATIVE(jint, abiVersion)(JNIEnv*, jclass) {
    return static_cast<jint>(shredder_abi_version());
}

/// Three strings a backend: name, "true" or "false", detail.
SHREDDER_NATIVE(jobjectArray, backends)(JNIEnv* env, jclass) {
    return guarded(env, [&]() -> jobjectArray {
        std::vector<shredder_backend_info> infos(16);
        std::size_t count = 0;
        if (!succeeded(env, shredder_backends(infos.data(), infos.size(), &count))) return nullptr;
        std::vector<std::string> values;
        for (std::size_t i = 0; i < count; i++) {
            values.insert(values.end(),
                          {infos[i].name, infos[i].available != 0 ? "true" : "false", infos[i].detail});
        }
        return strings(env, values);
    });
}

SHREDDER_NATIVE(jlong, openEngine)
(JNIEnv* env, jclass, jint backend, jint device, jlong bufferBytes, jint depth, jint cpuThreads,
 jint switches, jint scheduling, jint deviceCount) {
    shredder_engine_options options{.backend = static_cast<std::uint32_t>(backend),
                                    .device = device,
                                    .buffer_bytes = static_cast<std::uint64_t>(bufferBytes),
                                    .pipeline_depth = static_cast<std::uint32_t>(depth),
                                    .cpu_threads = static_cast<std::uint32_t>(cpuThreads),
                                    .switches = static_cast<std::uint32_t>(switches),
                                    .scheduling = static_cast<std::uint32_t>(scheduling),
                                    .device_count = static_cast<std::uint32_t>(deviceCount)};
    shredder_engine* engine = nullptr;
    return succeeded(env, shredder_engine_open(&options, &engine)) ? handle(engine) : 0;
}

/// Backend and choice.
SHREDDER_NATIVE(jobjectArray, engineTexts)(JNIEnv* env, jclass, jlong engine) {
    return guarded(env, [&]() -> jobjectArray {
        shredder_engine_info info{};
        if (!succeeded(env, shredder_engine_describe(pointer<shredder_engine>(engine), &info)))
            return nullptr;
        return strings(env, {info.backend, info.choice});
    });
}

/// In the order of EngineFigures.
SHREDDER_NATIVE(jlongArray, engineFigures)(JNIEnv* env, jclass, jlong engine) {
    shredder_engine_info info{};
    if (!succeeded(env, shredder_engine_describe(pointer<shredder_engine>(engine), &info))) return nullptr;
    const std::array<jlong, 8> values{info.devices,
                                      info.devices_failed,
                                      info.pipeline_depth,
                                      static_cast<jlong>(info.buffer_bytes),
                                      static_cast<jlong>(info.bytes_scanned),
                                      static_cast<jlong>(info.host_bytes),
                                      static_cast<jlong>(info.pinned_bytes),
                                      static_cast<jlong>(info.device_bytes)};
    jlongArray array = env->NewLongArray(values.size());
    if (array != nullptr) env->SetLongArrayRegion(array, 0, values.size(), values.data());
    return array;
}

SHREDDER_NATIVE(void, closeEngine)(JNIEnv* env, jclass, jlong engine) {
    succeeded(env, shredder_engine_close(pointer<shredder_engine>(engine)));
}

SHREDDER_NATIVE(jlong, openStream)
(JNIEnv* env, jclass, jlong engine, jbyteArray paramBlock, jboolean computeDigests) {
    std::uint8_t block[kParamBlockBytes];
    env->GetByteArrayRegion(paramBlock, 0, kParamBlockBytes, reinterpret_cast<jbyte*>(block));
    if (env->ExceptionCheck() == JNI_TRUE) return 0;
    shredder_params params = paramsOf(block, computeDigests == JNI_TRUE);
    shredder_stream* stream = nullptr;
    shredder_status status = shredder_stream_open(pointer<shredder_engine>(engine), &params, &stream);
    return succeeded(env, status) ? handle(stream) : 0;
}

SHREDDER_NATIVE(jobject, acquire)(JNIEnv* env, jclass, jlong stream) {
    std::uint8_t* payload = nullptr;
    std::uint64_t capacity = 0;
    shredder_status status = shredder_stream_acquire(pointer<shredder_stream>(stream), &payload, &capacity);
    if (!succeeded(env, status)) return nullptr;
    return env->NewDirectByteBuffer(payload, static_cast<jlong>(capacity));
}

SHREDDER_NATIVE(void, submit)(JNIEnv* env, jclass, jlong stream, jint bytes, jboolean last) {
    auto submit = last == JNI_TRUE ? shredder_stream_finish : shredder_stream_submit;
    succeeded(env, submit(pointer<shredder_stream>(stream), static_cast<std::uint64_t>(bytes)));
}

SHREDDER_NATIVE(jlong, fillPath)
(JNIEnv* env, jclass, jlong stream, jbyteArray path, jint threads, jboolean direct) {
    return guarded(env, [&]() -> jlong {
        std::string text(static_cast<std::size_t>(env->GetArrayLength(path)), '\0');
        env->GetByteArrayRegion(path, 0, env->GetArrayLength(path), reinterpret_cast<jbyte*>(text.data()));
        if (env->ExceptionCheck() == JNI_TRUE) return 0;
        shredder_read_options options{.threads = static_cast<std::uint32_t>(threads),
                                      .direct = direct == JNI_TRUE ? 1U : 0U,
                                      .offset = 0,
                                      .length = 0};
        std::uint64_t bytes = 0;
        shredder_status status =
            shredder_stream_fill_path(pointer<shredder_stream>(stream), text.c_str(), &options, &bytes);
        return succeeded(env, status) ? static_cast<jlong>(bytes) : 0;
    });
}

/// Data and records; null at the end of the stream.
SHREDDER_NATIVE(jobjectArray, next)(JNIEnv* env, jclass, jlong stream) {
    shredder_batch batch{};
    if (!succeeded(env, shredder_stream_next(pointer<shredder_stream>(stream), &batch))) return nullptr;
    return batch.record_count == 0 ? nullptr : directBuffers(env, batch);
}

SHREDDER_NATIVE(void, release)(JNIEnv* env, jclass, jlong stream) {
    succeeded(env, shredder_stream_release(pointer<shredder_stream>(stream)));
}

SHREDDER_NATIVE(void, cancel)(JNIEnv*, jclass, jlong stream) {
    shredder_stream_cancel(pointer<shredder_stream>(stream));
}

SHREDDER_NATIVE(void, closeStream)(JNIEnv*, jclass, jlong stream) {
    shredder_stream_close(pointer<shredder_stream>(stream));
}

/// The first `count` lengths are those of pieces that lie back to back from `at` on; 32 bytes of digests
/// each.
SHREDDER_NATIVE(void, digestMemory)
(JNIEnv* env, jclass, jobject data, jint at, jintArray lengths, jint count, jint algorithm,
 jbyteArray digests) {
    guarded(env, [&] {
        std::vector<std::uint32_t> pieceBytes(static_cast<std::size_t>(count));
        env->GetIntArrayRegion(lengths, 0, count, reinterpret_cast<jint*>(pieceBytes.data()));
        if (env->ExceptionCheck() == JNI_TRUE) return;
        std::vector<std::uint8_t> digestBytes(SHREDDER_DIGEST_BYTES * pieceBytes.size());
        const auto* begin = static_cast<const std::uint8_t*>(env->GetDirectBufferAddress(data)) + at;
        shredder_status status =
            shredder_digest_memory(begin, pieceBytes.data(), pieceBytes.size(),
                                   static_cast<std::uint32_t>(algorithm), digestBytes.data());
        if (!succeeded(env, status)) return;
        env->SetByteArrayRegion(digests, 0, static_cast<jsize>(digestBytes.size()),
                                reinterpret_cast<const jbyte*>(digestBytes.data()));
    });
}

SHREDDER_NATIVE(void, digestArray)
(JNIEnv* env, jclass, jbyteArray array, jint from, jint length, jint algorithm, jbyteArray digest) {
    std::array<std::uint8_t, SHREDDER_DIGEST_BYTES> digestBytes{};
    auto bytes = static_cast<std::uint32_t>(length);
    void* begin = env->GetPrimitiveArrayCritical(array, nullptr);
    if (begin == nullptr) return;
    shredder_status status =
        shredder_digest_memory(static_cast<const std::uint8_t*>(begin) + from, &bytes, 1,
                               static_cast<std::uint32_t>(algorithm), digestBytes.data());
    env->ReleasePrimitiveArrayCritical(array, begin, JNI_ABORT);
    if (!succeeded(env, status)) return;
    env->SetByteArrayRegion(digest, 0, SHREDDER_DIGEST_BYTES,
                            reinterpret_cast<const jbyte*>(digestBytes.data()));
}

SHREDDER_NATIVE(jboolean, tagsAreFast)(JNIEnv*, jclass) {
    return shredder_tags_are_fast() != 0 ? JNI_TRUE : JNI_FALSE;
}

/// The first `count` lengths are those of chunks that lie back to back from `at` on; 16 bytes of tags each.
SHREDDER_NATIVE(void, tagChunks)
(JNIEnv* env, jclass, jbyteArray key, jobject data, jint at, jintArray lengths, jint count, jbyteArray tags) {
    guarded(env, [&] {
        std::array<std::uint8_t, SHREDDER_TAG_BYTES> keyBytes{};
        env->GetByteArrayRegion(key, 0, SHREDDER_TAG_BYTES, reinterpret_cast<jbyte*>(keyBytes.data()));
        std::vector<std::uint32_t> chunkBytes(static_cast<std::size_t>(count));
        env->GetIntArrayRegion(lengths, 0, count, reinterpret_cast<jint*>(chunkBytes.data()));
        if (env->ExceptionCheck() == JNI_TRUE) return;
        std::vector<std::uint8_t> tagBytes(SHREDDER_TAG_BYTES * chunkBytes.size());
        const auto* begin = static_cast<const std::uint8_t*>(env->GetDirectBufferAddress(data)) + at;
        shredder_status status = shredder_tag_chunks(keyBytes.data(), begin, chunkBytes.data(),
                                                     chunkBytes.size(), tagBytes.data());
        if (!succeeded(env, status)) return;
        env->SetByteArrayRegion(tags, 0, static_cast<jsize>(tagBytes.size()),
                                reinterpret_cast<const jbyte*>(tagBytes.data()));
    });
}

/// The lengths of the chunks that end among `bytes` bytes from `at` on.
SHREDDER_NATIVE(jintArray, cutMemory)
(JNIEnv* env, jclass, jbyteArray paramBlock, jobject data, jint at, jint bytes, jboolean last) {
    return guarded(env, [&]() -> jintArray {
        std::uint8_t block[kParamBlockBytes];
        env->GetByteArrayRegion(paramBlock, 0, kParamBlockBytes, reinterpret_cast<jbyte*>(block));
        if (env->ExceptionCheck() == JNI_TRUE) return nullptr;
        shredder_params params = paramsOf(block, false);
        std::vector<std::uint32_t> lengths(
            static_cast<std::size_t>(bytes) / std::max<std::uint64_t>(params.min_bytes, 1) + 1);
        const auto* begin = static_cast<const std::uint8_t*>(env->GetDirectBufferAddress(data)) + at;
        std::size_t count = 0;
        shredder_status status =
            shredder_cut_memory(&params, begin, static_cast<std::uint64_t>(bytes), last == JNI_TRUE ? 1 : 0,
                                lengths.data(), lengths.size(), &count);
        if (!succeeded(env, status)) return nullptr;
        jintArray array = env->NewIntArray(static_cast<jsize>(count));
        if (array != nullptr) {
            env->SetIntArrayRegion(array, 0, static_cast<jsize>(count),
                                   reinterpret_cast<const jint*>(lengths.data()));
        }
        return array;
    });
}

SHREDDER_NATIVE(jlong, openRegionReader)
(JNIEnv* env, jclass, jbyteArray sealingKey, jbyteArray identityKey, jint digestAlgorithm) {
    std::array<std::uint8_t, SHREDDER_DIGEST_BYTES> sealing{};
    std::array<std::uint8_t, SHREDDER_DIGEST_BYTES> identity{};
    env->GetByteArrayRegion(sealingKey, 0, SHREDDER_DIGEST_BYTES, reinterpret_cast<jbyte*>(sealing.data()));
    env->GetByteArrayRegion(identityKey, 0, SHREDDER_DIGEST_BYTES, reinterpret_cast<jbyte*>(identity.data()));
    if (env->ExceptionCheck() == JNI_TRUE) return 0;
    shredder_region_reader* reader = nullptr;
    shredder_status status = shredder_region_reader_open(
        sealing.data(), identity.data(), static_cast<std::uint32_t>(digestAlgorithm), &reader);
    return succeeded(env, status) ? handle(reader) : 0;
}

/// Of each place three numbers: where its path begins among the paths, offset, bytes.
SHREDDER_NATIVE(void, readRegions)
(JNIEnv* env, jclass, jlong reader, jbyteArray paths, jlongArray places, jbyteArray identities,
 jintArray lengths, jobject target, jint at) {
    guarded(env, [&] {
        std::vector<char> pathBytes = elements<char>(env, paths);
        std::vector<jlong> placeNumbers = elements<jlong>(env, places);
        WantedChunks wanted(env, identities, lengths, target, at);
        if (env->ExceptionCheck() == JNI_TRUE) return;
        std::vector<shredder_region_place> from;
        for (std::size_t i = 0; i < placeNumbers.size(); i += 3) {
            from.push_back({.path = pathBytes.data() + placeNumbers[i],
                            .offset = static_cast<std::uint64_t>(placeNumbers[i + 1]),
                            .bytes = static_cast<std::uint32_t>(placeNumbers[i + 2])});
        }
        succeeded(env, shredder_region_reader_read(pointer<shredder_region_reader>(reader), from.data(),
                                                   from.size(), wanted.names().data(), wanted.names().size(),
                                                   wanted.target()));
    });
}

/// Of each region 72 bytes of fields, an array, and two numbers: where in it the stored bytes begin, and how
/// many they are.
SHREDDER_NATIVE(void, openRegions)
(JNIEnv* env, jclass, jlong reader, jbyteArray fields, jobjectArray arrays, jintArray ranges,
 jbyteArray identities, jintArray lengths, jobject target, jint at) {
    guarded(env, [&] {
        std::vector<std::uint8_t> fieldBytes = elements<std::uint8_t>(env, fields);
        std::vector<std::uint32_t> rangeNumbers = elements<std::uint32_t>(env, ranges);
        WantedChunks wanted(env, identities, lengths, target, at);
        if (env->ExceptionCheck() == JNI_TRUE) return;
        shredder_status status = SHREDDER_OK;
        {
            PinnedArrays pinned(env, arrays);
            if (!pinned.complete()) return;
            std::vector<shredder_region_bytes> from;
            for (std::size_t i = 0; i < rangeNumbers.size() / 2; i++) {
                from.push_back({.fields = fieldBytes.data() + i * SHREDDER_REGION_FIELDS_BYTES,
                                .stored = pinned[i] + rangeNumbers[2 * i],
                                .stored_bytes = rangeNumbers[2 * i + 1]});
            }
            status = shredder_region_reader_open_regions(pointer<shredder_region_reader>(reader), from.data(),
                                                         from.size(), wanted.names().data(),
                                                         wanted.names().size(), wanted.target());
        }
        succeeded(env, status);
    });
}

SHREDDER_NATIVE(void, closeRegionReader)(JNIEnv*, jclass, jlong reader) {
    shredder_region_reader_close(pointer<shredder_region_reader>(reader));
}
