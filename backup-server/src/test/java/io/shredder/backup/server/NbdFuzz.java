// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** A client of an NBD server that says anything. */
public final class NbdFuzz {

    private static final int MOST_REQUESTS = 200;

    private NbdFuzz() {}

    /**
     * A connection's life: options of any bytes, or requests that are mostly right in form and seldom in content, whose
     * answers nobody reads.
     *
     * @param client closed in the end
     * @param exportBytes where offsets mostly lie
     * @return how many requests were sent
     */
    public static int connection(NbdTester client, Random random, int exportBytes) throws IOException {
        int sent = 0;
        try (client) {
            if (random.nextBoolean()) {
                client.go();
                int requests = 1 + random.nextInt(MOST_REQUESTS);
                while (sent < requests) {
                    request(client, random, exportBytes, sent);
                    sent++;
                }
                if (random.nextInt(3) == 0) {
                    client.send(ByteBuffer.wrap(bytes(random, 60)));
                }
            } else {
                byte[] bytes = bytes(random, 200);
                client.greet(random.nextInt(4));
                client.option(random.nextInt(14), bytes);
                if (random.nextBoolean()) {
                    client.send(ByteBuffer.wrap(bytes));
                }
            }
            client.endOutput();
        } catch (IOException e) {
            return sent; // The server may close it at any time.
        }
        return sent;
    }

    /** Reads, disconnections and what there is besides, but no writes: their data would have to follow. */
    private static void request(NbdTester client, Random random, int exportBytes, int cookie) throws IOException {
        int type = random.nextInt(50) == 0 ? random.nextInt(1 << 16) : random.nextInt(9);
        if (type == 1 || type == 2) {
            type = 0;
        }
        int flags = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : 0;
        long offset = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(exportBytes);
        client.request(flags, type, cookie, offset, random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(9_000));
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }
}
