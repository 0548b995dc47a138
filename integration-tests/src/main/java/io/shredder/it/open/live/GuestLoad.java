// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.live;

import io.shredder.backup.server.NbdTester;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/**
 * What a busy machine does to its disk: reads and writes of 64 KiB anywhere, seven to three, eight in flight, and after
 * every 64 of them a flush. On one connection; one thread.
 */
final class GuestLoad {

    private static final int BYTES = 64 << 10;
    private static final int IN_FLIGHT = 8;
    private static final int BETWEEN_FLUSHES = 64;
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int FLUSH = 3;
    private static final int SIMPLE_MAGIC = 0x67446698;

    private final Path socket;
    private final long imageBytes;

    GuestLoad(Path socket, long imageBytes) {
        this.socket = socket;
        this.imageBytes = imageBytes;
    }

    /** Works for so long; returns megabytes a second. */
    double run(long seconds, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        long beginNs = System.nanoTime();
        long untilNs = beginNs + seconds * 1_000_000_000L;
        long done = 0;
        try (NbdTester client = new NbdTester(socket).go()) {
            while (System.nanoTime() < untilNs) {
                for (int i = 0; i < BETWEEN_FLUSHES / IN_FLIGHT; i++) {
                    ask(client, random, bytes);
                    done += (long) IN_FLIGHT * BYTES;
                }
                client.request(0, FLUSH, 0, 0, 0);
                requireSuccess(client.simple(0));
            }
        }
        return done / 1e6 / ((System.nanoTime() - beginNs) / 1e9);
    }

    private void ask(NbdTester client, Random random, byte[] bytes) throws IOException {
        for (int i = 0; i < IN_FLIGHT; i++) {
            long offset = random.nextLong(imageBytes / BYTES) * BYTES;
            if (random.nextInt(10) < 7) {
                client.request(1 << 2, READ, i, offset, BYTES); // NBD_CMD_FLAG_DF: one part a read.
            } else {
                client.request(0, WRITE, i, offset, BYTES);
                client.send(ByteBuffer.wrap(bytes));
            }
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            takeAnswer(client);
        }
    }

    /** Those of reads are structured, those of writes simple; they come in any order. */
    private static void takeAnswer(NbdTester client) throws IOException {
        if (client.take(4).getInt() == SIMPLE_MAGIC) {
            requireSuccess(client.take(12).getInt());
            return;
        }
        ByteBuffer head = client.take(16);
        int type = Short.toUnsignedInt(head.getShort(2));
        int length = head.getInt(12);
        if (type != 1 || length != 8 + BYTES) {
            throw new IOException("an answer of " + length + " bytes, type " + type);
        }
        client.take(length);
    }

    private static void requireSuccess(int error) throws IOException {
        if (error != 0) {
            throw new IOException("a guest was refused, with error " + error);
        }
    }
}
