// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import java.nio.ByteBuffer;

/**
 * Remembers chunks that a task came across, as many as there is room for; a newer one takes an older one's place. It
 * may forget a chunk, and never knows one that wasn't there. For one thread.
 */
final class SeenChunks {

    /** 8 MiB. */
    static final int SLOTS = 1 << 20;

    private static final int SLOT_AT = 8;
    private static final int TAG_AT = 16;
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private final long[] tags;

    /** @param slots a power of two */
    SeenChunks(int slots) {
        this.tags = new long[slots];
    }

    /** Remembers a chunk of a group; whether it is not known yet, or not any more. */
    boolean isNew(ByteBuffer digest, int group) {
        long own = (group + 1) * ODD; // Or the groups that have a chunk would take its place from each other.
        long place = digest.getLong(SLOT_AT) + own;
        int slot = (int) (place ^ place >>> Integer.SIZE) & (tags.length - 1);
        long tag = digest.getLong(TAG_AT) + own;
        if (tags[slot] == tag) {
            return false;
        }
        tags[slot] = tag;
        return true;
    }
}
