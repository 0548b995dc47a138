// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.collect.CollectionProgress;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.quota.PutLedger;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * A collection of a repository, after which what quotas count of the past is settled. For one thread; to be closed,
 * done or not.
 */
public final class SettledCollection implements Closeable {

    private final Repository repository;
    private final GarbageCollection collection;
    private final Optional<PutLedger.Settled> settled;
    private boolean over;

    private SettledCollection(
            Repository repository, GarbageCollection collection, Optional<PutLedger.Settled> settled) {
        this.repository = repository;
        this.collection = collection;
        this.settled = settled;
    }

    /** Begins a collection; empty if one is under way. */
    public static Optional<SettledCollection> begin(Repository repository, GarbageCollection.Settings settings)
            throws IOException {
        Optional<PutLedger.Settled> settled = settings.dryRun()
                ? Optional.empty()
                : Optional.of(repository.ledger().collectionBegins());
        return repository.collect(settings).map(begun -> {
            SettledCollection collection = new SettledCollection(repository, begun, settled);
            if (collection.counts()) {
                repository.upkeep().collectionBegins();
            }
            return collection;
        });
    }

    /** Whether it is no dry run. */
    private boolean counts() {
        return settled.isPresent();
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
        if (counts()) {
            repository.upkeep().collected(progress);
        }
        if (progress.done()) {
            close();
            if (settled.isPresent()) {
                repository.ledger().collectionEnded(settled.get());
            }
        }
        return progress;
    }

    /** Once: by then another may be under way. */
    @Override
    public void close() throws IOException {
        if (!over) {
            over = true;
            if (counts()) {
                repository.upkeep().collectionEnds();
            }
            collection.close();
        }
    }
}
