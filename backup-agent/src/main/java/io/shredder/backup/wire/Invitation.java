// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * By what other connections of a client may bring chunks of the snapshot that one has open.
 *
 * @param token nobody can guess it
 */
public record Invitation(UUID token) implements Answer {
    @Override
    public FrameType type() {
        return FrameType.INVITED;
    }

    @Override
    public int bodyBytes() {
        return 2 * Long.BYTES;
    }

    @Override
    public void writeBody(ByteBuffer target) {
        target.putLong(token.getMostSignificantBits()).putLong(token.getLeastSignificantBits());
    }
}
