// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A relay that turns into a black hole: after so many TLS records of one direction it passes nothing, in none, and
 * closes nothing. A frame is at least one record. For one connection.
 */
final class HangingRelay extends Relay {

    private static final int HEADER_BYTES = 5;

    private final boolean fromClient;
    private final int passed;
    private final AtomicInteger clientRecords = new AtomicInteger();
    private final AtomicInteger agentRecords = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean hangs;

    /**
     * Hangs before record {@code passed}, from 0, of the client, or else of the agent.
     *
     * @param passed more than there are for a relay that never hangs
     */
    HangingRelay(InetSocketAddress target, boolean fromClient, int passed) throws IOException {
        super(target);
        this.fromClient = fromClient;
        this.passed = passed;
        open();
    }

    /** Whether it has come to that. */
    boolean hangs() {
        return hangs;
    }

    /** So many records of a direction have passed. */
    int records(boolean ofClient) {
        return (ofClient ? clientRecords : agentRecords).get();
    }

    @Override
    protected void join(Socket client, Socket server) {
        start("hanging-up", () -> pass(client, server, true));
        start("hanging-down", () -> pass(server, client, false));
    }

    private void pass(Socket from, Socket to, boolean ofClient) throws IOException, InterruptedException {
        AtomicInteger records = ofClient ? clientRecords : agentRecords;
        try (to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            while (true) {
                byte[] header = in.readNBytes(HEADER_BYTES);
                if (header.length < HEADER_BYTES) {
                    break;
                }
                byte[] body = in.readNBytes(Byte.toUnsignedInt(header[3]) << 8 | Byte.toUnsignedInt(header[4]));
                hangs |= ofClient == fromClient && records.get() >= passed;
                if (hangs) {
                    never.await();
                }
                out.write(header);
                out.write(body);
                records.incrementAndGet();
            }
            if (hangs) {
                never.await();
            }
        }
        from.close();
    }
}
