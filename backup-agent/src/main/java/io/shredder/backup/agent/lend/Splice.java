// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes what comes on a channel on to another one, which has a splice back. Nothing is read while the other side takes
 * nothing. When one ends, so does the other, once it has what came before.
 */
final class Splice extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(Splice.class);

    private final Channel to;

    Splice(Channel to) {
        this.to = to;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object bytes) {
        var unused = to.write(bytes);
        if (!to.isWritable()) {
            from.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        to.flush();
    }

    /** There is room in this side again. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            to.config().setAutoRead(true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        end(to);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable problem) {
        LOG.debug("{}: {}", from.channel(), problem.toString());
        end(from.channel());
    }

    /** Once it has what was written. */
    static void end(Channel channel) {
        var unused = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
}
