// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

/**
 * Notices when a map asks where it is: a record's offset, its split, its task. What it gives then holds for that place
 * only. Safe for use by several threads.
 */
public final class PositionWatch {

    private volatile boolean asked;

    /** What is computed from here on holds for this place only. */
    public void asked() {
        asked = true;
    }

    /** Whether anything has asked so far. */
    public boolean wasAsked() {
        return asked;
    }
}
