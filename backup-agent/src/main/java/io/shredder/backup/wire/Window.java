// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/**
 * How much the agent wants to have under way on this connection from now on. It belongs to no request.
 *
 * @param bytes of requests that are not answered and of chunks that are awaited, at least 1
 */
public record Window(int bytes) implements Answer {

    static Window read(BodyReader in) throws DamagedDataException {
        int bytes = in.length("window", Integer.MAX_VALUE);
        if (bytes == 0) {
            throw in.damaged("a window of 0 bytes");
        }
        return new Window(bytes);
    }

    @Override
    public FrameType type() {
        return FrameType.WINDOW;
    }

    @Override
    public int bodyBytes() {
        return Integer.BYTES;
    }

    @Override
    public void writeBody(ByteBuffer target) {
        target.putInt(bytes);
    }
}
