// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The chunks that are whole within the image's bytes, though only in parts: what the remainders of reduced chunks are
 * made from again when an agent has lost them, so that older snapshots are healed, too.
 */
final class Reassembly {

    private Reassembly() {}

    /**
     * By their length and identity, which is proved.
     *
     * @param plain bytes of the image
     * @param pointers to all of them, in order
     */
    static Map<ChunkRef, ByteBuffer> of(ByteBuffer plain, List<Pointer> pointers, ChunkIdentity identities)
            throws IOException {
        Map<ChunkRef, ByteBuffer> whole = new LinkedHashMap<>();
        int at = plain.position();
        for (Pointer pointer : pointers) {
            whole.computeIfAbsent(pointer.chunk(), chunk -> ByteBuffer.allocate(chunk.length()))
                    .put(pointer.from(), plain, at, pointer.length());
            at += pointer.length();
        }
        Map<ChunkRef, ByteBuffer> proved = new LinkedHashMap<>();
        for (Map.Entry<ChunkRef, ByteBuffer> each : whole.entrySet()) {
            if (identities.ofData(each.getValue()).equals(each.getKey().fingerprint())) {
                proved.put(each.getKey(), each.getValue());
            }
        }
        return proved;
    }
}
