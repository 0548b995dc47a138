// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A set of words that is asked with bytes of a line, without an object a question. Read-only once made. */
final class WordSet {
    private final byte[][] slots;

    private WordSet(int capacity) {
        slots = new byte[capacity][];
    }

    /** The words, each once; blank ones left out. */
    static WordSet of(List<String> words) {
        WordSet set = new WordSet(Math.max(16, Integer.highestOneBit(Math.max(1, words.size())) * 4));
        for (String word : words) {
            byte[] bytes = word.strip().getBytes(StandardCharsets.UTF_8);
            int slot = set.slotOf(bytes, 0, bytes.length);
            if (bytes.length > 0) {
                set.slots[slot] = bytes;
            }
        }
        return set;
    }

    boolean contains(byte[] bytes, int start, int length) {
        return slots[slotOf(bytes, start, length)] != null;
    }

    /** Where the word is, or the free slot where it would go: at most half of the slots are taken. */
    private int slotOf(byte[] bytes, int start, int length) {
        int hash = 0x811c9dc5; // FNV-1a
        for (int i = start; i < start + length; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        int mask = slots.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        while (slots[slot] != null
                && !Arrays.equals(slots[slot], 0, slots[slot].length, bytes, start, start + length)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
