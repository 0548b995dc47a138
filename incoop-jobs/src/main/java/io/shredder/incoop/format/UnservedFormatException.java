// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

/** Chunks can't be read as the job's InputFormat would; the message says why and completes "the job runs plainly: ". */
public final class UnservedFormatException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnservedFormatException(String reason) {
        super(reason);
    }
}
