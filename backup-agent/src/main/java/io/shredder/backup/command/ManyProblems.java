// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import java.util.List;

/** An error that tells all that is wrong at once. Commands print one line per problem; it begins with its place. */
public interface ManyProblems {

    /** At least one. */
    List<String> problems();
}
