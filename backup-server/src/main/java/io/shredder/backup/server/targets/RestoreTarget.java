// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a restored image goes, each of its bytes once. Closing it without {@link #commit} leaves nothing behind. */
public interface RestoreTarget extends Closeable {

    /** The most bytes that a write brings, but for a single longer chunk. */
    int MAX_WRITE_BYTES = 2 << 20;

    /** The image's length. Refused before the first byte if there is no room for it, where that can be told. */
    default void expect(long imageBytes) throws IOException {}

    /**
     * Whether bytes may come in any order and from several threads at once. If not, they come first to last, from one
     * thread at a time.
     */
    boolean takesAnyOrder();

    /** Whether {@link #write} returns only when a disk, or a reader, has the bytes: its thread sleeps meanwhile. */
    default boolean writesWait() {
        return true;
    }

    /**
     * Takes the remaining bytes of {@code bytes}, the image's from {@code position} on. The buffer is the caller's
     * again afterwards.
     */
    void write(long position, ByteBuffer bytes) throws IOException;

    /** Takes {@code count} bytes of the image from {@code position} on, all of them 0. */
    void writeZeros(long position, long count) throws IOException;

    /** All bytes are written and proved: make the image visible, and durable where that was asked. One thread. */
    void commit(long imageBytes) throws IOException;
}
