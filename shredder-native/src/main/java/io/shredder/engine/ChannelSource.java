// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** A source that only Java can read: its bytes are moved into the ring's buffers by one thread. */
record ChannelSource(ReadableByteChannel channel) implements SourceReader.Source {

    @Override
    public long fill(ChunkStream stream) throws IOException {
        for (long total = 0; ; ) {
            ByteBuffer buffer = stream.acquire();
            boolean ended = fill(buffer);
            total += buffer.position();
            if (ended) {
                stream.finish(buffer);
                return total;
            }
            stream.submit(buffer);
        }
    }

    /** True if the source has ended; else the buffer is full. */
    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return true;
            }
        }
        return false;
    }
}
