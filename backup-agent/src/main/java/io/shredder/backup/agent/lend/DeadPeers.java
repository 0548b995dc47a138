// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioChannelOption;
import jdk.net.ExtendedSocketOptions;

/** Connections over which nothing may go for days, and whose other machine may have vanished. */
final class DeadPeers {

    private static final int IDLE_S = 30;
    private static final int BETWEEN_PROBES_S = 10;
    private static final int PROBES = 3;

    private DeadPeers() {}

    /** Ends the connection within a minute or so if nobody is there any more. */
    static void notice(Channel channel) {
        channel.config().setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), IDLE_S);
        channel.config().setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), BETWEEN_PROBES_S);
        channel.config().setOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), PROBES);
    }
}
