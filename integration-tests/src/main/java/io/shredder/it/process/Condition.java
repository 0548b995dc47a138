// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Something that another process will make true. */
@FunctionalInterface
public interface Condition {
    /** How often a condition is looked at. */
    Duration INTERVAL = Duration.ofMillis(100);

    /** Whether it holds now; an {@link IOException} means not yet. */
    boolean holds() throws IOException, InterruptedException;

    /**
     * Waits until a condition holds. Fails at once, with the end of its log, when one of the programs it depends on has
     * ended, and when the limit has passed.
     */
    static void await(String what, Duration limit, List<Child> needed, Condition condition)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        IOException last = null;
        while (true) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (IOException e) {
                last = e;
            }
            for (Child child : needed) {
                if (!child.isAlive()) {
                    throw new IOException(child.name() + " ended while waiting for " + what + "; the end of its log ("
                            + child.log() + "):\n" + child.logTail());
                }
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("waited " + limit.toSeconds() + " s in vain for " + what, last);
            }
            Thread.sleep(INTERVAL.toMillis());
        }
    }
}
