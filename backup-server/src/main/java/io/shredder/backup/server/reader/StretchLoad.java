// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import java.util.concurrent.CompletableFuture;

/** A stretch that somebody waits for, or will. */
final class StretchLoad {

    private final Stretch stretch;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** Since when it has been tried over lost connections; 0 if there was none. */
    private volatile long lossNs;

    /** Whether it is tried by itself, since something was wrong in its company. */
    private volatile boolean alone;

    StretchLoad(Stretch stretch) {
        this.stretch = stretch;
    }

    Stretch stretch() {
        return stretch;
    }

    /** Complete once it is in the cache, or with what keeps it from there. */
    CompletableFuture<Void> done() {
        return done;
    }

    boolean isAlone() {
        return alone;
    }

    void tryAlone() {
        alone = true;
    }

    /** Notes a lost connection; returns whether it is worth to try another. */
    boolean survivesLoss(long patienceNs) {
        long now = System.nanoTime();
        if (lossNs == 0) {
            lossNs = now;
        }
        return now - lossNs <= patienceNs;
    }
}
