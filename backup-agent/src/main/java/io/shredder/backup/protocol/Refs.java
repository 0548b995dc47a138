// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A counted list of pointers in a message. */
final class Refs {

    private Refs() {}

    static void write(List<ChunkRef> refs, ByteBuffer target) {
        target.putInt(refs.size());
        refs.forEach(ref -> ref.write(target));
    }

    static List<ChunkRef> read(BodyReader in) throws DamagedDataException {
        int count = in.length("count", Math.min(WireFormat.MAX_BATCH, in.remaining() / ChunkRef.BYTES));
        List<ChunkRef> refs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            refs.add(ChunkRef.read(in));
        }
        return refs;
    }
}
