// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The memory of all filters of an index, in pieces: what one filter gives back the next one takes, so that the filter
 * of a run that was joined takes the place of those that it replaces, and the garbage collector has nothing to do with
 * it. Safe for any number of threads.
 */
final class FilterMemory {

    /** Of a whole piece; the last one of a filter may have less, and isn't kept for another. */
    static final int PIECE_WORDS = 1 << 14;

    private final Deque<long[]> free = new ArrayDeque<>();
    private long words;
    private long mostWords;

    /** Pieces for a filter of so many words, whatever they hold. */
    synchronized long[][] take(int filterWords) {
        int whole = filterWords / PIECE_WORDS;
        int rest = filterWords % PIECE_WORDS;
        long[][] pieces = new long[rest == 0 ? whole : whole + 1][];
        for (int i = 0; i < whole; i++) {
            pieces[i] = free.isEmpty() ? newPiece(PIECE_WORDS) : free.remove();
        }
        if (rest > 0) {
            pieces[whole] = newPiece(rest);
        }
        return pieces;
    }

    private long[] newPiece(int length) {
        words += length;
        mostWords = Math.max(mostWords, words);
        return new long[length];
    }

    /** Nobody asks these pieces any more. */
    synchronized void giveBack(long[][] pieces) {
        for (long[] piece : pieces) {
            if (piece.length == PIECE_WORDS) {
                free.add(piece);
            } else {
                words -= piece.length;
            }
        }
    }

    /** No filter is about to take what was given back: leaves it to the garbage collector. */
    synchronized void trim() {
        words -= (long) free.size() * PIECE_WORDS;
        free.clear();
    }

    /** The most that filters, and what waited for the next one, ever took together. */
    synchronized long mostBytes() {
        return mostWords * Long.BYTES;
    }
}
