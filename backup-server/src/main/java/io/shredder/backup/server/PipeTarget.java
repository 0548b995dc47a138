// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.io.OutputStream;

/** A pipe, or standard output: whole or ended by an error, since what has gone through can't be taken back. */
final class PipeTarget implements RestoreTarget {

    private static final byte[] ZEROS = new byte[1 << 16];

    private final OutputStream out;

    PipeTarget(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, bytes.length);
    }

    private void write(byte[] bytes, int count) throws IOException {
        try {
            out.write(bytes, 0, count);
        } catch (IOException e) {
            throw new IOException(
                    "can't write to standard output, which has a part of the image now: " + e.getMessage(), e);
        }
    }

    @Override
    public void writeZeros(long count) throws IOException {
        for (long left = count; left > 0; left -= ZEROS.length) {
            write(ZEROS, (int) Math.min(left, ZEROS.length));
        }
    }

    @Override
    public void commit() throws IOException {
        out.flush();
    }

    @Override
    public void close() {}
}
