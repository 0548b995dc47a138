// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * A file of a {@link Storage}, opened for reading. It may be appended to, or deleted, meanwhile. For one thread, but
 * for {@link #ask} and {@link #close}.
 */
public interface ReadableFile extends Closeable {

    /** Its length now. */
    long size() throws IOException;

    /**
     * Reads until {@code target} is full.
     *
     * @throws java.io.EOFException if the file ends before; what there is has been read
     * @throws io.shredder.chunk.DamagedDataException if the storage has lost what is there, such as by a bad sector;
     *     what is before has been read
     * @throws java.nio.channels.ClosedChannelException if this was closed
     */
    void readFully(ByteBuffer target, long position) throws IOException;

    /**
     * A part, in memory that is the caller's: for whoever knows what comes next, so that nothing need be read ahead.
     *
     * @param memory gives such memory to those who have none of their own
     * @throws IOException as {@link #readFully} does, with nothing read
     */
    default ByteBuffer read(long position, int length, IntFunction<ByteBuffer> memory) throws IOException {
        ByteBuffer target = memory.apply(length);
        readFully(target, position);
        return target.flip();
    }

    /**
     * Asks for a part without waiting for it, where the answer comes from elsewhere by itself. Safe for any number of
     * threads, beside a read by another.
     *
     * @return the part as {@link #read} gives it, completed by a thread that may not be held up; empty if only that can
     *     read now
     * @throws java.nio.channels.ClosedChannelException if this was closed
     */
    default Optional<CompletableFuture<ByteBuffer>> ask(long position, int length) throws IOException {
        return Optional.empty();
    }
}
