// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire.keep;

import io.shredder.backup.wire.FrameDecoder;

/** The numbers of {@code docs/formats/keep.md}, all in one place. */
public final class KeepFormat {

    /** The oldest version of this conversation that is spoken here. */
    public static final int MIN_VERSION = 1;

    /** The newest version of this conversation that is spoken here. */
    public static final int MAX_VERSION = 1;

    /** The most bytes of a file in one message. */
    public static final int MAX_BYTES = 1 << 20;

    /** The longest file that is read by its name alone. */
    public static final int MAX_SMALL_FILE = 64 << 10;

    /** The most names in one answer. */
    public static final int MAX_NAMES = 4096;

    /** The longest body: the most bytes of a file, or as many bytes of names, and what describes them. */
    public static final int MAX_BODY_BYTES = MAX_BYTES + 4096;

    /** The longest body of a request of whoever doesn't hold the keeper. */
    public static final int MAX_UNHELD_BODY_BYTES = 4096;

    /** Memory for the longest request. */
    public static final int MAX_REQUEST_MEMORY = FrameDecoder.memoryBytes(MAX_BODY_BYTES);

    private KeepFormat() {}
}
