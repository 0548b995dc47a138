// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.IntToLongFunction;
import java.util.zip.CRC32C;

/** A sector of a map's file: {@code docs/formats/live.md}, section 2. */
final class MapSector {

    static final int BYTES = 512;

    /** How many blocks it tells of. */
    static final int BLOCKS = 3904;

    /** A bit for each block, the first block the lowest bit of the first. */
    static final int WORDS = BLOCKS / Long.SIZE;

    /** Of sectors that count for good; others count for one run of the system. */
    static final UUID DURABLE = new UUID(0, 0);

    private static final int EPOCH_AT = WORDS * Long.BYTES;
    private static final int NUMBER_AT = EPOCH_AT + 16;
    private static final int SUM_AT = BYTES - 4;

    private final ByteBuffer bytes;

    /** @param bytes from index 0 on; stay the caller's, and as they are */
    MapSector(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** How many sectors tell of all blocks; at least one. */
    static int count(LiveHeader header) {
        return (int) Math.max(1, (header.blocks() + BLOCKS - 1) / BLOCKS);
    }

    /** @param words by number */
    static ByteBuffer encode(LiveHeader header, int number, UUID epoch, IntToLongFunction words) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        for (int i = 0; i < WORDS; i++) {
            bytes.putLong(words.applyAsLong(i));
        }
        bytes.putLong(epoch.getMostSignificantBits())
                .putLong(epoch.getLeastSignificantBits())
                .putInt(number);
        return bytes.putInt(sumOf(header, bytes)).flip();
    }

    private static int sumOf(LiveHeader header, ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.allocate(16)
                .putLong(header.map().getMostSignificantBits())
                .putLong(header.map().getLeastSignificantBits())
                .flip());
        sum.update(bytes.slice(0, SUM_AT));
        return (int) sum.getValue();
    }

    long word(int i) {
        return bytes.getLong(i * Long.BYTES);
    }

    UUID epoch() {
        return new UUID(bytes.getLong(EPOCH_AT), bytes.getLong(EPOCH_AT + 8));
    }

    /** Whether it is undamaged, and the one that belongs there. */
    boolean isWhole(LiveHeader header, int number) {
        return bytes.getInt(NUMBER_AT) == number && bytes.getInt(SUM_AT) == sumOf(header, bytes);
    }
}
