// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.server.Relay;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A relay on the loopback address that is as slow as a long line: each direction has a bandwidth, and every byte
 * arrives half a round trip after it was sent. What is on the line waits here, as it would in the line; how much that
 * is, its ends decide.
 */
public final class LongLink extends Relay {

    private final long oneWayNs;
    private final long bytesPerSecond;

    /** Bytes on the line; no bytes is its end. */
    private record Piece(ByteBuffer bytes, long arrivesNs) {}

    /** @param bytesPerSecond of either direction */
    public LongLink(InetSocketAddress target, long roundTripMs, long bytesPerSecond) throws IOException {
        super(target);
        this.oneWayNs = roundTripMs * 1_000_000 / 2;
        this.bytesPerSecond = bytesPerSecond;
        open();
    }

    @Override
    protected void join(Socket client, Socket server) {
        relay(client, server);
        relay(server, client);
    }

    private void relay(Socket from, Socket to) {
        BlockingQueue<Piece> line = new LinkedBlockingQueue<>();
        start("link-in", () -> take(from, line));
        start("link-out", () -> deliver(line, to));
    }

    private void take(Socket from, BlockingQueue<Piece> line) throws IOException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[PIECE_BYTES];
        long sentNs = System.nanoTime();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            sentNs = Math.max(sentNs, System.nanoTime()) + count * 1_000_000_000L / bytesPerSecond;
            line.add(new Piece(ByteBuffer.wrap(buffer.clone(), 0, count), sentNs + oneWayNs));
        }
        line.add(new Piece(ByteBuffer.allocate(0), System.nanoTime() + oneWayNs));
    }

    private static void deliver(BlockingQueue<Piece> line, Socket to) throws IOException, InterruptedException {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Piece piece = line.take(); piece.bytes().hasRemaining(); piece = line.take()) {
                for (long left = piece.arrivesNs() - System.nanoTime();
                        left > 0;
                        left = piece.arrivesNs() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(piece.bytes().array(), 0, piece.bytes().remaining());
            }
        }
    }
}
