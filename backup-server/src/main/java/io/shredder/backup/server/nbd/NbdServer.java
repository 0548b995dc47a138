// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.wire.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one volume to NBD clients until it is closed. Threads: {@code nbd-accept}, one {@code nbd-client} for each
 * connection and those of its {@link NbdSession}, and {@code nbd-watch}, which ends negotiations that take too long.
 */
public final class NbdServer implements Closeable {

    /** So many connections at once; one more is closed at once. */
    public static final int MOST_CONNECTIONS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(NbdServer.class);
    private static final Duration NEGOTIATION = Duration.ofSeconds(10);
    private static final long GRACE_MS = 2_000;

    private final ServerSocketChannel listening;
    private final NbdVolume volume;
    private final NbdAccess access;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "nbd-watch");
        thread.setDaemon(true);
        return thread;
    });

    private final Set<SocketChannel> clients = new HashSet<>();
    private long idleSinceNs = System.nanoTime();
    private boolean hadClient;
    private boolean closed;

    /** Serves behind a socket that listens, which it closes. The volume stays the caller's. */
    NbdServer(ServerSocketChannel listening, NbdVolume volume, NbdAccess access) {
        this.listening = listening;
        this.volume = volume;
        this.access = access;
        Thread thread = new Thread(this::accept, "nbd-accept");
        thread.setDaemon(true);
        thread.start();
    }

    /** Serves on an address; whoever asks closes it. */
    public static NbdServer listen(InetSocketAddress address, NbdVolume volume, NbdAccess access) throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.bind(address);
            return new NbdServer(listening, volume, access);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e instanceof java.nio.channels.UnresolvedAddressException
                    ? new IOException("can't listen at " + address.getHostString() + ": the host is unknown", e)
                    : new IOException("can't listen at " + address + ": " + e.getMessage(), e);
        }
    }

    /** Whether nobody but this machine can reach an address. */
    public static boolean isLoopback(HostPort address) {
        InetSocketAddress resolved = address.address();
        return resolved.getAddress() != null && resolved.getAddress().isLoopbackAddress();
    }

    /** What the export is called, beside being the default one. */
    public String exportName() {
        return volume.name();
    }

    /** The port that it listens at. */
    public int port() throws IOException {
        return ((InetSocketAddress) listening.getLocalAddress()).getPort();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = listening.accept();
                if (enter(client)) {
                    Thread thread = new Thread(() -> serve(client), "nbd-client");
                    thread.setDaemon(true);
                    thread.start();
                } else {
                    client.close();
                }
            }
        } catch (ClosedChannelException e) {
            // Closed on purpose.
        } catch (IOException e) {
            LOG.error("no more NBD clients are accepted: {}", e.getMessage());
        }
    }

    private synchronized boolean enter(SocketChannel client) {
        if (closed || clients.size() >= MOST_CONNECTIONS) {
            LOG.warn("an NBD connection is refused: there are {} already", clients.size());
            return false;
        }
        hadClient = true;
        return clients.add(client);
    }

    private synchronized void leave(SocketChannel client) {
        clients.remove(client);
        idleSinceNs = System.nanoTime();
        notifyAll();
    }

    private void serve(SocketChannel client) {
        try (client) {
            if (client.getLocalAddress() instanceof InetSocketAddress) {
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            }
            Future<?> late = watch.schedule(() -> closeLate(client), NEGOTIATION.toMillis(), TimeUnit.MILLISECONDS);
            Optional<NbdNegotiation.Agreement> agreed =
                    new NbdNegotiation(volume, access.tls(), new PlainTransport(client)).agree();
            late.cancel(false);
            if (agreed.isPresent()) {
                try {
                    new NbdSession(agreed.get(), volume).run();
                } finally {
                    agreed.get().transport().close(); // TLS says goodbye.
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("an NBD client is dropped: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leave(client);
        }
    }

    private static void closeLate(SocketChannel client) {
        LOG.info("an NBD client didn't end the negotiation within {} s", NEGOTIATION.toSeconds());
        try {
            client.close();
        } catch (IOException e) {
            LOG.debug("closing a late client", e);
        }
    }

    /**
     * Waits until it is to end: when it is closed, or as the two say.
     *
     * @param once when the last client has left
     * @param idle when for so long there was no client; empty for never
     */
    public synchronized void awaitEnd(boolean once, Optional<Duration> idle) throws InterruptedException {
        while (!closed) {
            long leftMs = Long.MAX_VALUE;
            if (clients.isEmpty()) {
                if (once && hadClient) {
                    return;
                }
                if (idle.isPresent()) {
                    leftMs = idle.get().toMillis() - (System.nanoTime() - idleSinceNs) / 1_000_000;
                    if (leftMs <= 0) {
                        return;
                    }
                }
            }
            wait(leftMs == Long.MAX_VALUE ? 0 : leftMs);
        }
    }

    /** Waits until there is no client, or it is closed. */
    synchronized void awaitNobody() throws InterruptedException {
        while (!closed && !clients.isEmpty()) {
            wait();
        }
    }

    /** Ends: nobody can connect any more, and who is connected is cut off. */
    @Override
    public void close() throws IOException {
        listening.close();
        watch.shutdownNow();
        synchronized (this) {
            closed = true;
            for (SocketChannel client : clients) {
                client.close();
            }
            long untilNs = System.nanoTime() + GRACE_MS * 1_000_000;
            try {
                for (long leftMs = GRACE_MS; !clients.isEmpty() && leftMs > 0; ) {
                    wait(leftMs);
                    leftMs = (untilNs - System.nanoTime()) / 1_000_000;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            notifyAll();
        }
    }
}
