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
        out.write(bytes);
    }

    @Override
    public void writeZeros(long count) throws IOException {
        for (long left = count; left > 0; left -= ZEROS.length) {
            out.write(ZEROS, 0, (int) Math.min(left, ZEROS.length));
        }
    }

    @Override
    public void commit() throws IOException {
        out.flush();
    }

    @Override
    public void close() {}
}
