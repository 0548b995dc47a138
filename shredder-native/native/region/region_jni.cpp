// SPDX-License-Identifier: Apache-2.0
//
// The natives of io.shredder.engine.region.RegionJni: a doorway to shredder_region.h. Java checks lengths and
// lifetimes.
#include <array>

#include "jni/natives.h"
#include "shredder_region.h"

#define REGION_NATIVE(type, name) \
    extern "C" JNIEXPORT type JNICALL Java_io_shredder_engine_region_RegionJni_##name

namespace {

using namespace shredder::jni;

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

/// Regions whose stored bytes are in arrays, each from a place on.
struct StoredArrays {
    JNIEnv* env;
    jobjectArray arrays;
    std::vector<std::uint32_t>
        ranges;  ///< two numbers a region: where the bytes begin, and how many they are

    /// A shredder_copy_stored.
    static int copy(void* context, std::size_t region, std::uint8_t* target) {
        const auto& self = *static_cast<const StoredArrays*>(context);
        return copyPart(self.env, self.arrays, region, self.ranges[2 * region], self.ranges[2 * region + 1],
                        target)
                   ? 0
                   : 1;
    }
};

}  // namespace

REGION_NATIVE(jlong, open)
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
REGION_NATIVE(void, read)
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
REGION_NATIVE(void, openRegions)
(JNIEnv* env, jclass, jlong reader, jbyteArray fields, jobjectArray arrays, jintArray ranges,
 jbyteArray identities, jintArray lengths, jobject target, jint at) {
    guarded(env, [&] {
        std::vector<std::uint8_t> fieldBytes = elements<std::uint8_t>(env, fields);
        StoredArrays stored{env, arrays, elements<std::uint32_t>(env, ranges)};
        WantedChunks wanted(env, identities, lengths, target, at);
        if (env->ExceptionCheck() == JNI_TRUE) return;
        std::vector<shredder_region_bytes> from;
        for (std::size_t i = 0; i < stored.ranges.size() / 2; i++) {
            from.push_back({.fields = fieldBytes.data() + i * SHREDDER_REGION_FIELDS_BYTES,
                            .stored_bytes = stored.ranges[2 * i + 1]});
        }
        succeeded(env, shredder_region_reader_open_regions(pointer<shredder_region_reader>(reader),
                                                           from.data(), from.size(), StoredArrays::copy,
                                                           &stored, wanted.names().data(),
                                                           wanted.names().size(), wanted.target()));
    });
}

REGION_NATIVE(void, close)(JNIEnv*, jclass, jlong reader) {
    shredder_region_reader_close(pointer<shredder_region_reader>(reader));
}
