// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Ends each connection after a time, and those at once that come when there are many. For one listener. */
@Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    /** Far more than anybody watches with, far fewer than a process has descriptors. */
    static final int MOST = 256;

    private final Duration longest;
    private final AtomicInteger open = new AtomicInteger();

    ConnectionLimit(Duration longest) {
        this.longest = longest;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        if (open.incrementAndGet() > MOST) {
            open.decrementAndGet();
            end(context);
            return;
        }
        Future<?> end = context.executor().schedule(() -> end(context), longest.toMillis(), TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(closed -> {
            open.decrementAndGet();
            end.cancel(false);
        });
        super.channelActive(context);
    }

    private static void end(ChannelHandlerContext context) {
        var unused = context.close();
    }
}
