// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many images are backed up at once, of all jobs, and of a configuration before, whose runs still go on.
 * Thread-safe.
 */
public final class SitePlaces {

    private final Places places = new Places();
    private int number;

    /** A semaphore that may shrink. */
    private static final class Places extends Semaphore {

        private static final long serialVersionUID = 1;

        Places() {
            super(0, true);
        }

        void add(int more) {
            if (more < 0) {
                reducePermits(-more);
            } else {
                release(more);
            }
        }
    }

    /** So many. */
    public SitePlaces(int number) {
        limit(number);
    }

    /** So many from now on; whoever has a place keeps it. */
    public synchronized void limit(int next) {
        places.add(next - number);
        number = next;
    }

    /** Waits until one more image may be backed up; closing gives the place back, once. */
    Place enter() throws InterruptedException {
        places.acquire();
        return new Place(places);
    }

    /** A place among the images that are backed up at once. Thread-safe. */
    static final class Place implements AutoCloseable {

        private final Semaphore places;
        private final AtomicBoolean taken = new AtomicBoolean(true);

        private Place(Semaphore places) {
            this.places = places;
        }

        @Override
        public void close() {
            if (taken.getAndSet(false)) {
                places.release();
            }
        }
    }
}
