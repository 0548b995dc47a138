// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a peer has been silent, and for how long it has taken nothing of what waits for it; and says
 * {@link KeepAlive} to a peer that knows it, so that long work isn't taken for silence. Sits between TLS and the
 * {@link FrameDecoder}: each part of a frame counts. For one connection, on its event loop.
 */
public final class SilenceWatch extends ChannelInboundHandlerAdapter {

    private static final long SHORTEST_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_INTERVAL_NS = TimeUnit.SECONDS.toNanos(30);

    /** So many keep-alives are due before the peer gives up: some may be late. */
    private static final int LOOKS = 4;

    private final Duration limit;
    private final Judge judge;
    private long peerLimitNs = Long.MAX_VALUE;
    private long lastReadNs;
    private long lastTakenNs;
    private long pendingBytes;
    private long pendingProgress;
    private boolean keepsAlive;
    private @Nullable ScheduledFuture<?> nextLook;

    /** Decides what the silence means. */
    @FunctionalInterface
    public interface Judge {
        /**
         * Called at least {@value #LOOKS} times within the limit.
         *
         * @param unheard how long nothing has come; none while nothing is read on purpose
         * @param untaken how long the peer has taken nothing of what waits for it; empty while nothing does
         */
        void look(Duration unheard, Optional<Duration> untaken);
    }

    /** @param limit that is judged by; told to the peer */
    public SilenceWatch(Duration limit, Judge judge) {
        this.limit = limit;
        this.judge = judge;
    }

    /** The peer knows keep-alives: it gets them from now on, the first at once. */
    public void keepAlive(ChannelHandlerContext context) {
        keepsAlive = true;
        own(context).ifPresent(this::say);
    }

    /** The peer said one: it gets this side's as often as it needs them. */
    public void heard(KeepAlive word, ChannelHandlerContext context) {
        long heardLimitNs = TimeUnit.MILLISECONDS.toNanos(word.silenceMs());
        if (heardLimitNs != peerLimitNs) {
            peerLimitNs = heardLimitNs;
            own(context).ifPresent(this::lookLater);
        }
    }

    /** Empty if the connection was closed meanwhile. */
    private Optional<ChannelHandlerContext> own(ChannelHandlerContext context) {
        return Optional.ofNullable(context.pipeline().context(this));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        lastReadNs = System.nanoTime();
        lastTakenNs = lastReadNs;
        lookLater(context);
        super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        lastReadNs = System.nanoTime();
        super.channelRead(context, message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        stop();
        super.channelInactive(context);
    }

    private void stop() {
        if (nextLook != null) {
            nextLook.cancel(false);
            nextLook = null;
        }
    }

    private void lookLater(ChannelHandlerContext context) {
        stop();
        long limitNs = Math.min(limit.toNanos(), peerLimitNs);
        long delayNs = Math.max(SHORTEST_INTERVAL_NS, Math.min(LONGEST_INTERVAL_NS, limitNs / LOOKS));
        if (context.channel().isActive()) {
            nextLook = context.executor().schedule(() -> look(context), delayNs, TimeUnit.NANOSECONDS);
        }
    }

    private void look(ChannelHandlerContext context) {
        long nowNs = System.nanoTime();
        if (!context.channel().config().isAutoRead()) {
            lastReadNs = nowNs;
        }
        if (hasTakenSome(context)) {
            lastTakenNs = nowNs;
        }
        Duration untaken = Duration.ofNanos(nowNs - lastTakenNs);
        judge.look(Duration.ofNanos(nowNs - lastReadNs), pendingBytes == 0 ? Optional.empty() : Optional.of(untaken));
        if (keepsAlive && pendingBytes == 0) {
            say(context);
        }
        lookLater(context);
    }

    /** Whether the peer has taken anything since the last look, or nothing waits for it. */
    private boolean hasTakenSome(ChannelHandlerContext context) {
        ChannelOutboundBuffer pending = context.channel().unsafe().outboundBuffer();
        long bytes = pending == null ? 0 : pending.totalPendingWriteBytes();
        long progress = pending == null ? 0 : pending.currentProgress();
        boolean changed = bytes != pendingBytes || progress != pendingProgress;
        pendingBytes = bytes;
        pendingProgress = progress;
        return changed || bytes == 0;
    }

    private void say(ChannelHandlerContext context) {
        int silenceMs = (int) Math.min(Integer.MAX_VALUE, limit.toMillis());
        var unused = context.writeAndFlush(
                Frame.encode(context.alloc(), WireFormat.NO_REQUEST, new KeepAlive(silenceMs)), context.voidPromise());
    }
}
