// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

/**
 * A run of an image's bytes that may be other than 0.
 *
 * @param offset of its first byte in the image
 * @param bytes at least 1
 */
public record Extent(long offset, long bytes) {

    /** Refuses empty runs and negative offsets. */
    public Extent {
        if (offset < 0 || bytes < 1) {
            throw new IllegalArgumentException("extent of " + bytes + " bytes at " + offset);
        }
    }

    /** The offset behind its last byte. */
    public long end() {
        return offset + bytes;
    }
}
