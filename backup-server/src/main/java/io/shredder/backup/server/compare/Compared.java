// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What a segment and the new image have in common, and what they have not.
 *
 * @param unchanged a bit for each chunk of the segment
 * @param kept parts of the other chunks, ascending
 * @param recuts the new image's chunks where little of it changed
 * @param memory of the bytes of those
 */
record Compared(BitSet unchanged, List<KeptPart> kept, List<Recut> recuts, Optional<ByteBuffer> memory) {

    /** Of a segment of which nothing is known yet, and nothing cut ahead. */
    Compared() {
        this(new BitSet(), new ArrayList<>(), List.of(), Optional.empty());
    }

    Compared with(List<Recut> found, ByteBuffer memoryOfThem) {
        return new Compared(unchanged, kept, found, Optional.of(memoryOfThem));
    }
}
