// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/** Checksums and digests of what remains in a buffer, whose position stays. */
public final class Checks {

    private Checks() {}

    public static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    public static Fingerprint digest(ByteBuffer bytes) {
        return Fingerprint.ofData(bytes.duplicate());
    }

    /** Digests of several, in order, computed side by side where the CPU can. */
    public static List<Fingerprint> digests(List<ByteBuffer> all) {
        byte[][] arrays = new byte[all.size()][];
        int[] places = new int[2 * all.size()];
        for (int i = 0; i < arrays.length; i++) {
            ByteBuffer bytes = all.get(i);
            if (!bytes.hasArray()) {
                return all.stream().map(Checks::digest).toList();
            }
            arrays[i] = bytes.array();
            places[2 * i] = bytes.arrayOffset() + bytes.position();
            places[2 * i + 1] = bytes.remaining();
        }
        try {
            return MemoryDigests.ofArrays(DigestAlgorithm.SHA_256, arrays, places);
        } catch (ShredderException e) {
            return all.stream().map(Checks::digest).toList();
        }
    }

    public static Fingerprint digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
