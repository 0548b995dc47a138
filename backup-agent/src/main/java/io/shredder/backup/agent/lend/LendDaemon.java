// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.net.Strangers;
import io.shredder.backup.agent.net.TlsListener;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;

/**
 * Lets engines elsewhere use a worker of this machine, by the right {@code borrow}. Threads: one event loop that
 * accepts, some that carry bytes, TLS and all.
 */
public final class LendDaemon implements Closeable {

    /** Within which a connection must have shown its certificate. */
    static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);

    private static final int MOST_CONNECTIONS = 64;
    private static final int MOST_STRANGERS = 64;

    private final Path worker;
    private final AccessFile access;
    private final RevokedCertificates revoked;
    private final Strangers strangers = new Strangers(MOST_STRANGERS);
    private final ChannelGroup admitted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final EventLoopGroup acceptor = new NioEventLoopGroup(1, new DefaultThreadFactory("lend-accept"));
    private final EventLoopGroup carriers = new NioEventLoopGroup(new DefaultThreadFactory("lend-io"));
    private final Channel listener;

    private LendDaemon(
            Path worker, AccessFile access, RevokedCertificates revoked, TlsFiles tls, InetSocketAddress listen)
            throws IOException {
        this.worker = worker;
        this.access = access;
        this.revoked = revoked;
        try {
            this.listener = TlsListener.bind(
                    acceptor,
                    carriers,
                    tls.forAgent(),
                    channel -> {
                        DeadPeers.notice(channel);
                        channel.pipeline().addLast(new LendConnection(this));
                    },
                    listen);
        } catch (IOException e) {
            shutDownLoops();
            throw e;
        }
    }

    /**
     * Starts to listen. Port 0 takes any free port: see {@link #address}.
     *
     * @param worker its socket; it may begin, end and begin again meanwhile
     * @param access who may borrow
     */
    public static LendDaemon start(
            Path worker, AccessFile access, RevokedCertificates revoked, TlsFiles tls, InetSocketAddress listen)
            throws IOException {
        return new LendDaemon(worker, access, revoked, tls, listen);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    Path worker() {
        return worker;
    }

    Strangers strangers() {
        return strangers;
    }

    boolean isRevoked(X509Certificate certificate) {
        return revoked.contains(certificate);
    }

    /** By the rules of this moment. */
    boolean mayBorrow(SnapshotName client) {
        return access.current().mayBorrow(client);
    }

    /** Lets a connection in, unless there are too many. */
    synchronized boolean admit(Channel channel) {
        return admitted.size() < MOST_CONNECTIONS && admitted.add(channel);
    }

    /** The engines go on without it. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        admitted.close().awaitUninterruptibly();
        shutDownLoops();
    }

    private void shutDownLoops() {
        TlsListener.shutDown(acceptor, carriers);
    }
}
