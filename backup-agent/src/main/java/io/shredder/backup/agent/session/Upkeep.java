// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.collect.CollectionProgress;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.SettledCollection;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a session that deletes, collects and counts. A collection ends with the session that began it. */
final class Upkeep implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private final Repository repository;
    private final ClientAccess access;
    private final Deletions deletions;
    private @Nullable SettledCollection collection;

    Upkeep(Repository repository, ClientAccess access, ShownCertificate shown) {
        this.repository = repository;
        this.access = access;
        this.deletions = new Deletions(repository, access.namespace(), shown);
    }

    Answer answer(UpkeepRequest request) throws IOException, RefusedException {
        if (request instanceof UpkeepRequest.Delete delete) {
            return deletions.delete(delete.snapshotIds());
        } else if (request instanceof UpkeepRequest.Pending pending) {
            return deletions.next(pending.afterId());
        } else if (request instanceof UpkeepRequest.Confirm confirm) {
            return deletions.confirm(confirm);
        } else if (request instanceof UpkeepRequest.Withdraw withdraw) {
            return deletions.withdraw(withdraw.requestId());
        } else if (request instanceof UpkeepRequest.Collect collect) {
            return collect(collect);
        } else if (request instanceof UpkeepRequest.Keepers) {
            return keepers();
        }
        return statistics();
    }

    /** Where the agent's machine has its disks, and what went wrong there, is for those who look after the store. */
    private Answer keepers() throws IOException {
        boolean looksAfter = access.rights().contains(Right.PRUNE);
        return new UpkeepAnswer.Keepers(repository
                .chunks()
                .containers()
                .storage()
                .keepersState()
                .map(state -> looksAfter ? state : state.withoutHomes()));
    }

    private Answer collect(UpkeepRequest.Collect request) throws IOException, RefusedException {
        if (request.begins()) {
            end();
            collection = SettledCollection.begin(
                            repository,
                            new GarbageCollection.Settings(request.minGarbagePercent(), request.dryRun()),
                            request.minGarbagePercent() <= GarbageCollection.Settings.USUAL_PERCENT)
                    .orElseThrow(() ->
                            new RefusedException(ErrorCode.BUSY, "another collection is under way: wait for its end"));
            LOG.info("client {} began a collection{}", access.client(), request.dryRun() ? " (dry run)" : "");
        }
        if (collection == null) {
            throw new RefusedException(ErrorCode.INVALID, "no collection has begun on this connection");
        }
        CollectionProgress progress;
        try {
            progress = collection.step();
        } catch (IOException | RuntimeException e) {
            collection = null;
            throw e;
        }
        if (progress.done()) {
            collection = null;
            LOG.info(
                    "the collection is done: {} bytes freed, {} containers deleted",
                    progress.freedBytes(),
                    progress.deletedContainers());
        }
        return new UpkeepAnswer.Collected(
                progress.done(),
                progress.markedChunks(),
                progress.garbageBytes(),
                progress.freedBytes(),
                progress.copiedBytes(),
                progress.deletedContainers(),
                progress.leftContainers(),
                progress.problems());
    }

    private Answer statistics() throws IOException {
        SortedMap<Integer, Long> sizes = repository.chunks().containers().sizes();
        SnapshotName namespace = access.namespace();
        return new UpkeepAnswer.Statistics(
                namespace,
                access.rights().stream().map(Right::word).sorted().toList(),
                repository.catalogue().list(namespace, 0).size(),
                repository.catalogue().imageBytes(namespace),
                access.maxImageBytes().orElse(0),
                repository.chunks().index().size(),
                sizes.size(),
                occupiedBytes(sizes),
                repository.chunks().containers().storage().usableBytes());
    }

    private long occupiedBytes(SortedMap<Integer, Long> sizes) throws IOException {
        ReleasableSpace space = repository.chunks().space();
        long sum = 0;
        for (Map.Entry<Integer, Long> size : sizes.entrySet()) {
            try {
                sum += space.isSupported() ? space.occupiedBytes(size.getKey(), size.getValue()) : size.getValue();
            } catch (NoSuchFileException e) {
                LOG.debug("container {} was collected meanwhile", size.getKey());
            }
        }
        return sum;
    }

    private void end() throws IOException {
        if (collection != null) {
            collection.close();
            collection = null;
        }
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
