// SPDX-License-Identifier: Apache-2.0
//
// The natives of io.shredder.engine.worker.WorkerJni: a doorway to the workers of the C API.
#include <cstdint>
#include <string>

#include "jni/natives.h"

#define WORKER_NATIVE(type, name) \
    extern "C" JNIEXPORT type JNICALL Java_io_shredder_engine_worker_WorkerJni_##name

namespace {

using namespace shredder::jni;

std::string text(JNIEnv* env, jbyteArray bytes) {
    auto copy = elements<char>(env, bytes);
    return {copy.begin(), copy.end()};
}

}  // namespace

WORKER_NATIVE(jlong, open)
(JNIEnv* env, jclass, jbyteArray socket, jbyteArray devices, jint threads, jint mostClients,
 jlong mostBufferBytes) {
    return guarded(env, [&]() -> jlong {
        std::string path = text(env, socket);
        std::string pool = text(env, devices);
        shredder_worker_options options{.socket = path.c_str(),
                                        .devices = pool.c_str(),
                                        .cpu_threads = static_cast<std::uint32_t>(threads),
                                        .most_clients = static_cast<std::uint32_t>(mostClients),
                                        .most_buffer_bytes = static_cast<std::uint64_t>(mostBufferBytes)};
        shredder_worker* worker = nullptr;
        return succeeded(env, shredder_worker_open(&options, &worker)) ? handle(worker) : 0;
    });
}

WORKER_NATIVE(jbyteArray, devices)(JNIEnv* env, jclass, jlong worker) {
    shredder_worker_info info{};
    if (!succeeded(env, shredder_worker_describe(pointer<shredder_worker>(worker), &info))) return nullptr;
    return utf8(env, info.devices);
}

/// Clients that are connected, clients served, bytes scanned.
WORKER_NATIVE(void, figures)(JNIEnv* env, jclass, jlong worker, jlongArray figures) {
    shredder_worker_info info{};
    if (!succeeded(env, shredder_worker_describe(pointer<shredder_worker>(worker), &info))) return;
    jlong values[] = {static_cast<jlong>(info.clients), static_cast<jlong>(info.clients_served),
                      static_cast<jlong>(info.bytes_scanned)};
    env->SetLongArrayRegion(figures, 0, 3, values);
}

WORKER_NATIVE(void, close)(JNIEnv*, jclass, jlong worker) {
    shredder_worker_close(pointer<shredder_worker>(worker));
}
