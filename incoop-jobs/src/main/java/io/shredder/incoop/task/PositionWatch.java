// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

/**
 * Notices when a map asks where it is: a record's offset, its split, its task. What it gives then holds for that place
 * only. Safe for use by several threads.
 */
final class PositionWatch {

    private volatile boolean asked;

    void asked() {
        asked = true;
    }

    boolean wasAsked() {
        return asked;
    }
}
