// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a store's process has begun and not ended. Safe for any number of threads. */
final class UnderWay {

    private final Keepers keepers;

    /** Those that failed stay: nobody knows what keepers have of them before the store is opened again. */
    private final Set<StoredVersion> written = ConcurrentHashMap.newKeySet();

    /** Keepers that came back and may still have what counts no more. */
    private final Set<Integer> returning = ConcurrentHashMap.newKeySet();

    /** Of deletions, which keepers that are away may need. */
    private final Set<StoredVersion> marks = ConcurrentHashMap.newKeySet();

    UnderWay(Keepers keepers) {
        this.keepers = keepers;
    }

    /** The version is being written from now on, and doesn't count yet. */
    void begins(StoredVersion version) {
        written.add(version);
    }

    /** It counts. */
    void ends(StoredVersion version) {
        written.remove(version);
    }

    /** Whether it doesn't count yet, and may yet come to count. */
    boolean has(StoredVersion version) {
        return written.contains(version);
    }

    /** A keeper comes back, and may have what counts no more. */
    void returns(Keeper keeper) {
        returning.add(keeper.index());
    }

    /** It has nothing of that any more, or gets no changes. */
    void isBack(Keeper keeper) {
        returning.remove(keeper.index());
    }

    /** A mark is kept for those that are away. */
    void keep(StoredVersion mark) {
        marks.add(mark);
    }

    /** All that were kept, which are not any more. */
    List<StoredVersion> takeMarks() {
        List<StoredVersion> taken = List.copyOf(marks);
        taken.forEach(marks::remove);
        return taken;
    }

    /** Whether a keeper is away, which may come back with what was deleted meanwhile, or came back with it. */
    boolean needsMarks() {
        return keepers.changeable().size() < keepers.dispersal().keepers() || !returning.isEmpty();
    }
}
