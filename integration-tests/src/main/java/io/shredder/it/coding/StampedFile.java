// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file of random bytes, no two stripes of which are alike, so that no parity is right by chance.
 *
 * @param length in bytes, of whole pieces
 */
record StampedFile(Path path, long length) {
    static final int PIECE_BYTES = 64 << 10;
    private static final int PIECES = 97;
    private static final byte[] RANDOM = new byte[PIECES * PIECE_BYTES];

    static {
        new Random(25).nextBytes(RANDOM);
    }

    StampedFile {
        if (length <= 0 || length % PIECE_BYTES != 0) {
            throw new IllegalArgumentException(length + " bytes are no pieces of " + PIECE_BYTES);
        }
    }

    /** Puts a piece of the content: its number, and random bytes behind it. */
    private static void fill(byte[] piece, long number) {
        System.arraycopy(RANDOM, (int) (number % PIECES) * PIECE_BYTES, piece, 0, PIECE_BYTES);
        ByteBuffer.wrap(piece).putLong(0, number);
    }

    /** Writes it by pieces, as a program would, in the calling thread. */
    void write(FileSystem fs) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (FSDataOutputStream out = fs.create(path, true)) {
            for (long number = 0; number < length / PIECE_BYTES; number++) {
                fill(piece, number);
                out.write(piece);
            }
        }
    }

    /** Fails unless it reads as it was written, to its end. */
    void check(FileSystem fs) throws IOException {
        byte[] expected = new byte[PIECE_BYTES];
        byte[] piece = new byte[PIECE_BYTES];
        try (FSDataInputStream in = fs.open(path)) {
            for (long number = 0; number < length / PIECE_BYTES; number++) {
                fill(expected, number);
                in.readFully(piece);
                if (!Arrays.equals(piece, expected)) {
                    throw new IOException(path + " reads otherwise than it was written, from " + number * PIECE_BYTES);
                }
            }
            if (in.read() >= 0) {
                throw new IOException(path + " is longer than it was written");
            }
        }
    }
}
