// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.util.Arrays;

/** Objects that Hadoop hands to a job and that tell when they are asked. Safe for several threads; few at a time. */
final class WatchedObjects {

    private static volatile Watched[] watchedOnes = {};

    private WatchedObjects() {}

    /** Equal to itself only, as the object would be: a number equals another. */
    private static final class Watched {
        private final Object object;
        private final Observer observer;

        Watched(Object object, Observer observer) {
            this.object = object;
            this.observer = observer;
        }
    }

    static JvmWatch.Watching watch(Object object, Observer observer) {
        Watched watched = new Watched(object, observer);
        synchronized (WatchedObjects.class) {
            Watched[] more = Arrays.copyOf(watchedOnes, watchedOnes.length + 1);
            more[watchedOnes.length] = watched;
            watchedOnes = more;
        }
        return JvmWatch.once(() -> forget(watched));
    }

    private static synchronized void forget(Watched watched) {
        watchedOnes =
                Arrays.stream(watchedOnes).filter(one -> !one.equals(watched)).toArray(Watched[]::new);
    }

    /** Tells who watches this very object, if anybody does. */
    static void tellOf(Object object, Sight sight, String what) {
        for (Watched watched : watchedOnes) {
            if (watched.object == object) {
                watched.observer.saw(sight, null, what, object.getClass());
            }
        }
    }
}
