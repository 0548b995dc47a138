// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import java.util.List;

/**
 * An error that tells all that is wrong at once: commands print each problem on a line of its own, which begins with
 * its place.
 */
public interface ManyProblems {

    /** At least one. */
    List<String> problems();
}
