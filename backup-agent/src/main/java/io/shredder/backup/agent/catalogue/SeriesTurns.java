// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.snapshot.SnapshotName;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Which series have a snapshot that is being published: one at a time of each, so that every commit knows which is the
 * last. Thread-safe.
 */
final class SeriesTurns {

    private record Series(SnapshotName namespace, SnapshotName name) {}

    private final Set<Series> taken = new HashSet<>();

    /** Waits until nobody publishes a snapshot of this series, and does until {@link #giveBack}. */
    synchronized void take(SnapshotName namespace, SnapshotName name) throws InterruptedIOException {
        while (!taken.add(new Series(namespace, name))) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while another snapshot of " + name + " is committed");
            }
        }
    }

    /** It was taken. */
    synchronized void giveBack(SnapshotName namespace, SnapshotName name) {
        taken.remove(new Series(namespace, name));
        notifyAll();
    }
}
