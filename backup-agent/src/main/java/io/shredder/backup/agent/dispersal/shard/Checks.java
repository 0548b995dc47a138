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

    /** SHA-256. */
    public static Fingerprint digest(ByteBuffer bytes) {
        return Fingerprint.ofData(bytes.duplicate());
    }

    /** BLAKE3 of a cell. */
    public static Fingerprint cellDigest(ByteBuffer cell) {
        return cellDigests(List.of(cell)).get(0);
    }

    /** BLAKE3 of several cells, in order. */
    public static List<Fingerprint> cellDigests(List<ByteBuffer> cells) {
        byte[][] arrays = new byte[cells.size()][];
        int[] places = new int[2 * cells.size()];
        for (int i = 0; i < arrays.length; i++) {
            ByteBuffer cell = cells.get(i);
            if (!cell.hasArray()) {
                return oneByOne(cells);
            }
            arrays[i] = cell.array();
            places[2 * i] = cell.arrayOffset() + cell.position();
            places[2 * i + 1] = cell.remaining();
        }
        try {
            return MemoryDigests.ofArrays(DigestAlgorithm.BLAKE3, arrays, places);
        } catch (ShredderException e) {
            return oneByOne(cells);
        }
    }

    private static List<Fingerprint> oneByOne(List<ByteBuffer> cells) {
        return cells.stream()
                .map(cell -> Fingerprint.ofData(DigestAlgorithm.BLAKE3, cell))
                .toList();
    }

    /** SHA-256 of a text in UTF-8. */
    public static Fingerprint digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
