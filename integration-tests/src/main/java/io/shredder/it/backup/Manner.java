// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.util.List;

/**
 * How this project's programs are started.
 *
 * @param prefix words before the program's, of the agent as of commands
 * @param backupOptions of the command that backs up, besides
 * @param way how commands reach the agent
 */
public record Manner(List<String> prefix, List<String> backupOptions, Way way) {
    /** As users do. */
    public static final Manner USUAL = new Manner(List.of(), List.of(), port -> port);

    public Manner {
        prefix = List.copyOf(prefix);
        backupOptions = List.copyOf(backupOptions);
    }

    /** A way to an agent of this machine. */
    @FunctionalInterface
    public interface Way extends AutoCloseable {
        /** Which port to connect to in order to reach this one; asked for before each command. */
        int to(int agentPort) throws IOException, InterruptedException;

        @Override
        default void close() {
            // There is nothing between.
        }
    }
}
