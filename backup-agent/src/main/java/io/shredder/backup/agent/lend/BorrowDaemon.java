// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.agent.net.TlsListener;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Has a Unix socket, as a worker has one, whose connections go on to a {@link LendDaemon}. Only its owner may connect.
 * Threads: one event loop that accepts, some that carry bytes, TLS and all.
 */
public final class BorrowDaemon implements Closeable {

    private final HostPort from;
    private final Path socket;
    private final SslContext tls;
    private final EventLoopGroup acceptor = new NioEventLoopGroup(1, new DefaultThreadFactory("borrow-accept"));
    private final EventLoopGroup carriers = new NioEventLoopGroup(new DefaultThreadFactory("borrow-io"));
    private final Channel listener;

    private BorrowDaemon(HostPort from, Path socket, TlsFiles tls) throws IOException {
        this.from = from;
        this.socket = socket;
        this.tls = tls.forClient();
        try {
            this.listener = listen();
        } catch (IOException e) {
            shutDownLoops();
            throw e;
        }
    }

    /**
     * Starts to listen.
     *
     * @param from need not be there yet: an engine that comes before it is told so
     * @param socket nothing but a socket may be there, of a process that is gone
     */
    public static BorrowDaemon start(HostPort from, Path socket, TlsFiles tls) throws IOException {
        return new BorrowDaemon(from, socket, tls);
    }

    HostPort from() {
        return from;
    }

    SslContext tls() {
        return tls;
    }

    /** In a folder that nobody else may look into, until only its owner may connect. */
    private Channel listen() throws IOException {
        Path parent = socket.toAbsolutePath().getParent();
        Path folder = Files.createTempDirectory(
                parent, ".borrow", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path made = folder.resolve("s");
        try {
            ChannelFuture bound = new ServerBootstrap()
                    .group(acceptor, carriers)
                    .channel(NioServerDomainSocketChannel.class)
                    .childHandler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new BorrowConnection(BorrowDaemon.this));
                        }
                    })
                    .bind(UnixDomainSocketAddress.of(made))
                    .awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new IOException(
                        "can't listen at " + socket + ": " + bound.cause().getMessage());
            }
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            refuseAnythingElse();
            Files.move(made, socket, StandardCopyOption.ATOMIC_MOVE);
            return bound.channel();
        } finally {
            Files.deleteIfExists(made);
            Files.delete(folder);
        }
    }

    private void refuseAnythingElse() throws IOException {
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)
                && !Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther()) {
            throw new FileAlreadyExistsException(socket + " is no socket: name another path with --socket");
        }
    }

    /** What it borrows, and where. */
    @Override
    public String toString() {
        return from + " at " + socket;
    }

    /** The engines go on without it. */
    @Override
    public void close() throws IOException {
        listener.close().awaitUninterruptibly();
        Files.deleteIfExists(socket);
        shutDownLoops();
    }

    private void shutDownLoops() {
        TlsListener.shutDown(acceptor, carriers);
    }
}
