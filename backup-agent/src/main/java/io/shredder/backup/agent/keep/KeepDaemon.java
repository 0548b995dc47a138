// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.net.Strangers;
import io.shredder.backup.agent.net.TlsListener;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keeper on another machine: holds a folder, listens, and lets those in whom the rules give the right to keep.
 * Threads: one event loop that accepts, two that carry frames, and {@code keep-work} for the disk, a bounded number for
 * each connection. Closing it ends all connections, and returns once nothing of theirs is under way.
 */
public final class KeepDaemon implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(KeepDaemon.class);
    private static final int IO_THREADS = 2;
    private static final long LONGEST_STOP_S = 60;

    private final KeptFolder folder;
    private final AccessFile access;
    private final RevokedCertificates revoked;
    private final KeepLimits limits;
    private final Strangers strangers;
    private final UUID process = UUID.randomUUID();
    private final Set<KeepConnection> connections = new LinkedHashSet<>();
    private final EventLoopGroup acceptor = new NioEventLoopGroup(1, new DefaultThreadFactory("keep-accept"));
    private final EventLoopGroup carriers = new NioEventLoopGroup(IO_THREADS, new DefaultThreadFactory("keep-io"));
    private final ExecutorService workers;
    private final Channel listener;
    private boolean stopping;

    private KeepDaemon(
            KeptFolder folder,
            AccessFile access,
            RevokedCertificates revoked,
            KeepLimits limits,
            SslContext tls,
            InetSocketAddress listen)
            throws IOException {
        this.folder = folder;
        this.access = access;
        this.revoked = revoked;
        this.limits = limits;
        this.strangers = new Strangers(limits.strangers());
        AtomicInteger numbers = new AtomicInteger();
        this.workers =
                Executors.newCachedThreadPool(task -> new Thread(task, "keep-work-" + numbers.incrementAndGet()));
        try {
            this.listener = TlsListener.bind(acceptor, carriers, tls, this::begin, listen);
        } catch (IOException e) {
            shutDownThreads();
            throw e;
        }
    }

    private void begin(Channel channel) {
        new KeepConnection(this, "client " + channel.remoteAddress()).addTo(channel.pipeline());
    }

    /**
     * Holds a folder, which must be there, and starts to listen. Port 0 takes any free port: see {@link #address}.
     *
     * @param access who may keep
     */
    public static KeepDaemon start(
            Path folder,
            AccessFile access,
            RevokedCertificates revoked,
            KeepLimits limits,
            TlsFiles tls,
            InetSocketAddress listen)
            throws IOException {
        SslContext context = tls.forAgent();
        KeptFolder kept = KeptFolder.open(folder);
        try {
            return new KeepDaemon(kept, access, revoked, limits, context, listen);
        } catch (IOException | RuntimeException e) {
            kept.close();
            throw e;
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    KeptFolder folder() {
        return folder;
    }

    KeepLimits limits() {
        return limits;
    }

    Strangers strangers() {
        return strangers;
    }

    /** By which two addresses of this keeper are known to be one. */
    UUID process() {
        return process;
    }

    /** Whether this certificate is not to be believed any more. */
    boolean isRevoked(BigInteger serial) {
        return revoked.contains(serial);
    }

    /** Whether a client may keep, by the rules of this moment. */
    boolean mayKeep(SnapshotName client) {
        return access.current().mayKeep(client);
    }

    ExecutorService workers() {
        return workers;
    }

    /** Lets a connection in, unless there are too many. */
    synchronized boolean admit(KeepConnection connection) {
        if (stopping || connections.size() >= limits.connections()) {
            return false;
        }
        return connections.add(connection);
    }

    /** Nothing of it is under way any more. */
    synchronized void forget(KeepConnection connection) {
        connections.remove(connection);
        notifyAll();
    }

    /** Whether its threads take up work, so that clients are served. */
    public boolean isServing() throws InterruptedException {
        return TlsListener.answer(acceptor, carriers);
    }

    @Override
    public void close() throws IOException {
        listener.close().awaitUninterruptibly();
        List<KeepConnection> open;
        synchronized (this) {
            stopping = true;
            open = List.copyOf(connections);
        }
        open.forEach(KeepConnection::stop);
        awaitTheirEnd();
        shutDownThreads();
        folder.close();
    }

    private synchronized void awaitTheirEnd() {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_STOP_S);
        try {
            while (!connections.isEmpty() && System.nanoTime() < endNs) {
                wait(1000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("interrupted while waiting for clients");
        }
    }

    private void shutDownThreads() {
        TlsListener.shutDown(acceptor, carriers);
        workers.shutdown();
    }
}
