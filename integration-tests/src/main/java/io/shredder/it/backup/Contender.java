// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A backup program with a repository of its own, made when the contender was opened. What it is told is what it does by
 * default, encrypted and compressed, unless the class says otherwise. For one thread. {@link #close} ends what still
 * runs and leaves files.
 */
public interface Contender extends AutoCloseable {
    /** As on the command line and in tables. */
    String name();

    /** What can be measured. */
    Set<Operation> operations();

    /** Does what an operation needs to be done before it, untimed. */
    default void prepare(Operation operation) throws IOException, InterruptedException {}

    /** The commands of an operation, timed together. */
    List<Invocation> commands(Operation operation) throws IOException, InterruptedException;

    /** Variables for the commands. */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** Processes besides the commands, whose memory counts. */
    default List<Long> daemons() {
        return List.of();
    }

    /** The folder that holds everything the repository needs; its files are what it takes. */
    Path repository();

    /** The file that {@link Operation#RESTORE} writes. */
    Path restored();

    @Override
    void close();

    /** Opens a contender with an empty repository. */
    @FunctionalInterface
    interface Opener {
        /**
         * Makes the repository.
         *
         * @param folder empty, for all that it writes
         * @param sources what it will back up
         */
        Contender open(Path folder, Sources sources) throws IOException, InterruptedException;
    }

    /**
     * One program to run.
     *
     * @param folder in which it runs
     * @param words the program and its arguments
     */
    record Invocation(Path folder, List<String> words) {
        public Invocation {
            words = List.copyOf(words);
        }
    }
}
