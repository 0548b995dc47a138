// SPDX-License-Identifier: Apache-2.0
/**
 * Shredder's engine: cuts streams of bytes into content-defined chunks and digests them, on CPUs and GPUs.
 *
 * An engine owns devices, buffers and threads. A stream is one input; many streams may run at once. One
 * thread fills a stream (acquire, submit, ..., finish), one takes its results (next, release); they may be
 * different threads, and should be: acquire blocks while all of the stream's buffers are in use, next blocks
 * until results are there. A stream's buffers go to all of the engine's devices. A device that fails is named
 * in one line on standard error, and its buffers run elsewhere. What a chunk is: docs/formats/chunking.md.
 * Every backend, and every number of devices and threads, gives exactly the same chunks.
 *
 * A pointer to what a call is to write is never NULL unless its text says so: INVALID_ARGUMENT, and nothing
 * has happened.
 *
 * fork: an engine's threads are not in the child, so the child must not use or close an engine or stream of
 * its parent, and its devices, CUDA's least of all. It may exec, or _exit. Fork first and open then, or use
 * posix_spawn. What needs no engine (digest_pieces, tag_chunks, cut_memory, a coder of one thread) works in a
 * child.
 *
 * For tests: SHREDDER_INJECT_FAULT=DEVICE:STAGE:N in the environment, where STAGE is scan, candidates, digest
 * or finish, makes the N-th such call of an engine's device number DEVICE fail; several with commas between.
 *
 * No function throws or aborts, whichever allocation or thread start fails in whatever thread. On any status
 * but SHREDDER_OK, shredder_last_error() has one line of text for the calling thread. A stream that failed
 * for want of memory can be closed, and its engine used again.
 */
#ifndef SHREDDER_H
#define SHREDDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHREDDER_API __attribute__((visibility("default")))

/** Raised by every incompatible change of this header, of shredder_region.h or of the JNI half. */
#define SHREDDER_ABI_VERSION 11u

/** Bytes of a digest. */
#define SHREDDER_DIGEST_BYTES 32

/** Devices of an engine at most, but for the one that runs instead of them once all have failed. */
#define SHREDDER_MOST_DEVICES 64

/** Bytes of a tag, and of its key. */
#define SHREDDER_TAG_BYTES 16

typedef enum shredder_status {
    SHREDDER_OK = 0,
    /** A bad option or parameter: correct it and call again. */
    SHREDDER_INVALID_ARGUMENT = 1,
    /** The backend or device asked for is not on this machine. */
    SHREDDER_UNAVAILABLE = 2,
    /** Host or device memory ran out, or the threads that the system gives a process: fewer streams or
     * threads, smaller buffers, or again later. */
    SHREDDER_OUT_OF_MEMORY = 3,
    /** A device failed, and with it every other that its buffers were given to. */
    SHREDDER_DEVICE_ERROR = 4,
    /** The same, and the device is lost to this process. */
    SHREDDER_DEVICE_LOST = 5,
    /** The stream was cancelled, or failed (its error was or will be reported by shredder_stream_next, once).
     */
    SHREDDER_CANCELLED = 6,
    /** A call out of turn: submit without acquire, release without next. */
    SHREDDER_WRONG_STATE = 7,
    /** A bug in the engine. */
    SHREDDER_INTERNAL = 8,
    /** A source could not be opened or read, or has other bytes than it should; the text names it and the
     * reason. */
    SHREDDER_SOURCE_ERROR = 9,
    /** A file shrank or grew while it was read. */
    SHREDDER_SOURCE_CHANGED = 10
} shredder_status;

typedef enum shredder_backend {
    /** CUDA if there is a device, else the best CPU form; SHREDDER_BACKEND in the environment overrides. */
    SHREDDER_BACKEND_AUTO = 0,
    /** The best CPU form. */
    SHREDDER_BACKEND_CPU = 1,
    SHREDDER_BACKEND_SCALAR = 2,
    SHREDDER_BACKEND_AVX2 = 3,
    SHREDDER_BACKEND_CUDA = 4,
    SHREDDER_BACKEND_AVX512 = 5
} shredder_backend;

typedef struct shredder_engine shredder_engine;
typedef struct shredder_stream shredder_stream;
typedef struct shredder_memory shredder_memory;

/**
 * Bits of shredder_engine_options.switches. Results stay the same. Each but the last takes one optimisation
 * of the papers away, so that its effect can be measured.
 */
typedef enum shredder_switch {
    /** Ring buffers of plain memory instead of page-locked memory. */
    SHREDDER_SWITCH_PAGEABLE = 1,
    /** Ring buffers and device buffers are allocated for each job and freed after it. */
    SHREDDER_SWITCH_NO_REUSE = 2,
    /** One job at a time on a device: no copy runs beside a kernel. */
    SHREDDER_SWITCH_NO_OVERLAP = 4,
    /** The plain scan: on CUDA uncoalesced, one substream a thread, with tables; on a CPU the scalar form. */
    SHREDDER_SWITCH_NAIVE_SCAN = 8,
    /** buffer_bytes is the most: shredder_stream_acquire gives as much of a buffer as is found, while the
     * engine works, to be worth filling (CROCUS, section 4.4). Memory stays as for whole buffers. */
    SHREDDER_SWITCH_AUTO_BUFFERS = 16
} shredder_switch;

/** How buffers are given to devices. */
typedef enum shredder_scheduling {
    /** To the device with the fewest jobs under way. */
    SHREDDER_SHORTEST_QUEUE = 0,
    /** In turn. */
    SHREDDER_ROUND_ROBIN = 1,
    /** CROCUS's LAFS: to a GPU while one has intake left of what it told last, then to any device; intakes
     * are what a device can do in 100 ms at the rate measured of it, less what it has to do. */
    SHREDDER_LAFS = 2,
    /** To the device that will be done with it first: by the bytes it has to do, and the rate measured of it.
     */
    SHREDDER_LEAST_WORK = 3,
    /** The same, but of two devices chosen at random. */
    SHREDDER_TWO_CHOICES = 4
} shredder_scheduling;

/** Zero in a field means its default. */
typedef struct shredder_engine_options {
    uint32_t backend; /**< a shredder_backend */
    int32_t device;   /**< CUDA device ordinal, or -1 for all */
    /** Payload of one ring buffer: 4 KiB to 1 GiB. Default on CUDA 64 MiB; on a CPU 1 MiB for each thread,
     * but at least 8 and at most 32 MiB. */
    uint64_t buffer_bytes;
    /** Ring buffers of a stream, and jobs under way, for each device: 1 to 8, default 4, or 6 in a pool of
     * GPUs and CPUs. */
    uint32_t pipeline_depth;
    /** Threads that scan and digest on the CPU: default all cores, in a pool two fewer for each GPU. */
    uint32_t cpu_threads;
    uint32_t switches;   /**< shredder_switch bits */
    uint32_t scheduling; /**< a shredder_scheduling */
    /** At most so many devices, default all. On a CPU backend: so many devices, default one, that share the
     * threads; for measuring and testing. */
    uint32_t device_count;
    /** NULL, or a pool of devices of several kinds, in place of backend, device and device_count: "cuda"
     * (every GPU), "cuda:N", "cpu" (its best form), "scalar", "avx2", "avx512", "worker:PATH" (another
     * process, by its Unix socket; "*WEIGHT" behind it: its share there), with commas between; a CPU
     * form with *N has N threads, those without share cpu_threads. Chosen by SHREDDER_LEAST_WORK such a pool
     * uses each device by its speed. */
    const char* devices;
} shredder_engine_options;

/** Chunking parameters, docs/formats/chunking.md sections 2 to 5. */
typedef struct shredder_params {
    uint64_t polynomial; /**< 49 bits, leading term included */
    uint64_t marker;
    uint64_t min_bytes;
    uint64_t max_bytes;
    uint64_t segment_min_bytes; /**< 1 and up with segments, else 0; as is */
    uint64_t segment_max_bytes; /**< which is below 2^63 */
    uint32_t mask_bits;
    uint32_t segment_mask_bits; /**< 0: no segments */
    uint32_t digest_algorithm;  /**< 1: SHA-256, 2: BLAKE3 */
    uint32_t compute_digests;   /**< 0: digests are left zero */
} shredder_params;

/** Set on the chunk that ends a segment. */
#define SHREDDER_RECORD_SEGMENT_END 1u

/** One chunk. */
typedef struct shredder_record {
    uint64_t offset; /**< in the stream */
    uint32_t length;
    uint32_t flags;
    uint8_t digest[SHREDDER_DIGEST_BYTES];
} shredder_record;

/** Consecutive chunks, in order; data holds their bytes back to back. Valid until release. A chunk that went
 * through several buffers is a batch of its own. */
typedef struct shredder_batch {
    const uint8_t* data; /**< byte i of chunk r is data[r.offset - records[0].offset + i] */
    uint64_t data_bytes;
    const shredder_record* records; /**< NULL at the end of the stream */
    uint64_t record_count;          /**< 0 at the end of the stream */
} shredder_batch;

/** How shredder_stream_fill_path reads. Zero in a field means its default. */
typedef struct shredder_read_options {
    uint32_t threads; /**< that read side by side, the caller among them: up to 256, default 8 or all cores */
    uint32_t direct;  /**< 1: past the page cache (O_DIRECT); refused where the file system can't */
    uint64_t offset;  /**< where to begin */
    uint64_t length;  /**< how many bytes; 0: to the end */
} shredder_read_options;

/** What an engine runs on. */
typedef struct shredder_engine_info {
    char backend[16];        /**< "scalar", "avx2", "avx512" or "cuda" */
    char choice[240];        /**< one line: which backend was chosen, and why */
    uint32_t devices;        /**< devices that share the streams' buffers, failed ones included */
    uint32_t devices_failed; /**< of them; their buffers went to the others, or to the CPU */
    uint32_t pipeline_depth; /**< ring buffers of a stream for each device */
    uint64_t buffer_bytes;   /**< payload of a ring buffer */
    uint64_t bytes_scanned;  /**< by the devices' own kernels so far */
    uint64_t host_bytes;     /**< most host memory that buffers took at once, page-locked memory included */
    uint64_t pinned_bytes;   /**< most page-locked memory at once */
    uint64_t device_bytes;   /**< most device memory that buffers took at once */
} shredder_engine_info;

/** One device of an engine, as it is now. */
typedef struct shredder_device_info {
    char name[48];
    uint32_t failed; /**< 1: it is no longer used */
    uint64_t bytes_scanned;
    double bytes_per_second; /**< of its last jobs, while it had something to do; 0 before its first */
} shredder_device_info;

typedef struct shredder_backend_info {
    char name[16];
    uint32_t backend;   /**< a shredder_backend */
    uint32_t available; /**< 1 or 0 */
    char detail[240];   /**< what it runs on, or why it is not available */
} shredder_backend_info;

SHREDDER_API uint32_t shredder_abi_version(void);

/** Text of the calling thread's last error, at most 8 KiB; empty before the first. Valid until the thread's
 * next call. */
SHREDDER_API const char* shredder_last_error(void);

/** Writes up to capacity backends to infos, which may be NULL if capacity is 0, and their full number to
 * *count. Looks at the hardware each time. */
SHREDDER_API shredder_status shredder_backends(shredder_backend_info* infos, size_t capacity, size_t* count);

/** Opens an engine; options NULL means all defaults. Never falls back from a backend that was asked for by
 * name. */
SHREDDER_API shredder_status shredder_engine_open(const shredder_engine_options* options,
                                                  shredder_engine** engine);
SHREDDER_API shredder_status shredder_engine_describe(const shredder_engine* engine,
                                                      shredder_engine_info* info);
/** Writes up to capacity devices to infos, which may be NULL if capacity is 0, and their full number to
 * *count: in the order of the pool, but GPUs first; last, once all have failed, what runs instead of them. */
SHREDDER_API shredder_status shredder_engine_devices(const shredder_engine* engine,
                                                     shredder_device_info* infos, size_t capacity,
                                                     size_t* count);
/** Closes an engine whose streams are closed; WRONG_STATE, and nothing done, while some are open. NULL is
 * fine. */
SHREDDER_API shredder_status shredder_engine_close(shredder_engine* engine);

SHREDDER_API shredder_status shredder_stream_open(shredder_engine* engine, const shredder_params* params,
                                                  shredder_stream** stream);
/**
 * Hands out the next ring buffer to fill; blocks while all are in use (back-pressure). CANCELLED once the
 * stream is cancelled or has failed.
 */
SHREDDER_API shredder_status shredder_stream_acquire(shredder_stream* stream, uint8_t** payload,
                                                     uint64_t* capacity);
/** Gives the acquired buffer, with the stream's next `bytes` bytes (0 is fine), to the device. Does not
 * block. */
SHREDDER_API shredder_status shredder_stream_submit(shredder_stream* stream, uint64_t bytes);
/** The same, and the stream ends after these bytes. */
SHREDDER_API shredder_status shredder_stream_finish(shredder_stream* stream, uint64_t bytes);
/**
 * Fills the stream with the bytes of a file, block device or pipe, straight into its ring buffers, and ends
 * it; takes the place of acquire, submit and finish. Blocks until all is submitted. path is as for open(2),
 * but a pipe or socket that this process has open, named as /dev/stdin or /dev/fd/N, is read where it is;
 * options NULL means all defaults. *bytes_read (may be NULL) is set on success. On failure the stream is
 * cancelled: SOURCE_ERROR, SOURCE_CHANGED (chunks may have been handed out by then), INVALID_ARGUMENT,
 * CANCELLED.
 */
SHREDDER_API shredder_status shredder_stream_fill_path(shredder_stream* stream, const char* path,
                                                       const shredder_read_options* options,
                                                       uint64_t* bytes_read);
/**
 * Blocks until the next chunks are there; at the end record_count is 0 and there is nothing to release. A
 * failure that no other device could make good is reported here, exactly once; afterwards CANCELLED.
 */
SHREDDER_API shredder_status shredder_stream_next(shredder_stream* stream, shredder_batch* batch);
/** Gives the last batch's buffer back to the ring. */
SHREDDER_API shredder_status shredder_stream_release(shredder_stream* stream);
/** Memory of an engine that somebody keeps. */
typedef struct shredder_kept {
    shredder_memory* memory; /**< for shredder_memory_let_go */
    uint8_t* begin;
    uint64_t bytes;
} shredder_kept;
/**
 * Keeps the memory in which an acquired payload, or a batch's data or records, lie. From then on it may be
 * read, and what was acquired may be written, until it is let go: also after release, after the stream's and
 * the engine's end. What it then holds is undefined: it is used again, or given back to the system, as if
 * nobody had kept it. For languages whose views outlive what they show.
 */
SHREDDER_API shredder_status shredder_stream_keep_memory(shredder_stream* stream, const void* bytes,
                                                         shredder_kept* kept);
/** On any thread, at any time, once. NULL is none. */
SHREDDER_API void shredder_memory_let_go(shredder_memory* memory);
/** Gives a stream its share of the devices beside the engine's other streams, from its next buffer on: 1 to
 * 1000, default 1. Of streams that always have a buffer to do, one of weight 3 gets three times the bytes of
 * one of weight 1. */
SHREDDER_API shredder_status shredder_stream_set_weight(shredder_stream* stream, uint32_t weight);
/** Wakes every thread that waits on the stream. May be called from any thread, more than once. */
SHREDDER_API void shredder_stream_cancel(shredder_stream* stream);
/** Cancels, waits until no device touches the stream's buffers, frees. No other call may be under way. */
SHREDDER_API void shredder_stream_close(shredder_stream* stream);

/** Digests `count` pieces data[offsets[i] .. offsets[i] + lengths[i]), 32 bytes each, to digests. Blocks.
 * digest_algorithm is 1 or 2 as in shredder_params. */
SHREDDER_API shredder_status shredder_digest_batch(shredder_engine* engine, const uint8_t* data,
                                                   const uint64_t* offsets, const uint32_t* lengths,
                                                   size_t count, uint32_t digest_algorithm, uint8_t* digests);

/** Bytes in memory. */
typedef struct shredder_piece {
    const uint8_t* data; /**< NULL only if there are none */
    uint32_t bytes;
} shredder_piece;

/** Digests `count` pieces, wherever they lie, 32 bytes each, to digests, with the CPU's fastest instructions:
 * many side by side where there are such. On the calling thread and without an engine; thread-safe.
 * digest_algorithm is 1 or 2 as in shredder_params. */
SHREDDER_API shredder_status shredder_digest_pieces(const shredder_piece* pieces, size_t count,
                                                    uint32_t digest_algorithm, uint8_t* digests);

/** 1 where a tag is much cheaper than a digest: where the CPU multiplies without carries. */
SHREDDER_API uint32_t shredder_tags_are_fast(void);

/** Tags `count` chunks that lie back to back from data on, lengths[i] bytes each, 16 bytes each, to tags,
 * under a secret key of 16 bytes: docs/formats/cache.md, section 1. On the calling thread; thread-safe. */
SHREDDER_API shredder_status shredder_tag_chunks(const uint8_t* key, const uint8_t* data,
                                                 const uint32_t* lengths, size_t count, uint8_t* tags);

/**
 * Cuts memory on the calling thread, with the CPU's kernels and nothing of an engine; thread-safe. data comes
 * right behind a cut, or is the beginning of a stream; unless `last`, a chunk that may go on behind `bytes`
 * is left out: so there is at least one chunk if there are max_bytes. Writes the lengths of up to capacity
 * chunks, the first ones, and the number of all to *count.
 *
 * Only for parameters with min_bytes of at least 48 and without segments, whose cuts depend on nothing before
 * the last cut; bytes at most 1 GiB. Else INVALID_ARGUMENT. Nothing is digested.
 */
SHREDDER_API shredder_status shredder_cut_memory(const shredder_params* params, const uint8_t* data,
                                                 uint64_t bytes, uint32_t last, uint32_t* lengths,
                                                 size_t capacity, size_t* count);

/**
 * Erasure codes over the field of 256 elements, docs/formats/coding.md: of data shards of equal length they
 * make parity shards; any so many shards as there are data shards give back the others.
 */
typedef enum shredder_code {
    /** Reed-Solomon with the Cauchy matrix of Hadoop's rs and of ISA-L: up to 256 shards in all. */
    SHREDDER_CODE_RS = 1,
    /** Reed-Solomon as Hadoop's rs-legacy has it: up to 255 shards in all. */
    SHREDDER_CODE_RS_LEGACY = 2,
    /** One parity shard, the XOR of the data shards. */
    SHREDDER_CODE_XOR = 3
} shredder_code;

/** Codes shards. */
typedef struct shredder_coder shredder_coder;

/** Zero in backend or threads means its default. */
typedef struct shredder_coder_options {
    uint32_t code;          /**< a shredder_code */
    uint32_t data_shards;   /**< at least 1 */
    uint32_t parity_shards; /**< at least 1 */
    /** AUTO is the CPU's best one; SHREDDER_CODER_BACKEND in the environment (auto, cpu, scalar, avx2,
     * avx512) overrides that, an unknown name is refused. CUDA computes on GPUs and never comes by itself.
     * Shards may be any host memory; page-locked ones go at the speed of the link. If a GPU fails, one line
     * on standard error says so, and the CPU's best form finishes the call and does those that follow. */
    uint32_t backend;
    /** That compute side by side, up to 1024: default 1, which is the calling thread and starts none. */
    uint32_t threads;
    /** With SHREDDER_BACKEND_CUDA: one device by its number, or -1 for all, which share each call. */
    int32_t device;
} shredder_coder_options;

/** What a coder is, and what it computes with. */
typedef struct shredder_coder_info {
    char form[16];          /**< "scalar", "avx2", "avx2-gfni", "avx512", "avx512-gfni" or "cuda" */
    char instructions[112]; /**< the same in words */
    uint32_t code;          /**< a shredder_code */
    uint32_t data_shards;
    uint32_t parity_shards;
    uint32_t threads;
} shredder_coder_info;

/** Opens a coder. INVALID_ARGUMENT if there is no such code, UNAVAILABLE if this CPU lacks the backend's
 * instructions or the GPU is not there. Any number of threads may use one coder at once; with one thread,
 * also in a forked child. */
SHREDDER_API shredder_status shredder_coder_open(const shredder_coder_options* options,
                                                 shredder_coder** coder);
SHREDDER_API shredder_status shredder_coder_describe(const shredder_coder* coder, shredder_coder_info* info);
/**
 * Computes the parity shards. Blocks.
 *
 * @param data   data_shards pointers to `bytes` bytes each; any alignment; not changed
 * @param parity parity_shards pointers to room for as much, which overlaps nothing else
 * @param bytes  of a shard; 0 is fine, and no pointer is looked at then
 */
SHREDDER_API shredder_status shredder_coder_encode(const shredder_coder* coder, const uint8_t* const* data,
                                                   uint8_t* const* parity, uint64_t bytes);
/**
 * Computes shards that are lost from the first data_shards of those that are there. Blocks. It can't tell
 * whether what is there is sound: prove it before, or after.
 *
 * @param shards       data_shards + parity_shards pointers, data first; NULL where a shard is not there;
 *                     INVALID_ARGUMENT if fewer than data_shards are
 * @param wanted       numbers of shards that are not there, each once, in any order
 * @param wanted_count 0 is fine
 * @param outputs      one for each wanted shard, as parity in shredder_coder_encode
 * @param bytes        of a shard; 0 is fine
 */
SHREDDER_API shredder_status shredder_coder_decode(const shredder_coder* coder, const uint8_t* const* shards,
                                                   const uint32_t* wanted, size_t wanted_count,
                                                   uint8_t* const* outputs, uint64_t bytes);
/** Frees. No other call may be under way. NULL is none. */
SHREDDER_API void shredder_coder_close(shredder_coder* coder);

/** Lends this machine's devices to engines of other processes, which name its socket in their pool of devices
 * ("worker:PATH"): docs/formats/worker.md. */
typedef struct shredder_worker shredder_worker;

/** Zero means a field's default. */
typedef struct shredder_worker_options {
    /** Path of the Unix socket to listen at, up to 107 bytes. Only its owner may connect. What a worker left
     * there that is gone is replaced; anything else is refused. */
    const char* socket;
    /** What to lend, as shredder_engine_options.devices has it: default "cpu". */
    const char* devices;
    uint32_t cpu_threads;       /**< as shredder_engine_options.cpu_threads */
    uint32_t most_clients;      /**< at once: default 16; others are refused, with the reason */
    uint64_t most_buffer_bytes; /**< payload of a buffer, of which a client has up to 16: default 64 MiB */
} shredder_worker_options;

/** What a worker does. */
typedef struct shredder_worker_info {
    char devices[16];        /**< what it lends, such as "avx512" */
    uint32_t clients;        /**< that are connected */
    uint64_t clients_served; /**< since it began, those that are connected among them */
    uint64_t bytes_scanned;  /**< for all of them */
} shredder_worker_info;

/** Listens; clients are served by the worker's own threads until it is closed. UNAVAILABLE if a device is not
 * there, or it can't listen. */
SHREDDER_API shredder_status shredder_worker_open(const shredder_worker_options* options,
                                                  shredder_worker** worker);
SHREDDER_API shredder_status shredder_worker_describe(const shredder_worker* worker,
                                                      shredder_worker_info* info);
/** Ends the connections, whose clients go on without it, and frees; NULL is none. */
SHREDDER_API void shredder_worker_close(shredder_worker* worker);

#ifdef __cplusplus
}
#endif
#endif
