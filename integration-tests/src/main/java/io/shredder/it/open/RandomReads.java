// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import io.shredder.backup.server.NbdTester;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Reads of 4 KiB anywhere in an export, many in flight on one connection. One thread. */
final class RandomReads {
    static final int BYTES = 4096;
    static final int IN_FLIGHT = 32;
    private static final int WHOLE = 1 << 2; // NBD_CMD_FLAG_DF: one part a read.

    private final Path socket;
    private final long firstByte;
    private final long bytes;

    /** In this part of an export. */
    RandomReads(Path socket, long firstByte, long bytes) {
        this.socket = socket;
        this.firstByte = firstByte;
        this.bytes = bytes;
    }

    /** Does so many; returns how many a second. */
    double run(int count, long seed) throws IOException {
        Random random = new Random(seed);
        long blocks = bytes / BYTES;
        try (NbdTester client = new NbdTester(socket).go()) {
            long beginNs = System.nanoTime();
            int asked = 0;
            for (int answered = 0; answered < count; answered++) {
                for (; asked < count && asked < answered + IN_FLIGHT; asked++) {
                    long block = (long) (random.nextDouble() * blocks);
                    client.request(WHOLE, 0, asked, firstByte + block * BYTES, BYTES);
                }
                NbdTester.Part part = client.part();
                if (part.data().length != 8 + BYTES) {
                    throw new IOException("an answer of " + part.data().length + " bytes, type " + part.type());
                }
            }
            return count / ((System.nanoTime() - beginNs) / 1e9);
        }
    }
}
