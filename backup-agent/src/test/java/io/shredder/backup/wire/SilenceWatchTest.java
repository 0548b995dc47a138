// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceWatchTest {

    private final SilenceWatch watch = new SilenceWatch(Duration.ofSeconds(30), (unheard, untaken) -> {});
    private final EmbeddedChannel channel = new EmbeddedChannel(watch, new ChannelInboundHandlerAdapter());
    private final ChannelHandlerContext context = channel.pipeline().context(ChannelInboundHandlerAdapter.class);

    @Test
    void aPeerThatKnowsKeepAlivesGetsTheFirstAtOnce() {
        watch.keepAlive(context);
        assertThat(channel.outboundMessages()).hasSize(1);
        channel.releaseOutbound();
    }

    /** What another thread asks for may come when the connection has just been closed, and all handlers with it. */
    @Test
    void aConnectionThatWasClosedMeanwhileIsNoneOfItsConcerns() {
        channel.close();
        channel.runPendingTasks();
        watch.keepAlive(context);
        watch.heard(new KeepAlive(1000), context);
        assertThat(channel.outboundMessages()).isEmpty();
    }
}
