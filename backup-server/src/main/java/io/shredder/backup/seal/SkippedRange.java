// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

/**
 * Bytes of an image that could not be read when it was backed up; a snapshot has zeros in their place.
 *
 * @param offset of the first byte in the image
 * @param bytes how many, at least 1
 */
public record SkippedRange(long offset, long bytes) {

    /** Refuses what is no range. */
    public SkippedRange {
        if (offset < 0 || bytes < 1 || offset + bytes < 0) {
            throw new IllegalArgumentException("no range of an image: " + bytes + " bytes at " + offset);
        }
    }

    /** The first byte behind the range. */
    public long end() {
        return offset + bytes;
    }

    @Override
    public String toString() {
        return bytes + " bytes at " + offset;
    }
}
