// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import java.util.List;

/**
 * How far the filling of a new keeper came.
 *
 * @param whole whether it has everything now, and counts
 * @param files that were written
 * @param bytes that they have
 * @param left what it could not be given, and why
 */
public record RebuildReport(boolean whole, long files, long bytes, List<String> left) {

    /** Copies the list. */
    public RebuildReport {
        left = List.copyOf(left);
    }
}
