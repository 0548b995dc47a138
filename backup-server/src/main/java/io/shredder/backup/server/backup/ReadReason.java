// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import java.util.Locale;

/** Why a backup read what it read of an image. */
public enum ReadReason {
    /** Nobody keeps track of what changes. */
    UNTRACKED,
    /** Only what has changed was read. */
    TRACKED,
    /** All, for the first snapshot of a series. */
    FIRST,
    /** All, since what was tracked, or what is to be known of the last snapshot, is lost. */
    LOST,
    /** All, to see whether the tracking is true; it was. */
    FULL_COMPARISON,
    /** All, and the tracking has lied. */
    LIED;

    /** In figures and JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
