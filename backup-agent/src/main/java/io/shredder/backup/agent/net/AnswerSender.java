// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;

/**
 * Sends one connection's answers: short ones together, and none while the client doesn't take what was sent before. For
 * the connection's worker, but for {@link #wake}.
 */
final class AnswerSender {

    /** So many bytes of answers go together, if there are more to come. */
    private static final int FLUSH_BYTES = 128 << 10;

    /** The most plain bytes of one TLS record. */
    private static final int RECORD_BYTES = 16 << 10;

    /** In place of a length: a whole frame. */
    private static final int ALL_AT_ONCE = 0;

    private final ChannelHandlerContext context;
    private final SslHandler tls;
    private int unflushedBytes;

    /** @param context what is written to it goes through TLS */
    AnswerSender(ChannelHandlerContext context, SslHandler tls) {
        this.context = context;
        this.tls = tls;
    }

    /**
     * Sends a frame, which it owns; waits while the client doesn't take what was sent before.
     *
     * @param more whether another will come without waiting
     * @param taken run once the client has taken it, or never will
     */
    void send(ByteBuf frame, boolean more, Runnable taken) throws InterruptedException {
        try {
            awaitWritable();
        } catch (InterruptedException e) {
            frame.release();
            taken.run();
            throw e;
        }
        int bytes = frame.readableBytes();
        encryptTogether(bytes);
        unflushedBytes += bytes;
        ChannelPromise sent = context.newPromise();
        sent.addListener(done -> taken.run());
        if (more && unflushedBytes < FLUSH_BYTES) {
            var unused = context.write(frame, sent);
        } else {
            unflushedBytes = 0;
            var unused = context.writeAndFlush(frame, sent);
        }
    }

    /** Short answers share a TLS record; of a long one all records are made at once, which costs less. */
    private void encryptTogether(int frameBytes) {
        tls.setWrapDataSize(frameBytes > RECORD_BYTES ? ALL_AT_ONCE : RECORD_BYTES);
    }

    private synchronized void awaitWritable() throws InterruptedException {
        Channel channel = context.channel();
        while (!channel.isWritable() && channel.isActive()) {
            wait();
        }
    }

    /** Whoever waits looks again. From any thread. */
    synchronized void wake() {
        notifyAll();
    }
}
