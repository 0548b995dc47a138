// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client calls a series of snapshots, and what an agent calls a client. Safe as a file name and as the CN of a
 * certificate.
 *
 * @param value 1 to 100 letters, digits, dots, dashes and underscores, the first a letter or digit
 */
public record SnapshotName(String value) {

    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /**
     * Refuses any other text.
     *
     * @throws IllegalArgumentException naming the text
     */
    public SnapshotName {
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException("name '" + printable(value)
                    + "' is not allowed: use 1 to 100 letters, digits, '.', '-' and '_', a letter or digit first");
        }
    }

    private static String printable(String value) {
        String head = value.length() > 120 ? value.substring(0, 120) + "..." : value;
        return head.replaceAll("\\p{Cntrl}", "?");
    }

    // Written out as in ChunkRef.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SnapshotName that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
