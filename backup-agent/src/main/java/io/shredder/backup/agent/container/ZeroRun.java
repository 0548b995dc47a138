// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.storage.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Zeros where a record could begin: released space, up to the next record or the container's end. */
final class ZeroRun {

    private static final int WINDOW_BYTES = 1 << 16;

    private ZeroRun() {}

    /** The first byte from {@code from} on that is not zero; {@code size} if there is none. */
    static long end(ReadableFile container, long from, long size) throws IOException {
        if (from >= size || !beginsAt(container, from)) {
            return from;
        }
        ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
        for (long at = from; at < size; at += WINDOW_BYTES) {
            window.clear().limit((int) Math.min(WINDOW_BYTES, size - at));
            container.readFully(window, at);
            int zeros = window.flip().mismatch(ByteBuffer.allocate(window.limit()));
            if (zeros >= 0) {
                return at + zeros;
            }
        }
        return size;
    }

    private static boolean beginsAt(ReadableFile container, long at) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(1);
        container.readFully(first, at);
        return first.get(0) == 0;
    }
}
