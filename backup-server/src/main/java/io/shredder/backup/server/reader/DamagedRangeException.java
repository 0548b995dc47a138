// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import java.io.IOException;

/** Some bytes of an image can't be read, while others can. The one-line message names snapshot, range and cause. */
public final class DamagedRangeException extends IOException {

    private static final long serialVersionUID = 1L;

    private final long offset;
    private final long bytes;

    /**
     * Of these bytes of the image.
     *
     * @param offset of the first
     * @param bytes how many
     */
    public DamagedRangeException(String message, long offset, long bytes, Throwable cause) {
        super(message, cause);
        this.offset = offset;
        this.bytes = bytes;
    }

    /** Where in the image the first byte is. */
    public long offset() {
        return offset;
    }

    /** How many bytes. */
    public long bytes() {
        return bytes;
    }
}
