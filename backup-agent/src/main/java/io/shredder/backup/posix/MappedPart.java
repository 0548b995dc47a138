// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A part of a file as memory, until it is closed: Java 17 by itself gives it back only when its collector comes by.
 * Whoever writes has made sure before that there is room ({@link PosixFile#reserve}). One thread.
 */
public final class MappedPart implements Closeable {

    private final MappedByteBuffer bytes;

    private MappedPart(MappedByteBuffer bytes) {
        this.bytes = bytes;
    }

    /**
     * Maps it, to be written.
     *
     * @param channel reads and writes; its file is long enough
     */
    public static MappedPart of(FileChannel channel, long position, int count) throws IOException {
        return new MappedPart(channel.map(FileChannel.MapMode.READ_WRITE, position, count));
    }

    /** Writes what remains of {@code source} to its beginning. */
    public void write(ByteBuffer source) {
        bytes.put(0, source, source.position(), source.remaining());
        source.position(source.limit());
    }

    @Override
    public void close() {
        DirectMemory.free(bytes);
    }
}
