// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.deletion;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.PendingDeletion.Going;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Deletions that wait until a second client confirms them, a file for each namespace, read whenever it is
 * asked for: nothing is known but what is durable. A request never changes: what another one asks for has another id.
 * It lapses when its time is over by the agent's clock, when that clock shows a time before it was asked for, and when
 * one of its snapshots is not there as it was. Every step has a line in the audit log before. Safe for any number of
 * threads: one lock, held while a confirmed deletion is done.
 */
public final class PendingDeletions {

    /** A client may have asked for so many in the time that each may wait, those that were withdrawn among them. */
    public static final int MOST_OF_A_CLIENT = 16;

    /** Clocks are set right by less than this all the time. */
    private static final Duration CLOCK_STEP = Duration.ofMinutes(1);

    private final Path folder;
    private final UUID repository;
    private final Clock clock;
    private final AuditLog audit;
    private final SpaceReserve reserve;

    /**
     * Kept in a folder.
     *
     * @param folder made when something is asked for
     * @param reserve given back if the disk is too full to note a request, since deletions make room
     */
    public PendingDeletions(Path folder, UUID repository, Clock clock, AuditLog audit, SpaceReserve reserve) {
        this.folder = folder;
        this.repository = repository;
        this.clock = clock;
        this.audit = audit;
        this.reserve = reserve;
    }

    /**
     * Notes a request, durably. The same one that already waits is found again, with the time that is left of it; one
     * of the same client that asks for some of these snapshots alone is withdrawn: this one stands for it.
     *
     * @param serial of the certificate that asks
     * @param going in the order of their ids, at least one
     * @param within in what time it must be confirmed
     * @param there whether a snapshot is there as it was
     * @return empty if the client has asked for too many
     */
    public synchronized Optional<PendingDeletion> ask(
            SnapshotName namespace,
            SnapshotName client,
            BigInteger serial,
            List<Going> going,
            Duration within,
            Predicate<Going> there)
            throws IOException {
        PendingFile file = file(namespace);
        PendingFile.Contents known = current(namespace, there);
        for (PendingRequest request : known.requests()) {
            if (isOf(client, request)
                    && request.serial().equals(serial)
                    && request.deletion().snapshots().equals(going)) {
                return Optional.of(request.deletion());
            }
        }
        if (known.requests().stream().filter(request -> isOf(client, request)).count() >= MOST_OF_A_CLIENT) {
            return Optional.empty();
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        PendingDeletion asked = new PendingDeletion(known.lastId() + 1, client, now, now.plus(within), going);
        List<PendingRequest> requests = new ArrayList<>();
        for (PendingRequest request : known.requests()) {
            boolean isStoodFor = isOf(client, request)
                    && !request.isWithdrawn()
                    && going.containsAll(request.deletion().snapshots());
            if (isStoodFor) {
                note("deletion-withdrawn", namespace, request.deletion(), Map.of("withdrawnBy", client.value()));
            }
            requests.add(isStoodFor ? request.withdrawn() : request);
        }
        requests.add(new PendingRequest(serial, asked));
        note(
                "deletion-asked",
                namespace,
                asked,
                Map.of("snapshots", asked.ids(), "until", asked.until().toString()));
        write(file, new PendingFile.Contents(asked.id(), requests));
        return Optional.of(asked);
    }

    private static boolean isOf(SnapshotName client, PendingRequest request) {
        return request.deletion().client().equals(client);
    }

    /** The request that waits and has the next id, if there is one. */
    public synchronized Optional<PendingDeletion> next(SnapshotName namespace, long afterId, Predicate<Going> there)
            throws IOException {
        return current(namespace, there).requests().stream()
                .filter(request -> !request.isWithdrawn() && request.deletion().id() > afterId)
                .map(PendingRequest::deletion)
                .findFirst();
    }

    /**
     * What waits of a namespace, for those who look: nothing is written, so that one may be among them that lapses when
     * a client asks, since its snapshots are not as they were. Takes no lock: the file is old whole or new whole.
     */
    public List<PendingDeletion> waiting(SnapshotName namespace) throws IOException {
        return file(namespace).read().requests().stream()
                .filter(request -> !request.isWithdrawn()
                        && clock.instant().isBefore(request.deletion().until()))
                .map(PendingRequest::deletion)
                .toList();
    }

    /** What is to be done with a request that waits. */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        /** Does it; throws if the request is to go on waiting. */
        void on(PendingRequest request) throws IOException, E;
    }

    /**
     * Does what a request asks for, after which it is forgotten.
     *
     * @return false if no request with this id waits
     */
    public synchronized <E extends Exception> boolean confirm(
            SnapshotName namespace, long id, Predicate<Going> there, Work<E> work) throws IOException, E {
        PendingFile.Contents known = current(namespace, there);
        Optional<PendingRequest> found = waiting(known, id);
        if (found.isEmpty()) {
            return false;
        }
        work.on(found.get());
        List<PendingRequest> left = new ArrayList<>(known.requests());
        left.remove(found.get());
        write(file(namespace), new PendingFile.Contents(known.lastId(), left));
        return true;
    }

    /**
     * Forgets a request, but that it was asked for.
     *
     * @param client who says so
     * @return false if no request with this id waits
     */
    public synchronized boolean withdraw(SnapshotName namespace, long id, SnapshotName client, Predicate<Going> there)
            throws IOException {
        PendingFile.Contents known = current(namespace, there);
        Optional<PendingRequest> found = waiting(known, id);
        if (found.isEmpty()) {
            return false;
        }
        note("deletion-withdrawn", namespace, found.get().deletion(), Map.of("withdrawnBy", client.value()));
        List<PendingRequest> left = new ArrayList<>(known.requests());
        left.replaceAll(request -> request.equals(found.get()) ? request.withdrawn() : request);
        write(file(namespace), new PendingFile.Contents(known.lastId(), left));
        return true;
    }

    /** Writes down what happens to a request. */
    public void note(String event, SnapshotName namespace, PendingDeletion deletion, Map<String, ?> more)
            throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("client", deletion.client().value());
        line.put("namespace", namespace.value());
        line.put("request", deletion.id());
        line.putAll(more);
        reserve.withRoom(() -> audit.record(event, line));
    }

    private static Optional<PendingRequest> waiting(PendingFile.Contents known, long id) {
        return known.requests().stream()
                .filter(request -> request.deletion().id() == id && !request.isWithdrawn())
                .findFirst();
    }

    /** What the file says, without what has lapsed. */
    private PendingFile.Contents current(SnapshotName namespace, Predicate<Going> there) throws IOException {
        PendingFile file = file(namespace);
        PendingFile.Contents known = file.read();
        List<PendingRequest> left = new ArrayList<>();
        for (PendingRequest request : known.requests()) {
            Optional<String> reason = whyLapsed(request.deletion(), there);
            if (reason.isEmpty()) {
                left.add(request);
            } else if (!request.isWithdrawn()) {
                note("deletion-lapsed", namespace, request.deletion(), Map.of("reason", reason.get()));
            }
        }
        PendingFile.Contents current = new PendingFile.Contents(known.lastId(), List.copyOf(left));
        if (left.size() < known.requests().size()) {
            write(file, current);
        }
        return current;
    }

    private Optional<String> whyLapsed(PendingDeletion deletion, Predicate<Going> there) {
        Instant now = clock.instant();
        if (!now.isBefore(deletion.until())) {
            return Optional.of("nobody confirmed it until " + deletion.until());
        } else if (now.plus(CLOCK_STEP).isBefore(deletion.asked())) {
            return Optional.of("the agent's clock was set back before " + deletion.asked());
        }
        return deletion.snapshots().stream()
                .filter(there.negate())
                .findFirst()
                .map(going -> "snapshot " + going.id() + " is not there as it was");
    }

    private void write(PendingFile file, PendingFile.Contents contents) throws IOException {
        reserve.withRoom(() -> file.write(contents));
    }

    private PendingFile file(SnapshotName namespace) {
        return new PendingFile(folder.resolve(namespace.value()), repository);
    }
}
