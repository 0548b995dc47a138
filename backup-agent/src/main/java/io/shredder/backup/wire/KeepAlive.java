// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/**
 * Says that its sender is there, and how often it wants to hear that of its peer. Nobody answers it.
 *
 * @param silenceMs after how many milliseconds without a byte the sender gives the connection up, at least 1
 */
public record KeepAlive(int silenceMs) implements Message {

    static KeepAlive read(BodyReader in) throws DamagedDataException {
        int silenceMs = in.length("limit of silence", Integer.MAX_VALUE);
        if (silenceMs == 0) {
            throw in.damaged("a limit of silence of 0");
        }
        in.end();
        return new KeepAlive(silenceMs);
    }

    @Override
    public FrameType type() {
        return FrameType.KEEP_ALIVE;
    }

    @Override
    public int bodyBytes() {
        return Integer.BYTES;
    }

    @Override
    public void writeBody(ByteBuffer target) {
        target.putInt(silenceMs);
    }
}
