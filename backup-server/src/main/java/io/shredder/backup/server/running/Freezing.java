// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.util.Locale;

/** Whether a guest's file systems are brought to rest for the moment at which its disks are held. */
public enum Freezing {
    /** Where there is a guest agent; if it fails, the snapshot is as after a loss of power, and a warning says so. */
    AUTO,
    /** There is no snapshot without it. */
    REQUIRED,
    /** The guest agent is not asked. */
    NEVER;

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException naming all
     */
    public static Freezing parse(String text) {
        for (Freezing each : values()) {
            if (each.toString().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not auto, required or never");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
