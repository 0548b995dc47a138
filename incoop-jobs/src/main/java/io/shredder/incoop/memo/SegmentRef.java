// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;

/**
 * Where one partition of one chunk's output lies in its memo file: an IFile, exactly as a map task would have served
 * it.
 *
 * @param offset from the start of the memo file, in bytes
 * @param length in bytes, checksum included
 * @param digest SHA-256 of these bytes
 */
public record SegmentRef(long offset, int length, Fingerprint digest) {

    long end() {
        return offset + length;
    }
}
