// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A pipe, or standard output: whole or ended by an error, since what has gone through can't be taken back. */
public final class PipeTarget implements RestoreTarget {

    private static final byte[] ZEROS = new byte[1 << 16];

    private final WritableByteChannel out;

    /** Whoever opened the channel closes it. */
    public PipeTarget(WritableByteChannel out) {
        this.out = out;
    }

    @Override
    public boolean takesAnyOrder() {
        return false;
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        try {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new IOException(
                    "can't write to standard output, which has a part of the image now: " + e.getMessage(), e);
        }
    }

    @Override
    public void writeZeros(long position, long count) throws IOException {
        for (long left = count; left > 0; left -= ZEROS.length) {
            write(position, ByteBuffer.wrap(ZEROS, 0, (int) Math.min(left, ZEROS.length)));
        }
    }

    @Override
    public void commit(long imageBytes) {}

    @Override
    public void close() {}
}
