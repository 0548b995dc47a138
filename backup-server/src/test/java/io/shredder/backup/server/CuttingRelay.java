// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A relay that counts what the server sends on each of several connections, and cuts one of them. What the server sends
 * waits until all connections are there, so that each has its part.
 */
final class CuttingRelay extends Relay {

    /** Instead of the number of a connection that is cut. */
    static final int NONE = -1;

    /** So much of the first connection is passed at once; the others open when many chunks were asked for. */
    private static final long FIRST_BYTES = 40 << 20;

    /** The same of the others: handshakes and greetings. */
    private static final long OTHERS_BYTES = 32 << 10;

    /** A connection is there once the server goes on after the first part of its handshake. */
    private static final int READS_WHEN_GREETED = 2;

    private final InetSocketAddress target;
    private final CountDownLatch missing;
    private final int cut;
    private final long cutBehind;
    private final List<AtomicLong> sent = new CopyOnWriteArrayList<>();

    /**
     * Closes a connection in the midst of what the server sends.
     *
     * @param connections how many there will be
     * @param cut number of the connection, in the order in which they were opened, from 0 on; or {@link #NONE}
     * @param cutBehind so many bytes that the server sent on it
     */
    CuttingRelay(InetSocketAddress target, int connections, int cut, long cutBehind) throws IOException {
        super(target);
        this.target = target;
        this.missing = new CountDownLatch(connections);
        this.cut = cut;
        this.cutBehind = cutBehind;
        open();
    }

    /** How many bytes the server has sent on each connection so far. */
    List<Long> sentBytes() {
        return sent.stream().map(AtomicLong::get).toList();
    }

    @Override
    protected void join(Socket client, Socket server) {
        AtomicLong bytes = new AtomicLong();
        long most = sent.size() == cut ? cutBehind : Long.MAX_VALUE;
        long atOnce = sent.isEmpty() ? FIRST_BYTES : OTHERS_BYTES;
        sent.add(bytes);
        start("cutting-up", () -> pass(client, server, new AtomicLong(), Long.MAX_VALUE, Long.MAX_VALUE));
        start("cutting-down", () -> pass(server, client, bytes, atOnce, most));
    }

    private void pass(Socket from, Socket to, AtomicLong passed, long atOnce, long most)
            throws IOException, InterruptedException {
        byte[] piece = new byte[PIECE_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int reads = 0;
            for (int count = in.read(piece); count >= 0 && passed.get() < most; count = in.read(piece)) {
                if (++reads == READS_WHEN_GREETED && from.getPort() == target.getPort()) {
                    missing.countDown();
                }
                if (passed.get() > atOnce) {
                    missing.await();
                }
                out.write(piece, 0, count);
                passed.addAndGet(count);
            }
        }
    }
}
