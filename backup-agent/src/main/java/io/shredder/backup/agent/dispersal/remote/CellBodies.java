// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.agent.dispersal.shard.CellArrays;
import io.shredder.backup.wire.Bodies;
import io.shredder.backup.wire.FrameType;
import java.nio.ByteBuffer;

/** Memory for what keepers answer: cells get theirs from {@link CellArrays}, and it is whose cells they are. */
final class CellBodies implements Bodies {

    @Override
    public ByteBuffer take(FrameType type, int bytes) {
        return type == FrameType.KEEPER_BYTES ? CellArrays.shared().take(bytes) : ByteBuffer.allocate(bytes);
    }

    @Override
    public void giveBack(ByteBuffer body) {
        CellArrays.shared().giveBack(body);
    }
}
