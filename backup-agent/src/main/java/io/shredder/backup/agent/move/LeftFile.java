// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

/** A file that only the old storage has. */
final class LeftFile {

    final long bytes;

    /** Whether it is at the new one as it was. */
    volatile boolean moved;

    LeftFile(long bytes) {
        this.bytes = bytes;
    }
}
