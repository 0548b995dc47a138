// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** What a process has begun at a store and not ended: changes, and keepers that come back. Safe for any threads. */
public final class Unsettled {

    private final Keepers keepers;
    private final Versions versions;
    private final Set<StoredVersion> written = ConcurrentHashMap.newKeySet();

    /** Keepers that came back and may still have what counts no more. */
    private final Set<Integer> returning = ConcurrentHashMap.newKeySet();

    /** Of deletions, which keepers that are away may need. */
    private final Set<StoredVersion> marks = ConcurrentHashMap.newKeySet();

    Unsettled(Keepers keepers, Versions versions) {
        this.keepers = keepers;
        this.versions = versions;
    }

    /** What lets a version count, by {@link Versions#put}. */
    @FunctionalInterface
    interface Writing<T> {
        T of(StoredVersion version) throws IOException;
    }

    /** Writes a version, which counts then, or else never will. */
    <T> T write(StoredVersion version, Writing<T> writing) throws IOException {
        written.add(version);
        try {
            return writing.of(version);
        } catch (IOException | RuntimeException e) {
            written.remove(version);
            takeAway(version);
            throw e;
        }
    }

    /** It counts. */
    void ends(StoredVersion version) {
        written.remove(version);
    }

    /**
     * Takes away what keepers took of a version that failed, before anything is built on that: it could come to count
     * at the next opening. Keepers that are away do so once they are back.
     */
    private void takeAway(StoredVersion version) {
        if (keepers.epoch() == 0 || !isUseless(version, false)) {
            return;
        }
        for (Keeper keeper : keepers.changeable()) {
            try {
                keeper.requireWriter(keepers.epoch());
                Keepers.delete(keeper, version.file());
                Keepers.delete(keeper, version.file() + StoredVersion.PART);
            } catch (IOException e) {
                keeper.drop(e);
            }
        }
    }

    /** A keeper comes back, and may have what counts no more. */
    public void returns(Keeper keeper) {
        returning.add(keeper.index());
    }

    /** It has nothing of that any more, or gets no changes. */
    public void isBack(Keeper keeper) {
        returning.remove(keeper.index());
    }

    /**
     * Takes away marks that keepers needed that are back. Whoever goes away meanwhile needs only those that come later.
     *
     * @param ended whether to leave the rest until the store is opened again
     */
    public void forgetMarks(BooleanSupplier ended) {
        for (StoredVersion mark : List.copyOf(marks)) {
            if (ended.getAsBoolean()) {
                return;
            }
            forget(mark);
        }
    }

    /**
     * Whether a file of a keeper that came back is none that counts, or may come to.
     *
     * @param isPart whether it is a part that waits for its name
     */
    public boolean isUseless(StoredVersion version, boolean isPart) {
        return versions.meanwhileNoneCounts(() -> !written.contains(version) && (isPart || versions.isStale(version)));
    }

    /** Whether a keeper is away, which may come back with what was deleted meanwhile, or came back with it. */
    boolean needsMarks() {
        return keepers.changeable().size() < keepers.dispersal().keepers() || !returning.isEmpty();
    }

    /** Takes a mark away if no keeper needs it. */
    void forget(StoredVersion mark) {
        if (needsMarks()) {
            marks.add(mark);
        } else {
            marks.remove(mark);
            versions.deleteQuietly(mark);
        }
    }
}
