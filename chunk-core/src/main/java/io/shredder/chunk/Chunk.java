// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

/**
 * One content-defined piece of a stream.
 *
 * @param offset of its first byte in the stream
 * @param length in bytes, at least 1
 * @param fingerprint of its bytes
 * @param segmentEnd whether a segment ends with it ({@code docs/formats/chunking.md}, section 4)
 */
public record Chunk(long offset, int length, Fingerprint fingerprint, boolean segmentEnd) {

    /** Refuses negative offsets and empty chunks. */
    public Chunk {
        if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("no chunk has offset " + offset + " and length " + length);
        }
    }

    /** The offset of the first byte after the chunk: its cut. */
    public long end() {
        return offset + length;
    }
}
