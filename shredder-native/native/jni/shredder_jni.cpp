// SPDX-License-Identifier: Apache-2.0
//
// The natives of io.shredder.engine.ShredderJni: a doorway to the C API and nothing more. Java checks ranges
// and lifetimes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jni/natives.h"

namespace {

using namespace shredder::jni;

/// Bytes of the parameter block, docs/formats/chunking.md section 7.
constexpr jsize kParamBlockBytes = 56;

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

/// Numbers for Java, which made room for them.
template <std::size_t N>
void put(JNIEnv* env, jlongArray target, const std::array<jlong, N>& values) {
    env->SetLongArrayRegion(target, 0, static_cast<jsize>(N), values.data());
}

/// Pieces that are to be digested, of each two numbers from Java: where it begins, and its length.
class DigestedPieces {
  public:
    DigestedPieces(JNIEnv* env, jintArray places, jint count)
        : pieces_(static_cast<std::size_t>(count)),
          places_(2 * pieces_.size()),
          digests_(SHREDDER_DIGEST_BYTES * pieces_.size()) {
        env->GetIntArrayRegion(places, 0, static_cast<jsize>(places_.size()),
                               reinterpret_cast<jint*>(places_.data()));
    }

    std::size_t count() const { return pieces_.size(); }
    std::uint32_t place(std::size_t piece) const { return places_[2 * piece]; }
    std::uint32_t bytes(std::size_t piece) const { return places_[2 * piece + 1]; }

    /// Piece i begins at dataOf(i), which is asked in order.
    template <typename DataOf>
    shredder_status digest(jint algorithm, std::size_t first, std::size_t last, const DataOf& dataOf) {
        for (std::size_t i = first; i < last; i++) {
            pieces_[i] = {.data = dataOf(i), .bytes = bytes(i)};
        }
        return shredder_digest_pieces(pieces_.data() + first, last - first,
                                      static_cast<std::uint32_t>(algorithm),
                                      digests_.data() + first * SHREDDER_DIGEST_BYTES);
    }

    void copyDigests(JNIEnv* env, jbyteArray target) const {
        env->SetByteArrayRegion(target, 0, static_cast<jsize>(digests_.size()),
                                reinterpret_cast<const jbyte*>(digests_.data()));
    }

  private:
    std::vector<shredder_piece> pieces_;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint8_t> digests_;
};

/// Bytes of arrays that are copied, and then digested, at a time: enough to use all lanes of a CPU, and few
/// enough to be in its cache still. A longer piece goes by itself.
constexpr std::size_t kTileBytes = 1 << 20;

/// The end of a tile that begins with piece `first`.
std::size_t tileEnd(const DigestedPieces& pieces, std::size_t first) {
    std::size_t last = first + 1;
    std::size_t bytes = pieces.bytes(first);
    while (last < pieces.count() && bytes + pieces.bytes(last) <= kTileBytes) {
        bytes += pieces.bytes(last++);
    }
    return last;
}

/// Memory for the longest tile of these pieces, not cleared.
std::unique_ptr<std::uint8_t[]> tileMemory(const DigestedPieces& pieces) {
    std::size_t all = 0;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < pieces.count(); i++) {
        all += pieces.bytes(i);
        longest = std::max<std::size_t>(longest, pieces.bytes(i));
    }
    return std::make_unique_for_overwrite<std::uint8_t[]>(std::max(std::min(all, kTileBytes), longest));
}

/// Copies the pieces of a tile, which lie in an array each, back to back. False if an exception is pending.
bool copyTile(JNIEnv* env, jobjectArray arrays, const DigestedPieces& pieces, std::size_t first,
              std::size_t last, std::uint8_t* tile) {
    for (std::size_t i = first; i < last; i++) {
        if (!copyPart(env, arrays, i, pieces.place(i), pieces.bytes(i), tile)) return false;
        tile += pieces.bytes(i);
    }
    return true;
}

}  // namespace

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

/// numbers: backend, device, pipeline depth, CPU threads, switches, scheduling, device count.
SHREDDER_NATIVE(jlong, openEngine)
(JNIEnv* env, jclass, jlong bufferBytes, jintArray numbers, jbyteArray devices) {
    return guarded(env, [&]() -> jlong {
        std::array<jint, 7> given{};
        env->GetIntArrayRegion(numbers, 0, given.size(), given.data());
        if (env->ExceptionCheck() == JNI_TRUE) return 0;
        std::string pool;
        if (devices != nullptr) {
            auto bytes = elements<char>(env, devices);
            pool.assign(bytes.begin(), bytes.end());
        }
        shredder_engine_options options{.backend = static_cast<std::uint32_t>(given[0]),
                                        .device = given[1],
                                        .buffer_bytes = static_cast<std::uint64_t>(bufferBytes),
                                        .pipeline_depth = static_cast<std::uint32_t>(given[2]),
                                        .cpu_threads = static_cast<std::uint32_t>(given[3]),
                                        .switches = static_cast<std::uint32_t>(given[4]),
                                        .scheduling = static_cast<std::uint32_t>(given[5]),
                                        .device_count = static_cast<std::uint32_t>(given[6]),
                                        .devices = devices == nullptr ? nullptr : pool.c_str()};
        shredder_engine* engine = nullptr;
        return succeeded(env, shredder_engine_open(&options, &engine)) ? handle(engine) : 0;
    });
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

/// Four strings a device: name, "true" if it has failed, bytes scanned, bytes a second.
SHREDDER_NATIVE(jobjectArray, engineDevices)(JNIEnv* env, jclass, jlong engine) {
    return guarded(env, [&]() -> jobjectArray {
        std::size_t count = 0;
        std::vector<shredder_device_info> infos(SHREDDER_MOST_DEVICES + 1);
        shredder_status status =
            shredder_engine_devices(pointer<shredder_engine>(engine), infos.data(), infos.size(), &count);
        if (!succeeded(env, status)) return nullptr;
        std::vector<std::string> values;
        for (std::size_t i = 0; i < count; i++) {
            values.insert(values.end(), {infos[i].name, infos[i].failed != 0 ? "true" : "false",
                                         std::to_string(infos[i].bytes_scanned),
                                         std::to_string(infos[i].bytes_per_second)});
        }
        return strings(env, values);
    });
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

SHREDDER_NATIVE(void, setWeight)(JNIEnv* env, jclass, jlong stream, jint weight) {
    succeeded(env, shredder_stream_set_weight(pointer<shredder_stream>(stream),
                                              static_cast<std::uint32_t>(std::max(weight, 0))));
}

/// To payload: its address and its bytes.
SHREDDER_NATIVE(void, acquire)(JNIEnv* env, jclass, jlong stream, jlongArray payload) {
    std::uint8_t* data = nullptr;
    std::uint64_t capacity = 0;
    shredder_status status = shredder_stream_acquire(pointer<shredder_stream>(stream), &data, &capacity);
    if (succeeded(env, status)) put<2>(env, payload, {handle(data), static_cast<jlong>(capacity)});
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

/// To batch: address and bytes of the data, then of the records; false at the end of the stream.
SHREDDER_NATIVE(jboolean, next)(JNIEnv* env, jclass, jlong stream, jlongArray batch) {
    shredder_batch taken{};
    if (!succeeded(env, shredder_stream_next(pointer<shredder_stream>(stream), &taken))) return JNI_FALSE;
    if (taken.record_count == 0) return JNI_FALSE;
    put<4>(env, batch,
           {handle(taken.data), static_cast<jlong>(taken.data_bytes), handle(taken.records),
            static_cast<jlong>(taken.record_count * sizeof(shredder_record))});
    return JNI_TRUE;
}

/// To kept: the handle for letGo, and address and bytes of the memory that has the address.
SHREDDER_NATIVE(void, keepMemory)(JNIEnv* env, jclass, jlong stream, jlong address, jlongArray kept) {
    shredder_kept memory{};
    shredder_status status = shredder_stream_keep_memory(pointer<shredder_stream>(stream),
                                                         pointer<std::uint8_t>(address), &memory);
    if (!succeeded(env, status)) return;
    put<3>(env, kept, {handle(memory.memory), handle(memory.begin), static_cast<jlong>(memory.bytes)});
}

/// A view of kept memory.
SHREDDER_NATIVE(jobject, view)(JNIEnv* env, jclass, jlong address, jlong bytes) {
    return env->NewDirectByteBuffer(pointer<std::uint8_t>(address), bytes);
}

SHREDDER_NATIVE(void, letGo)(JNIEnv*, jclass, jlong memory) {
    shredder_memory_let_go(pointer<shredder_memory>(memory));
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

/// Two numbers a piece: where in `data` it begins, and its length.
SHREDDER_NATIVE(void, digestMemory)
(JNIEnv* env, jclass, jobject data, jintArray places, jint count, jint algorithm, jbyteArray digests) {
    guarded(env, [&] {
        DigestedPieces pieces(env, places, count);
        if (env->ExceptionCheck() == JNI_TRUE) return;
        const auto* begin = static_cast<const std::uint8_t*>(env->GetDirectBufferAddress(data));
        auto dataOf = [&](std::size_t i) { return begin + pieces.place(i); };
        if (succeeded(env, pieces.digest(algorithm, 0, pieces.count(), dataOf))) {
            pieces.copyDigests(env, digests);
        }
    });
}

/// The same of pieces that lie in a direct buffer each.
SHREDDER_NATIVE(void, digestBuffers)
(JNIEnv* env, jclass, jobjectArray buffers, jintArray places, jint count, jint algorithm,
 jbyteArray digests) {
    guarded(env, [&] {
        DigestedPieces pieces(env, places, count);
        if (env->ExceptionCheck() == JNI_TRUE) return;
        auto dataOf = [&](std::size_t i) {
            jobject buffer = env->GetObjectArrayElement(buffers, static_cast<jsize>(i));
            const auto* begin = static_cast<const std::uint8_t*>(env->GetDirectBufferAddress(buffer));
            env->DeleteLocalRef(buffer);
            return begin + pieces.place(i);
        };
        if (succeeded(env, pieces.digest(algorithm, 0, pieces.count(), dataOf))) {
            pieces.copyDigests(env, digests);
        }
    });
}

/// The same of pieces that lie in an array each. They are copied tile by tile, so that the garbage collector
/// never waits for a digest.
SHREDDER_NATIVE(void, digestArrays)
(JNIEnv* env, jclass, jobjectArray arrays, jintArray places, jint count, jint algorithm, jbyteArray digests) {
    guarded(env, [&] {
        DigestedPieces pieces(env, places, count);
        if (env->ExceptionCheck() == JNI_TRUE) return;
        auto tile = tileMemory(pieces);
        for (std::size_t first = 0; first < pieces.count();) {
            std::size_t last = tileEnd(pieces, first);
            if (!copyTile(env, arrays, pieces, first, last, tile.get())) return;
            const std::uint8_t* next = tile.get();
            auto dataOf = [&](std::size_t i) {
                const std::uint8_t* data = next;
                next += pieces.bytes(i);
                return data;
            };
            if (!succeeded(env, pieces.digest(algorithm, first, last, dataOf))) return;
            first = last;
        }
        pieces.copyDigests(env, digests);
    });
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
