// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

/** The bytes given so far are the start of a header, but not all of it. */
public final class IncompleteHeaderException extends Exception {

    private static final long serialVersionUID = 1L;

    private final long bytesNeeded;

    IncompleteHeaderException(long bytesNeeded) {
        super("at least " + bytesNeeded + " bytes are needed");
        this.bytesNeeded = bytesNeeded;
    }

    /** How many bytes from the start of the file are needed at least to get any further. */
    public long bytesNeeded() {
        return bytesNeeded;
    }
}
