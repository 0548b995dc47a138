// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A relay on the loopback address that is as slow as a long line: each direction has a bandwidth, and every byte arrives half a round trip
 * after it was sent. What is on the line waits here, as it would in the line; how much that is, its ends decide.
 */
final class LongLink implements Closeable {

    private static final int PIECE_BYTES = 1 << 16;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private final long oneWayNs;
    private final long bytesPerSecond;

    /** Bytes on the line; no bytes is its end. */
    private record Piece(byte[] bytes, long arrivesNs) {}

    LongLink(InetSocketAddress target, long roundTripMs, long bytesPerSecond) throws IOException {
        this.target = target;
        this.oneWayNs = roundTripMs * 1_000_000 / 2;
        this.bytesPerSecond = bytesPerSecond;
        start("link-accept", this::accept);
    }

    /** Where it listens. */
    int port() {
        return listener.getLocalPort();
    }

    /** What may end by a socket that the other direction, or the test, has closed. */
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One of the ends has hung up.
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = listener.accept();
            Socket far = new Socket(target.getAddress(), target.getPort());
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            relay(near, far);
            relay(far, near);
        }
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
            line.add(new Piece(java.util.Arrays.copyOf(buffer, count), sentNs + oneWayNs));
        }
        line.add(new Piece(new byte[0], System.nanoTime() + oneWayNs));
    }

    private static void deliver(BlockingQueue<Piece> line, Socket to) throws IOException, InterruptedException {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Piece piece = line.take(); piece.bytes().length > 0; piece = line.take()) {
                for (long left = piece.arrivesNs() - System.nanoTime();
                        left > 0;
                        left = piece.arrivesNs() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(piece.bytes());
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
