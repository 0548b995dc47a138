// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes connections on to a port of this machine, all of them together no faster than a link of a rate would, each
 * way for itself. A
 * program by itself, so that what it takes of the processors is known. A thread for each way of a connection.
 */
public final class LinkRelay {
    private static final int PIECE_BYTES = 256 << 10;
    private static final int TRIAL_CONNECTIONS = 4;
    private static final long TRIAL_NS = 1_500_000_000;

    private final InetSocketAddress target;
    private final TokenBucket there;
    private final TokenBucket back;

    private LinkRelay(int port, double bytesPerSecond) {
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.there = new TokenBucket(bytesPerSecond);
        this.back = new TokenBucket(bytesPerSecond);
    }

    /**
     * Relays until it is stopped, or tells what it could carry.
     *
     * @param args a port, bytes a second and a file for the port to connect to; or {@code measure}
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args[0].equals("measure")) {
            System.out.println((long) mostBytesPerSecond());
            return;
        }
        try (ServerSocketChannel server = listen()) {
            Path portFile = Path.of(args[2]);
            Path partial = Path.of(portFile + ".partial");
            Files.writeString(partial, String.valueOf(portOf(server)));
            Files.move(partial, portFile, StandardCopyOption.ATOMIC_MOVE);
            new LinkRelay(Integer.parseInt(args[0]), Double.parseDouble(args[1])).serve(server);
        }
    }

    private static ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    }

    private static int portOf(ServerSocketChannel server) throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private void serve(ServerSocketChannel server) throws IOException {
        while (true) {
            SocketChannel client = server.accept();
            try {
                SocketChannel agent = SocketChannel.open(target);
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                agent.setOption(StandardSocketOptions.TCP_NODELAY, true);
                start(() -> pass(client, agent, there));
                start(() -> pass(agent, client, back));
            } catch (IOException e) {
                client.close(); // Nobody listens there: the client is told so as on any way.
            }
        }
    }

    private static void start(Runnable way) {
        var thread = new Thread(way, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** Until one end closes, or breaks; the other is then told. */
    private static void pass(SocketChannel from, SocketChannel to, TokenBucket link) {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try {
            while (from.read(piece) >= 0) {
                piece.flip();
                long waitNs = link.take(piece.remaining(), System.nanoTime());
                if (waitNs > 0) {
                    LockSupport.parkNanos(waitNs);
                }
                while (piece.hasRemaining()) {
                    to.write(piece);
                }
                piece.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeBoth(from, to);
        }
    }

    private static void closeBoth(SocketChannel one, SocketChannel other) {
        try (one) {
            other.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What it carries of several connections if the link doesn't hold it back, its own threads sending and taking
     * beside.
     */
    private static double mostBytesPerSecond() throws IOException, InterruptedException {
        var taken = new LongAdder();
        var ended = new AtomicBoolean();
        try (ServerSocketChannel sink = listen();
                ServerSocketChannel server = listen()) {
            start(() -> takeAll(sink, taken));
            start(() -> relayAll(server, portOfOrThrow(sink)));
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < TRIAL_CONNECTIONS; i++) {
                var sender = new Thread(() -> send(portOfOrThrow(server), ended), "relay-trial");
                sender.start();
                senders.add(sender);
            }
            LockSupport.parkNanos(TRIAL_NS / 3);
            long before = taken.sum();
            long startNs = System.nanoTime();
            LockSupport.parkNanos(TRIAL_NS);
            double rate = (taken.sum() - before) * 1e9 / (System.nanoTime() - startNs);
            ended.set(true);
            for (Thread sender : senders) {
                sender.join();
            }
            return rate;
        }
    }

    private static int portOfOrThrow(ServerSocketChannel server) {
        try {
            return portOf(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void relayAll(ServerSocketChannel server, int port) {
        try {
            new LinkRelay(port, Double.POSITIVE_INFINITY).serve(server);
        } catch (IOException e) {
            // The trial is over.
        }
    }

    private static void takeAll(ServerSocketChannel sink, LongAdder taken) {
        try {
            while (true) {
                SocketChannel one = sink.accept();
                start(() -> take(one, taken));
            }
        } catch (IOException e) {
            // The trial is over.
        }
    }

    private static void take(SocketChannel one, LongAdder taken) {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (one) {
            for (int read = one.read(piece); read >= 0; read = one.read(piece)) {
                taken.add(read);
                piece.clear();
            }
        } catch (IOException e) {
            // The trial is over.
        }
    }

    private static void send(int port, AtomicBoolean ended) {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (SocketChannel to = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            while (!ended.get()) {
                to.write(piece.clear());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
