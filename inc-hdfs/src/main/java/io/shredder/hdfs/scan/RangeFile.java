// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/** A file that is open for reading, whose length doesn't change. One thread at a time. */
final class RangeFile implements Closeable {

    private static final int COPY_BYTES = 256 << 10;

    private final String name;
    private final FSDataInputStream in;
    private final long length;

    /** Owns the stream. */
    RangeFile(String name, FSDataInputStream in, long length) {
        this.name = name;
        this.in = in;
        this.length = length;
    }

    /** For errors. */
    String name() {
        return name;
    }

    /** In bytes. */
    long length() {
        return length;
    }

    /** A part, whole. */
    ByteBuffer read(long position, int bytes) throws IOException {
        byte[] array = new byte[bytes];
        in.readFully(position, array);
        return ByteBuffer.wrap(array);
    }

    /** The bytes from one position to another, as a stream that is read once. Closing it closes nothing. */
    ReadableByteChannel channel(long from, long to) throws IOException {
        in.seek(from);
        return new Part(to - from);
    }

    private final class Part implements ReadableByteChannel {

        private final boolean intoBuffers = in.hasCapability(StreamCapabilities.READBYTEBUFFER);
        private final byte[] copy = intoBuffers ? new byte[0] : new byte[COPY_BYTES];
        private long left;

        Part(long bytes) {
            this.left = bytes;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            if (left == 0) {
                return -1;
            }
            int wanted = (int) Math.min(target.remaining(), left);
            int count = intoBuffers ? direct(target, wanted) : copied(target, wanted);
            if (count < 0) {
                throw new EOFException(name + " ends " + left + " bytes early: it was changed while it was read");
            }
            left -= count;
            return count;
        }

        private int direct(ByteBuffer target, int wanted) throws IOException {
            int limit = target.limit();
            try {
                return in.read(target.limit(target.position() + wanted));
            } finally {
                target.limit(limit);
            }
        }

        private int copied(ByteBuffer target, int wanted) throws IOException {
            int count = in.read(copy, 0, Math.min(wanted, copy.length));
            if (count > 0) {
                target.put(copy, 0, count);
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
