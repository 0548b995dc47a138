// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.config;

import io.shredder.backup.command.ManyProblems;
import java.io.IOException;
import java.util.List;

/** A configuration that can't be used: all that is wrong with it. */
public final class ConfigException extends IOException implements ManyProblems {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /**
     * At least one problem.
     *
     * @param problems in the file's order, each with its line and column
     */
    ConfigException(String file, List<String> problems) {
        super(
                problems.size() == 1
                        ? problems.get(0)
                        : "configuration " + file + " has " + problems.size() + " problems: "
                                + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each as {@code FILE:LINE:COLUMN: what is wrong}. */
    @Override
    public List<String> problems() {
        return problems;
    }
}
