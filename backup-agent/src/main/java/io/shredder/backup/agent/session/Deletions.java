// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.deletion.PendingDeletions;
import io.shredder.backup.agent.deletion.PendingRequest;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.PendingDeletion.Going;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a session that deletes snapshots: at once or, where the file of rights says so, once a second client has
 * confirmed it. What can't be undone goes by the rules and the revocation list of the moment, not by those of when the
 * connection began. One thread.
 */
final class Deletions {

    private static final Logger LOG = LoggerFactory.getLogger(Deletions.class);

    private final Repository repository;
    private final SnapshotName namespace;
    private final ShownCertificate shown;

    Deletions(Repository repository, SnapshotName namespace, ShownCertificate shown) {
        this.repository = repository;
        this.namespace = namespace;
        this.shown = shown;
    }

    /** Deletes all of these or none, or notes that this is asked for. */
    Answer delete(List<Long> ids) throws IOException, RefusedException {
        ClientAccess access = current(shown.now(), Right.PRUNE, "client " + shown.client());
        Map<Long, Map<String, Object>> lines = describe(ids, access);
        if (access.confirmWithin().isPresent() && !lines.isEmpty()) {
            return ask(lines.keySet(), access.confirmWithin().get());
        }
        delete(lines);
        LOG.info("client {} deleted snapshots {} of {}", shown.client(), lines.keySet(), namespace);
        return new Answer.Done();
    }

    private ClientAccess current(Optional<ClientAccess> now, Right needed, String who) throws RefusedException {
        return now.filter(access ->
                        access.rights().contains(needed) && access.namespace().equals(namespace))
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.NOT_PERMITTED,
                        who + " lacks the right '" + needed.word() + "' in namespace " + namespace
                                + " by now, or its certificate is revoked: nothing is deleted"));
    }

    private Answer ask(Set<Long> ids, Duration within) throws IOException, RefusedException {
        SortedMap<Long, CatalogueEntry> own = repository.catalogue().list(namespace, 0);
        List<Going> going = new ArrayList<>();
        for (long id : new TreeSet<>(ids)) {
            going.add(going(find(own, id)));
        }
        PendingDeletion asked = readable(
                        () -> pending().ask(namespace, shown.client(), shown.serial(), going, within, this::isThere))
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.BUSY,
                        "client " + shown.client() + " has asked for " + PendingDeletions.MOST_OF_A_CLIENT
                                + " deletions in namespace " + namespace + ", withdrawn ones among them: have them"
                                + " confirmed, or ask again when their time is over"));
        LOG.info("{}", asked);
        return new UpkeepAnswer.Pending(Optional.of(asked));
    }

    private Going going(CatalogueEntry entry) throws IOException {
        return repository
                .catalogue()
                .info(entry)
                .map(Going::of)
                .orElseGet(() -> Going.unreadable(entry.id(), entry.name()));
    }

    private boolean isThere(Going going) {
        CatalogueEntry entry = repository.catalogue().list(namespace, 0).get(going.id());
        try {
            return entry != null && going(entry).equals(going);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next request that waits. */
    Answer next(long afterId) throws IOException, RefusedException {
        return new UpkeepAnswer.Pending(readable(() -> pending().next(namespace, afterId, this::isThere)));
    }

    /** Forgets a request; whoever may ask or confirm may do so. */
    Answer withdraw(long id) throws IOException, RefusedException {
        if (!readable(() -> pending().withdraw(namespace, id, shown.client(), this::isThere))) {
            throw notThere(id);
        }
        LOG.info("client {} withdrew request {} of {}", shown.client(), id, namespace);
        return new Answer.Done();
    }

    /** Does what another client asked for. */
    Answer confirm(UpkeepRequest.Confirm confirm) throws IOException, RefusedException {
        current(shown.now(), Right.CONFIRM, "client " + shown.client());
        boolean done = readable(() -> pending()
                .<RefusedException>confirm(
                        namespace, confirm.requestId(), this::isThere, request -> confirm(request, confirm)));
        if (!done) {
            throw notThere(confirm.requestId());
        }
        return new Answer.Done();
    }

    private void confirm(PendingRequest request, UpkeepRequest.Confirm confirm) throws IOException, RefusedException {
        PendingDeletion deletion = request.deletion();
        if (!deletion.digest().equals(confirm.digest())) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "request " + deletion.id() + " is not the one that was looked at: see 'shredder-backup pending'");
        } else if (deletion.client().equals(shown.client())) {
            throw new RefusedException(
                    ErrorCode.NOT_PERMITTED,
                    "client " + shown.client() + " asked for request " + deletion.id()
                            + " itself: another one must confirm it");
        }
        ClientAccess asker = current(
                shown.standing().now(deletion.client(), request.serial()),
                Right.PRUNE,
                "client " + deletion.client() + ", which asked for request " + deletion.id() + ",");
        Map<Long, Map<String, Object>> lines = describe(deletion.ids(), asker);
        Map<String, Object> confirmed = Map.of("confirmedBy", shown.client().value());
        pending().note("deletion-confirmed", namespace, deletion, confirmed);
        lines.values().forEach(line -> {
            line.put("request", deletion.id());
            line.putAll(confirmed);
        });
        delete(lines);
        LOG.info(
                "client {} confirmed request {} of client {}: snapshots {} of {} are deleted",
                shown.client(),
                deletion.id(),
                deletion.client(),
                deletion.ids(),
                namespace);
    }

    private RefusedException notThere(long id) {
        return new RefusedException(
                ErrorCode.NOT_FOUND,
                "no request " + id + " waits in namespace " + namespace
                        + ": it was confirmed or withdrawn, or has lapsed; see 'shredder-backup pending'");
    }

    private PendingDeletions pending() {
        return repository.pendingDeletions();
    }

    private interface Asking<T> {
        T ask() throws IOException, RefusedException;
    }

    /** A file of requests that is damaged keeps deletions from being done, and nothing else. */
    private static <T> T readable(Asking<T> asking) throws IOException, RefusedException {
        try {
            return asking.ask();
        } catch (DamagedDataException e) {
            throw new RefusedException(
                    ErrorCode.DAMAGED,
                    e.getMessage() + ": move it away at the agent, and ask again for the deletions that waited");
        }
    }

    /** A line for the audit log of each snapshot, all of which must be there and old enough. */
    private Map<Long, Map<String, Object>> describe(List<Long> ids, ClientAccess access)
            throws IOException, RefusedException {
        SortedMap<Long, CatalogueEntry> own = repository.catalogue().list(namespace, 0);
        Map<Long, Map<String, Object>> lines = new LinkedHashMap<>();
        for (long id : ids) {
            lines.put(id, describe(find(own, id), access));
        }
        Optional<String> refusal = repository.catalogue().whyNotDelete(namespace, ids);
        if (refusal.isPresent()) {
            throw new RefusedException(ErrorCode.DAMAGED, "nothing is deleted: " + refusal.get());
        }
        return lines;
    }

    private CatalogueEntry find(SortedMap<Long, CatalogueEntry> own, long id) throws RefusedException {
        CatalogueEntry entry = own.get(id);
        if (entry == null) {
            throw new RefusedException(
                    ErrorCode.NOT_FOUND,
                    "there is no snapshot " + id + " of client " + namespace + ": nothing is deleted");
        }
        return entry;
    }

    private void delete(Map<Long, Map<String, Object>> lines) throws IOException {
        for (Map<String, Object> line : lines.values()) {
            repository.audit().record("snapshot-delete", line);
        }
        repository.reserve().withRoom(() -> repository.catalogue().delete(namespace, List.copyOf(lines.keySet())));
    }

    /** What the audit log says of a snapshot; one that can't be read may be deleted, too. */
    private Map<String, Object> describe(CatalogueEntry entry, ClientAccess access) throws RefusedException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("client", access.client().value());
        line.put("namespace", namespace.value());
        line.put("snapshot", entry.id());
        try (SnapshotFile opened = repository.catalogue().open(entry)) {
            SnapshotInfo info = opened.info();
            checkAge(info.id(), info.received(), access.minAge());
            line.put("name", info.name().value());
            line.put("received", info.received().toString());
            line.put("imageBytes", info.imageBytes());
            line.put("contentDigest", info.contentDigest().toString());
        } catch (IOException e) {
            checkFileAge(entry, access.minAge());
            line.put("damage", String.valueOf(e.getMessage()));
        }
        return line;
    }

    /** By the record; without it, by the file's own time. One of unknown age counts as new. */
    private void checkFileAge(CatalogueEntry entry, Duration least) throws RefusedException {
        try {
            checkAge(
                    entry.id(),
                    entry.received().isPresent()
                            ? entry.received().get()
                            : repository.catalogue().lastModified(entry),
                    least);
        } catch (IOException e) {
            checkAge(entry.id(), repository.now(), least);
        }
    }

    private void checkAge(long id, Instant received, Duration least) throws RefusedException {
        if (!least.isZero() && received.plus(least).isAfter(repository.now())) {
            throw new RefusedException(
                    ErrorCode.NOT_PERMITTED,
                    "snapshot " + id + " was received on " + received + " and may not be deleted until it is "
                            + least.toDays() + " days old: nothing is deleted");
        }
    }
}
