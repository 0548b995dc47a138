// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.ByteBuffer;

/** What natives ask of a buffer that they read or write, checked before they are called. */
public final class DirectBuffers {

    private DirectBuffers() {}

    /**
     * Chunks of these lengths, back to back from its position on, must be in a direct buffer.
     *
     * @throws IllegalArgumentException if they are not
     */
    public static void requireWithin(ByteBuffer data, int[] lengths) {
        requireDirect(data);
        long bytes = 0;
        for (int length : lengths) {
            if (length < 0) {
                throw new IllegalArgumentException("a chunk of " + length + " bytes");
            }
            bytes += length;
        }
        if (bytes > data.remaining()) {
            throw new IllegalArgumentException(
                    "chunks of " + bytes + " bytes are not in a buffer of " + data.remaining());
        }
    }

    static void requireDirect(ByteBuffer data) {
        if (!data.isDirect()) {
            throw new IllegalArgumentException("a direct buffer is needed");
        }
    }
}
