// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.chunk.Fingerprint;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Who puts or forgets which chunks right now: each chunk by one thread, so that none is stored twice and no change of
 * it is lost. Thread-safe.
 */
final class Claims {

    private final Set<Fingerprint> claimed = new HashSet<>();

    /**
     * Waits until nobody has any of these, then has them all: whoever waits has none, so nobody waits for ever. Until
     * {@link #giveBack}.
     */
    synchronized void take(Collection<Fingerprint> chunks) throws InterruptedIOException {
        while (!Collections.disjoint(chunks, claimed)) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while another client sends the same chunk");
            }
        }
        claimed.addAll(chunks);
    }

    /** They were taken. */
    synchronized void giveBack(Collection<Fingerprint> chunks) {
        chunks.forEach(claimed::remove);
        notifyAll();
    }
}
