// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.collect.CollectionProgress;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.quota.PutLedger;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * A collection of a repository, after which what quotas count of the past is settled. For one thread; to be closed,
 * done or not.
 */
public final class SettledCollection implements Closeable {

    private final Repository repository;
    private final GarbageCollection collection;
    private final boolean dryRun;
    private final PutLedger.Settled before;
    private boolean settles;
    private boolean over;

    private SettledCollection(
            Repository repository,
            GarbageCollection collection,
            boolean dryRun,
            boolean settles,
            PutLedger.Settled before) {
        this.repository = repository;
        this.collection = collection;
        this.dryRun = dryRun;
        this.settles = settles && !dryRun;
        this.before = before;
    }

    /**
     * Begins a collection; empty if one is under way.
     *
     * @param settles whether quotas forget what was put before, as far as it leaves no damaged container as it is: not
     *     if somebody else than the operator has it leave garbage
     */
    public static Optional<SettledCollection> begin(
            Repository repository, GarbageCollection.Settings settings, boolean settles) throws IOException {
        PutLedger.Settled before = settings.dryRun()
                ? new PutLedger.Settled(Map.of())
                : repository.ledger().collectionBegins();
        Optional<SettledCollection> begun = repository
                .collect(settings)
                .map(collection -> new SettledCollection(repository, collection, settings.dryRun(), settles, before));
        if (begun.isPresent() && !settings.dryRun()) {
            repository.upkeep().collectionBegins();
        }
        return begun;
    }

    /**
     * Does the next step, some seconds of work at most. After one that is done or fails there is no other.
     *
     * @throws IOException as {@link GarbageCollection#step}; the collection is over then
     */
    public CollectionProgress step() throws IOException {
        CollectionProgress progress;
        try {
            progress = collection.step();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        if (!dryRun) {
            repository.upkeep().collected(progress);
        }
        settles &= progress.problems().isEmpty();
        if (progress.done()) {
            close();
            if (settles) {
                repository.ledger().collectionEnded(before);
            }
        }
        return progress;
    }

    /** Once: by then another may be under way. */
    @Override
    public void close() throws IOException {
        if (!over) {
            over = true;
            if (!dryRun) {
                repository.upkeep().collectionEnds();
            }
            collection.close();
        }
    }
}
