// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** A set of keepers, 256 bits on disk; bit {@code i % 8} of byte {@code i / 8} is keeper i. Immutable. */
public record Members(BitSet bits) {

    public static final int BYTES = 32;

    public Members {
        bits = (BitSet) bits.clone();
    }

    public static Members read(ByteBuffer source) {
        byte[] bytes = new byte[BYTES];
        source.get(bytes);
        return new Members(BitSet.valueOf(bytes));
    }

    public void write(ByteBuffer target) {
        byte[] bytes = new byte[BYTES];
        byte[] used = bits.toByteArray();
        System.arraycopy(used, 0, bytes, 0, used.length);
        target.put(bytes);
    }

    public boolean has(int keeper) {
        return bits.get(keeper);
    }

    /** How many are in both. */
    public int shared(BitSet others) {
        BitSet both = (BitSet) bits.clone();
        both.and(others);
        return both.cardinality();
    }
}
