// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** A set of keepers, 256 bits on disk; bit {@code i % 8} of byte {@code i / 8} is keeper i. Immutable. */
record Members(BitSet bits) {

    static final int BYTES = 32;

    Members {
        bits = (BitSet) bits.clone();
    }

    static Members read(ByteBuffer source) {
        byte[] bytes = new byte[BYTES];
        source.get(bytes);
        return new Members(BitSet.valueOf(bytes));
    }

    void write(ByteBuffer target) {
        byte[] bytes = new byte[BYTES];
        byte[] used = bits.toByteArray();
        System.arraycopy(used, 0, bytes, 0, used.length);
        target.put(bytes);
    }

    boolean has(int keeper) {
        return bits.get(keeper);
    }

    /** How many are in both. */
    int shared(BitSet others) {
        BitSet both = (BitSet) bits.clone();
        both.and(others);
        return both.cardinality();
    }
}
