// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

/**
 * The same pointer so many times in a row: a terabyte of zeros is one entry of a list.
 *
 * @param pointer to a whole chunk, unless it comes once
 * @param count how many times, at least 1
 */
public record PointerRun(Pointer pointer, int count) {

    /** Refuses counts below 1, and runs of parts of chunks. */
    public PointerRun {
        if (count < 1 || (count > 1 && !pointer.isWhole())) {
            throw new IllegalArgumentException(
                    "a run of " + count + " pointers to " + (pointer.isWhole() ? "a chunk" : "a part of one"));
        }
    }

    /** How much of the image it is. */
    public long bytes() {
        return (long) pointer.length() * count;
    }
}
