// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;

/** How an engine hears why it can't use a worker: the frame by which workers say so, docs/formats/worker.md. */
final class Refusal {

    private static final int TYPE = 8;
    private static final int HEADER_BYTES = 24;
    private static final int MAX_TEXT_BYTES = 1024;

    private Refusal() {}

    /** Says it, and closes the channel. */
    static void send(Channel channel, String why) {
        byte[] text = why.getBytes(StandardCharsets.US_ASCII);
        int length = Math.min(text.length, MAX_TEXT_BYTES);
        ByteBuf frame = Unpooled.buffer(HEADER_BYTES + length);
        frame.writeIntLE(TYPE).writeIntLE(0).writeLongLE(0).writeLongLE(length).writeBytes(text, 0, length);
        var unused = channel.write(frame);
        Splice.end(channel);
    }
}
