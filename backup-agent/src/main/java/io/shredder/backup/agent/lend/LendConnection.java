// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.ClientNames;
import java.net.UnixDomainSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One engine's connection: lets it in by its certificate, and passes it on to the worker. On its event loop. */
final class LendConnection extends SpliceWhenReady {

    private static final Logger LOG = LoggerFactory.getLogger(LendConnection.class);

    private final LendDaemon daemon;
    private boolean shaken;

    LendConnection(LendDaemon daemon) {
        this.daemon = daemon;
    }

    @Override
    public void channelActive(ChannelHandlerContext channel) throws Exception {
        daemon.strangers().add(channel.channel());
        long limitMs = LendDaemon.HANDSHAKE_LIMIT.toMillis();
        var unused = channel.executor().schedule(() -> endUnshaken(channel), limitMs, TimeUnit.MILLISECONDS);
        super.channelActive(channel);
    }

    private void endUnshaken(ChannelHandlerContext channel) {
        if (!shaken && channel.channel().isActive()) {
            LOG.warn(
                    "closing the connection of {}: no TLS handshake",
                    channel.channel().remoteAddress());
            var unused = channel.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            shaken = true;
            daemon.strangers().known(channel.channel());
            admit(channel);
        }
        super.userEventTriggered(channel, event);
    }

    private void admit(ChannelHandlerContext channel) throws SSLPeerUnverifiedException {
        X509Certificate certificate = (X509Certificate)
                channel.pipeline().get(SslHandler.class).engine().getSession().getPeerCertificates()[0];
        SnapshotName client;
        try {
            client = ClientNames.of(certificate);
        } catch (IllegalArgumentException e) {
            refuse(channel, "the certificate's CN can't be used: " + e.getMessage());
            return;
        }
        if (daemon.isRevoked(certificate)) {
            refuse(channel, "the certificate of " + client + " is revoked: use another");
        } else if (!daemon.mayBorrow(client)) {
            refuse(channel, "client " + client + " has no right here: give it 'borrow' in the file of rights");
        } else if (!daemon.admit(channel.channel())) {
            refuse(channel, "there are too many connections: try again later");
        } else {
            LOG.info("client {} connected from {}", client, channel.channel().remoteAddress());
            connect(channel);
        }
    }

    private static void refuse(ChannelHandlerContext channel, String why) {
        LOG.warn("closing the connection of {}: {}", channel.channel().remoteAddress(), why);
        Refusal.send(channel.channel(), why);
    }

    private void connect(ChannelHandlerContext channel) {
        Bootstrap worker = new Bootstrap()
                .group(channel.channel().eventLoop())
                .channel(NioDomainSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new ChannelInboundHandlerAdapter());
        ChannelFuture connecting = worker.connect(UnixDomainSocketAddress.of(daemon.worker()));
        connecting.addListener(connected -> {
            if (connected.isSuccess()) {
                splice(channel, connecting.channel());
            } else {
                refuse(channel, "the worker at " + daemon.worker() + " doesn't answer: start 'shredder worker' there");
            }
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable problem) {
        LOG.warn("closing the connection of {}: {}", channel.channel().remoteAddress(), problem.toString());
        var unused = channel.close();
    }
}
