// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A part of a file as memory, until it is closed: Java 17 by itself gives it back only when its collector comes by.
 * Whoever writes has made sure before that there is room ({@link PosixFile#reserve}). One thread.
 */
public final class MappedPart implements Closeable {

    private static final MethodHandle FREE = free();

    private final MappedByteBuffer bytes;

    private MappedPart(MappedByteBuffer bytes) {
        this.bytes = bytes;
    }

    private static MethodHandle free() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field one = unsafe.getDeclaredField("theUnsafe");
            one.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(one.get(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("every Java 17 can do this", e);
        }
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
        try {
            FREE.invoke(bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("can't unmap", e);
        }
    }
}
