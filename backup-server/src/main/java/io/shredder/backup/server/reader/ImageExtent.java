// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

/**
 * Bytes of an image that are alike: a hole, which is zeros that nobody stored, or anything else.
 *
 * @param offset of the first in the image
 * @param bytes at least 1
 * @param isHole whether they are zeros for which nothing is fetched
 */
public record ImageExtent(long offset, long bytes, boolean isHole) {

    /** The offset behind the last. */
    public long end() {
        return offset + bytes;
    }
}
