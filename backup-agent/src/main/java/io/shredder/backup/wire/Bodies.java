// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import java.nio.ByteBuffer;

/** Where a {@link FrameDecoder} has memory for bodies from. */
public interface Bodies {

    /** A buffer with room for so many bytes from its start on, big-endian, with whatever was in it. */
    ByteBuffer take(FrameType type, int bytes);

    /** A body that nobody got. */
    void giveBack(ByteBuffer body);
}
