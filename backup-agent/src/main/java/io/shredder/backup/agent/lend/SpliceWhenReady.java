// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Keeps what comes on a channel until there is another one to pass it on to; reads no more meanwhile. On one event
 * loop.
 */
class SpliceWhenReady extends ChannelInboundHandlerAdapter {

    private final Queue<Object> early = new ArrayDeque<>();

    @Override
    public void channelRead(ChannelHandlerContext from, Object bytes) {
        from.channel().config().setAutoRead(false);
        early.add(bytes);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        drop();
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws Exception {
        drop();
        super.channelInactive(from);
    }

    private void drop() {
        early.forEach(ReferenceCountUtil::release);
        early.clear();
    }

    /** The other channel, of the same loop, which is open: both are passed on to each other from now on. */
    final void splice(ChannelHandlerContext own, Channel other) {
        if (!own.channel().isActive()) {
            Splice.end(other);
            return;
        }
        other.pipeline().addLast(new Splice(own.channel()));
        while (!early.isEmpty()) {
            var unused = other.write(early.remove());
        }
        other.flush();
        own.pipeline().addLast(new Splice(other)).remove(this);
        own.channel().config().setAutoRead(true);
        other.config().setAutoRead(true);
    }
}
