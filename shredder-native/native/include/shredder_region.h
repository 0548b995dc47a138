// SPDX-License-Identifier: Apache-2.0
/**
 * Opens what a backup keeps: regions, which are chunks that were compressed and sealed together. Built on the
 * engine's kernels, and unknown to the engine. Statuses, last error, threads and NULL are as in shredder.h.
 */
#ifndef SHREDDER_REGION_H
#define SHREDDER_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "shredder.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the fields of a region, before the stored ones. */
#define SHREDDER_REGION_FIELDS_BYTES 72

/** Reads regions of a backup's containers, opens them and proves their chunks. */
typedef struct shredder_region_reader shredder_region_reader;

/** Where a region's record is, docs/formats/container.md section 3. */
typedef struct shredder_region_place {
    const char* path; /**< of the container, in UTF-8 */
    uint64_t offset;
    uint32_t bytes; /**< of the whole record */
} shredder_region_place;

/** A region as a message has it: docs/formats/wire.md, section 4. */
typedef struct shredder_region_bytes {
    const uint8_t* fields; /**< SHREDDER_REGION_FIELDS_BYTES */
    uint32_t stored_bytes; /**< how many a shredder_copy_stored gives */
} shredder_region_bytes;

/**
 * Copies the stored bytes of a region, by its number from 0 on, to target, which has room for them. Called on
 * the thread of the call that it was given to, once a region and just before it is opened: so bytes that may
 * be moved by a garbage collector are held no longer than the copy takes. Anything but 0 fails that call.
 */
typedef int (*shredder_copy_stored)(void* context, size_t region, uint8_t* target);

/** A chunk that is wanted: docs/formats/seal.md, section 2. */
typedef struct shredder_chunk_name {
    const uint8_t* identity; /**< 32 bytes */
    uint32_t bytes;          /**< its plain length */
} shredder_chunk_name;

/** Keys of 32 bytes each, docs/formats/seal.md section 1, which are copied: `chunk sealing`, and that of
 * identities by this digest (1 or 2 as in shredder_params). UNAVAILABLE if the library was built without. */
SHREDDER_API shredder_status shredder_region_reader_open(const uint8_t* sealing_key,
                                                         const uint8_t* identity_key,
                                                         uint32_t digest_algorithm,
                                                         shredder_region_reader** reader);
/** Writes the plain bytes of the wanted chunks, each named once, back to back to target, on the calling
 * thread; one call at a time. OK only if every byte is proved by its region's seal and its chunk's identity.
 * SOURCE_ERROR, which names path and offset, if a record is not there, damaged or forged, or has not the
 * chunks; what target holds is undefined then. */
SHREDDER_API shredder_status shredder_region_reader_read(shredder_region_reader* reader,
                                                         const shredder_region_place* places,
                                                         size_t place_count,
                                                         const shredder_chunk_name* wanted,
                                                         size_t wanted_count, uint8_t* target);
/** The same of regions that `copy` has, called with `context`. SOURCE_ERROR names a region by its number. */
SHREDDER_API shredder_status shredder_region_reader_open_regions(shredder_region_reader* reader,
                                                                 const shredder_region_bytes* regions,
                                                                 size_t region_count,
                                                                 shredder_copy_stored copy, void* context,
                                                                 const shredder_chunk_name* wanted,
                                                                 size_t wanted_count, uint8_t* target);
/** Frees; NULL is none. */
SHREDDER_API void shredder_region_reader_close(shredder_region_reader* reader);

#ifdef __cplusplus
}
#endif

#endif
