// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

/** Cuts so many bytes into stretches that are looked at one after the other. */
final class Stretches {

    private Stretches() {}

    /** What is done with a stretch. */
    @FunctionalInterface
    interface Each<E extends Exception> {
        /**
         * Does it.
         *
         * @param at where the stretch begins
         */
        void take(int at, int bytes) throws E;
    }

    /** All bytes from 0 on, up to as many as an int can say; only the last stretch may be shorter than the others. */
    static <E extends Exception> void forEach(int bytes, int stretchBytes, Each<E> each) throws E {
        int taken = 0;
        while (taken < bytes) {
            int stretch = Math.min(stretchBytes, bytes - taken);
            each.take(taken, stretch);
            taken += stretch; // What is left can't overflow; a whole stretch more could.
        }
    }
}
