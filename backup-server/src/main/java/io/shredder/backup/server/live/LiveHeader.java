// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What a map is about: {@code docs/formats/live.md}, section 1.
 *
 * @param map names this map, so that no part of another is taken for one of it
 * @param blockBytes a power of two from 4,096 on
 * @param imageBytes the image's length
 * @param id of the snapshot
 * @param contentDigest of the snapshot, which no other has
 * @param name of its series
 */
record LiveHeader(UUID map, int blockBytes, long imageBytes, long id, Fingerprint contentDigest, SnapshotName name) {

    static final int BYTES = 512;

    /** What pages of disks and blocks of file systems are: a guest's write is seldom less. */
    static final int LEAST_BLOCK_BYTES = 4096;

    /** Larger images have larger blocks, so that a map in memory takes 32 MiB at most. */
    private static final long MOST_BLOCKS = 1L << 28;

    private static final long MAGIC = 0x534852444C495645L; // SHRDLIVE
    private static final short VERSION = 1;
    private static final int SUM_AT = BYTES - 4;

    /** Of a new map. */
    static LiveHeader of(SnapshotInfo snapshot) {
        int blockBytes = LEAST_BLOCK_BYTES;
        while (snapshot.imageBytes() / blockBytes > MOST_BLOCKS) {
            blockBytes *= 2;
        }
        return new LiveHeader(
                UUID.randomUUID(),
                blockBytes,
                snapshot.imageBytes(),
                snapshot.id(),
                snapshot.contentDigest(),
                snapshot.name());
    }

    /** How many blocks the image has; the last may be shorter. */
    long blocks() {
        return blocksTo(imageBytes);
    }

    /** The number of the first block that begins at an offset or behind it. */
    long blocksTo(long offset) {
        return (offset + blockBytes - 1) / blockBytes;
    }

    ByteBuffer encode() {
        byte[] text = name.value().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putShort(VERSION)
                .putShort((short) text.length)
                .putInt(blockBytes)
                .putLong(map.getMostSignificantBits())
                .putLong(map.getLeastSignificantBits())
                .putLong(imageBytes)
                .putLong(id);
        contentDigest.write(bytes);
        return bytes.put(text).putInt(SUM_AT, sumOf(bytes)).clear();
    }

    private static int sumOf(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.slice(0, SUM_AT));
        return (int) sum.getValue();
    }

    /**
     * Reads one.
     *
     * @param file named in errors
     */
    static LiveHeader decode(ByteBuffer bytes, String file) throws IOException {
        if (bytes.remaining() < BYTES || bytes.getLong(0) != MAGIC) {
            throw new IOException(file + " is no map of a live restore: it doesn't begin as one, at offset 0");
        } else if (bytes.getShort(8) != VERSION) {
            throw new IOException(file + " has version " + bytes.getShort(8) + " at offset 8, this program reads "
                    + VERSION + ": go on with the program that began it");
        } else if (sumOf(bytes) != bytes.getInt(SUM_AT)) {
            throw new IOException(file + " is damaged between offsets 0 and " + BYTES);
        }
        ByteBuffer in = bytes.duplicate().position(10);
        byte[] text = new byte[in.getShort()];
        int blockBytes = in.getInt();
        UUID map = new UUID(in.getLong(), in.getLong());
        long imageBytes = in.getLong();
        long id = in.getLong();
        Fingerprint digest = Fingerprint.read(in);
        in.get(text);
        return new LiveHeader(
                map, blockBytes, imageBytes, id, digest, new SnapshotName(new String(text, StandardCharsets.UTF_8)));
    }
}
