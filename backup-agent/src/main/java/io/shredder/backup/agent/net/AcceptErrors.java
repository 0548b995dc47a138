// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import com.google.common.util.concurrent.RateLimiter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that can't be taken, most likely for want of file descriptors: says so in a line, and tries again after a
 * pause.
 */
final class AcceptErrors extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptErrors.class);
    private static final long PAUSE_MS = 1000;

    /** One a minute. */
    private final RateLimiter lines = RateLimiter.create(1.0 / 60);

    @Override
    public void exceptionCaught(ChannelHandlerContext listener, Throwable error) {
        if (lines.tryAcquire()) {
            LOG.error(
                    "can't take new connections ({}): those that are open go on; if it lasts, raise LimitNOFILE of the service",
                    error.getMessage());
        }
        listener.channel().config().setAutoRead(false);
        var unused = listener.executor()
                .schedule(() -> listener.channel().config().setAutoRead(true), PAUSE_MS, TimeUnit.MILLISECONDS);
    }
}
