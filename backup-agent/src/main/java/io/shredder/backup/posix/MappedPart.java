// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A part of a file as memory, until it is closed: Java 17 by itself gives it back only when its collector comes by.
 * Whoever writes has made sure before that there is room ({@link #populate} or {@link PosixFile#reserve}). For 64-bit
 * Linux. Threads may write different bytes side by side; one closes it when none does.
 */
public final class MappedPart implements Closeable {

    private static final int PAGE_BYTES = 4096;

    /** {@code MADV_POPULATE_WRITE} of {@code mman.h}, since Linux 5.14. */
    private static final int POPULATE_WRITE = 23;

    private final MappedByteBuffer bytes;
    private final Pointer address;

    /** The functions of the C library, by their own names. */
    private static final class C {

        static {
            Native.register(C.class, "c");
        }

        private C() {}

        static native int madvise(Pointer address, long bytes, int advice) throws LastErrorException;
    }

    private MappedPart(MappedByteBuffer bytes) {
        this.bytes = bytes;
        this.address = Native.getDirectBufferPointer(bytes);
    }

    /**
     * Maps it, to be written.
     *
     * @param channel reads and writes; its file is long enough
     * @param position a multiple of 4,096
     */
    public static MappedPart of(FileChannel channel, long position, int count) throws IOException {
        return new MappedPart(channel.map(FileChannel.MapMode.READ_WRITE, position, count));
    }

    /** How many bytes it has. */
    public int length() {
        return bytes.capacity();
    }

    /**
     * Has the file system find room for these bytes, and memory for the pages they lie on: in a file system in memory
     * that can't be taken away again. Threads do so side by side, where {@link PosixFile#reserve} has one wait for the
     * other.
     *
     * @return false if the system can't, or has no room
     */
    public boolean populate(int from, int count) {
        int first = from / PAGE_BYTES * PAGE_BYTES;
        try {
            var unused = C.madvise(address.share(first), from + (long) count - first, POPULATE_WRITE);
            return true;
        } catch (LastErrorException e) {
            return false;
        }
    }

    /** Writes what remains of {@code source} from {@code at} on. */
    public void write(int at, ByteBuffer source) {
        bytes.put(at, source, source.position(), source.remaining());
        source.position(source.limit());
    }

    @Override
    public void close() {
        DirectMemory.free(bytes);
    }
}
