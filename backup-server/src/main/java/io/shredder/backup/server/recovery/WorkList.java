// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** What people have asked for since the daemon began, by numbers: all that runs, of the rest the last. Thread-safe. */
final class WorkList<T extends WorkList.Work> {

    private final Map<Long, T> all = new LinkedHashMap<>();
    private final int mostRemembered;
    private long last;

    /** @param mostRemembered while fewer run */
    WorkList(int mostRemembered) {
        this.mostRemembered = mostRemembered;
    }

    /** Something that begins and ends. */
    interface Work {

        /** Whether it has not ended. */
        boolean runs();
    }

    /**
     * Adds one, before it begins.
     *
     * @param made of its number
     */
    synchronized T add(LongFunction<T> made) {
        T added = made.apply(++last);
        all.put(last, added);
        Iterator<T> oldest = all.values().iterator();
        while (all.size() > mostRemembered && oldest.hasNext()) {
            if (!oldest.next().runs()) {
                oldest.remove();
            }
        }
        return added;
    }

    /** Empty if there is none, or it is forgotten. */
    synchronized Optional<T> find(long number) {
        return Optional.ofNullable(all.get(number));
    }

    synchronized List<T> newestFirst() {
        List<T> list = new ArrayList<>();
        all.values().forEach(each -> list.add(0, each));
        return list;
    }

    List<T> running() {
        return newestFirst().stream().filter(Work::runs).toList();
    }
}
