// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Ends each connection after a time; the oldest at once when there are many, so that idle ones keep nobody out; and new
 * ones where the thread has taken its share. For one listener, whose one thread calls it.
 */
@Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    /** Far more than anybody watches with, far fewer than a process has descriptors. */
    static final int MOST = 256;

    private static final Duration REST = Duration.ofMillis(100);

    private final Duration longest;
    private final CpuShare share;
    private final Set<Channel> open = new LinkedHashSet<>();

    ConnectionLimit(Duration longest, CpuShare share) {
        this.longest = longest;
        this.share = share;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        if (share.isSpent()) {
            end(context.channel());
            rest(context.channel().parent());
            return;
        }
        if (open.size() == MOST) {
            end(open.iterator().next());
        }
        Channel channel = context.channel();
        open.add(channel);
        Future<?> end = context.executor().schedule(() -> end(channel), longest.toMillis(), TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> {
            open.remove(channel);
            end.cancel(false);
        });
        super.channelActive(context);
    }

    /** To refuse takes time, too: for a while nobody is let in, and who comes waits in the kernel. */
    private static void rest(Channel listener) {
        if (listener.config().isAutoRead()) {
            listener.config().setAutoRead(false);
            var unused = listener.eventLoop()
                    .schedule(() -> listener.config().setAutoRead(true), REST.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private static void end(Channel channel) {
        var unused = channel.close();
    }
}
