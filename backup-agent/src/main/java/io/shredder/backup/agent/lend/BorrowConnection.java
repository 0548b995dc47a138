// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of an engine of this machine: passes it on, over TLS. On its event loop. */
final class BorrowConnection extends SpliceWhenReady {

    private static final Logger LOG = LoggerFactory.getLogger(BorrowConnection.class);

    private final BorrowDaemon daemon;

    BorrowConnection(BorrowDaemon daemon) {
        this.daemon = daemon;
    }

    @Override
    public void channelActive(ChannelHandlerContext engine) {
        HostPort from = daemon.from();
        SslHandler tls = TlsFiles.clientHandler(daemon.tls(), engine.channel(), from, LendDaemon.HANDSHAKE_LIMIT);
        ChannelFuture connecting = new Bootstrap()
                .group(engine.channel().eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) LendDaemon.HANDSHAKE_LIMIT.toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        DeadPeers.notice(channel);
                        channel.pipeline().addLast(tls);
                    }
                })
                .connect(from.host(), from.port());
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                refuse(engine, connected.cause());
            }
        });
        tls.handshakeFuture().addListener(shaken -> {
            if (shaken.isSuccess()) {
                splice(engine, connecting.channel());
            } else if (connecting.isSuccess()) {
                refuse(engine, shaken.cause());
                Splice.end(connecting.channel());
            }
        });
    }

    private void refuse(ChannelHandlerContext engine, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        String why = "no worker at " + daemon.from() + ": " + reason;
        LOG.warn("{}", why);
        Refusal.send(engine.channel(), why);
    }
}
