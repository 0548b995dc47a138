// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.trial;

import java.nio.file.Path;

/** One kind of thing that is tried very often, each time by another seed. */
public interface Trial {

    /** A word for options and for lines of progress. */
    String name();

    /**
     * Prepares a worker; several of them, each in a thread of its own, share the attempts.
     *
     * @param folder the worker's own, empty; kept as evidence if an attempt fails
     * @param seed of whatever it prepares
     */
    Worker open(Path folder, long seed) throws Exception;

    /**
     * Called once, after the last worker has ended.
     *
     * @return more figures
     * @throws Exception if something does not hold of all attempts together
     */
    default String finish() throws Exception {
        return "";
    }

    /** Tries. Whatever it throws is a failure of what is tried, and the worker's last word. */
    interface Worker extends AutoCloseable {

        /**
         * Tries once.
         *
         * @param number of the attempt, from 0
         * @param seed of whatever is chosen at random
         * @return how many attempts that were: more than one where many share what is costly
         */
        int attempt(long number, long seed, Tally tally) throws Exception;
    }
}
