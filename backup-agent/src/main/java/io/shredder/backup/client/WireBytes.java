// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what really goes through the socket, TLS and all: it sits next to it. */
final class WireBytes extends ChannelDuplexHandler {

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof ByteBuf bytes) {
            sent.addAndGet(bytes.readableBytes());
        }
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            received.addAndGet(bytes.readableBytes());
        }
        super.channelRead(context, message);
    }

    long sent() {
        return sent.get();
    }

    long received() {
        return received.get();
    }
}
