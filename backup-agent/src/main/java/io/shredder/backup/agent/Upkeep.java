// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.catalogue.SnapshotFile;
import io.shredder.backup.agent.collect.CollectionProgress;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.quota.PutLedger;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.ErrorCode;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.UpkeepAnswer;
import io.shredder.backup.protocol.UpkeepRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a session that deletes, collects and counts. A collection ends with the session that began it. */
final class Upkeep implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private final Repository repository;
    private final ClientAccess access;
    private @Nullable GarbageCollection collection;
    private Optional<PutLedger.Settled> settled = Optional.empty();

    Upkeep(Repository repository, ClientAccess access) {
        this.repository = repository;
        this.access = access;
    }

    Answer answer(UpkeepRequest request) throws IOException, RefusedException {
        if (request instanceof UpkeepRequest.Delete delete) {
            return delete(delete.snapshotIds());
        } else if (request instanceof UpkeepRequest.Collect collect) {
            return collect(collect);
        }
        return statistics();
    }

    private Answer delete(List<Long> ids) throws IOException, RefusedException {
        SnapshotName namespace = access.namespace();
        SortedMap<Long, CatalogueEntry> own = repository.catalogue().list(namespace, 0);
        Map<Long, Map<String, Object>> lines = new LinkedHashMap<>();
        for (long id : ids) {
            CatalogueEntry entry = own.get(id);
            if (entry == null) {
                throw new RefusedException(
                        ErrorCode.NOT_FOUND,
                        "there is no snapshot " + id + " of client " + namespace + ": nothing is deleted");
            }
            lines.put(id, describe(entry));
        }
        Optional<String> refusal = repository.catalogue().whyNotDelete(namespace, ids);
        if (refusal.isPresent()) {
            throw new RefusedException(ErrorCode.DAMAGED, "nothing is deleted: " + refusal.get());
        }
        for (Map<String, Object> line : lines.values()) {
            repository.audit().record("snapshot-delete", line);
        }
        repository.gate().held(() -> {
            repository.reserve().withRoom(() -> repository.catalogue().delete(namespace, List.copyOf(lines.keySet())));
            return lines;
        });
        LOG.info("client {} deleted snapshots {} of {}", access.client(), lines.keySet(), namespace);
        return new Answer.Done();
    }

    /** What the audit log says of a snapshot; one that can't be read may be deleted, too. */
    private Map<String, Object> describe(CatalogueEntry entry) throws RefusedException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("client", access.client().value());
        line.put("namespace", access.namespace().value());
        line.put("snapshot", entry.id());
        try (SnapshotFile opened = repository.catalogue().open(entry)) {
            SnapshotInfo info = opened.info();
            checkAge(info.id(), info.received());
            line.put("name", info.name().value());
            line.put("received", info.received().toString());
            line.put("imageBytes", info.imageBytes());
            line.put("contentDigest", info.contentDigest().toString());
        } catch (IOException e) {
            checkFileAge(entry);
            line.put("damage", String.valueOf(e.getMessage()));
        }
        return line;
    }

    /** By the record; without it, by the file's own time. One of unknown age counts as new. */
    private void checkFileAge(CatalogueEntry entry) throws RefusedException {
        try {
            checkAge(
                    entry.id(),
                    entry.received().isPresent()
                            ? entry.received().get()
                            : repository.catalogue().lastModified(entry));
        } catch (IOException e) {
            checkAge(entry.id(), repository.now());
        }
    }

    private void checkAge(long id, Instant received) throws RefusedException {
        Duration least = access.minAge();
        if (!least.isZero() && received.plus(least).isAfter(repository.now())) {
            throw new RefusedException(
                    ErrorCode.NOT_PERMITTED,
                    "snapshot " + id + " was received on " + received + " and may not be deleted until it is "
                            + least.toDays() + " days old: nothing is deleted");
        }
    }

    private Answer collect(UpkeepRequest.Collect request) throws IOException, RefusedException {
        if (request.begins()) {
            end();
            settled = request.dryRun()
                    ? Optional.empty()
                    : Optional.of(repository.ledger().collectionBegins());
            collection = repository
                    .collect(new GarbageCollection.Settings(request.minGarbagePercent(), request.dryRun()))
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
            end();
            throw e;
        }
        if (progress.done()) {
            end();
            if (settled.isPresent()) {
                repository.ledger().collectionEnded(settled.get());
            }
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
