// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.file.LostData;
import io.shredder.backup.agent.lists.SeenPages;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.verify.ListVerification;
import io.shredder.backup.agent.verify.PartsAhead;
import io.shredder.backup.agent.verify.VerificationPlan;
import io.shredder.backup.agent.verify.VerifiedPart;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Re-reads and re-digests what is kept, a part at a time so that the client can show progress and stop. All problems of
 * a part are found, not just the first: what a disk can't read is one more, and the rest is read. Only a storage that
 * can't be asked at all ends it. Parts are read ahead of the client that asks for them, several at once, and told in
 * order. For one thread.
 *
 * <p>The cursor of the whole repository is the number of the last container verified, and beyond those (from
 * {@value #SNAPSHOTS} on) the id of the last snapshot: the same again as long as a long list is not done. A snapshot's
 * cursor is a page of its list. Needs no key: what is digested is what is stored.
 */
public final class StoreVerification implements Closeable {

    private static final long SNAPSHOTS = 1L << 32;
    private static final String WITHOUT_INDEX =
            ": what is in containers was not read; stop the agent and run 'backup-agent rebuild-index', which reads it";

    private final Repository repository;
    private final ToldProblems told;
    private final PartsAhead parts;

    private @Nullable VerificationPlan plan;
    private @Nullable ListVerification list;
    /** With which cursor's id the client asks for the list that is not done. */
    private long listAfterId;

    private SeenPages seen = new SeenPages();

    /** Of a repository, which stays the caller's. All that is found is told. */
    public StoreVerification(Repository repository) {
        this(repository, ToldProblems.all(repository.catalogue()));
    }

    /** The same for a client, which is told what it may know. */
    StoreVerification(Repository repository, ClientAccess client) {
        this(repository, ToldProblems.to(client, repository.catalogue()));
    }

    private StoreVerification(Repository repository, ToldProblems told) {
        this.repository = repository;
        this.told = told;
        this.parts = new PartsAhead(repository.chunks(), repository.workers());
    }

    /** Opens a snapshot of the client's. */
    interface Snapshots {
        SnapshotFile open(long id) throws IOException, RefusedException;
    }

    /** The next part of a snapshot, or of everything. */
    Answer.Verified next(Request.Verify request, Snapshots snapshots) throws IOException, RefusedException {
        return request.snapshotId() == 0
                ? next(VerifyScope.EVERYTHING, request.cursor())
                : next(snapshots.open(request.snapshotId()), request.cursor());
    }

    private Answer.Verified next(SnapshotFile snapshot, long cursor) throws IOException {
        int page = (int) Math.min(Integer.MAX_VALUE, cursor);
        Optional<PartsAhead.Part> part = page < snapshot.pages() ? parts.ofPage(snapshot, page) : Optional.empty();
        return part.isPresent() ? part.get().shown().answer(part.get().nextCursor()) : new VerifiedPart().answer(0);
    }

    /**
     * The next part of the repository, as far as it is in the scope: a container, or a snapshot's list; with the last,
     * the audit log.
     */
    public Answer.Verified next(VerifyScope scope, long cursor) throws IOException {
        VerifiedPart part = new VerifiedPart();
        long nextCursor = next(scope, cursor, part);
        Answer.Verified answer = part.answer(nextCursor);
        repository.upkeep().verified(answer.chunks(), answer.bytes(), part.found());
        return answer;
    }

    private long next(VerifyScope scope, long cursor, VerifiedPart part) throws IOException {
        if (cursor < SNAPSHOTS) {
            VerifiedPart read = new VerifiedPart();
            Optional<Long> container = nextContainer(scope, (int) Math.min(Integer.MAX_VALUE, cursor), read);
            part.add(read, told.ofContainer(read.problems()));
            if (container.isPresent()) {
                return container.get();
            }
        }
        endPlan();
        long afterId = Math.max(0, cursor - SNAPSHOTS);
        if (list == null || listAfterId != afterId) {
            endList();
            if (afterId == 0) {
                seen = new SeenPages();
            }
        }
        return nextList(scope, afterId, part);
    }

    /** Verifies a container; empty if there is no other, or if nobody knows because the index is damaged. */
    private Optional<Long> nextContainer(VerifyScope scope, int cursor, VerifiedPart part) throws IOException {
        try {
            if (cursor == 0 || plan == null) {
                endPlan();
                plan = VerificationPlan.make(repository, scope);
            }
            Optional<PartsAhead.Part> container = parts.ofContainer(plan, cursor);
            container.ifPresent(read -> part.add(read.shown()));
            return container.map(PartsAhead.Part::nextCursor);
        } catch (DamagedDataException e) {
            part.problem(e.getMessage() + WITHOUT_INDEX);
            return Optional.empty();
        }
    }

    private long nextList(VerifyScope scope, long afterId, VerifiedPart part) throws IOException {
        Optional<Long> snapshot = list == null ? repository.catalogue().next(afterId) : Optional.of(list.id());
        if (snapshot.isEmpty()) {
            verifyCatalogue(part);
            verifyAuditLog(part);
            return 0;
        }
        long id = snapshot.get();
        VerifiedPart looked = new VerifiedPart();
        boolean done = true;
        try {
            if (list == null) {
                list = open(scope, id);
                listAfterId = afterId;
            }
            done = list == null || list.step(looked);
        } catch (DamagedDataException | FileSystemException e) {
            looked.problem(e);
        } catch (IOException e) {
            throw told.ofList(id, e);
        }
        part.add(looked, told.ofList(id, looked.problems()));
        if (!done) {
            return SNAPSHOTS + afterId;
        }
        endList();
        return SNAPSHOTS + id;
    }

    private void verifyCatalogue(VerifiedPart part) {
        VerifiedPart looked = new VerifiedPart();
        repository.catalogue().problems().forEach(looked::problem);
        part.add(looked, told.ofCatalogue(looked.problems()));
    }

    private void verifyAuditLog(VerifiedPart part) throws IOException {
        try {
            repository.audit().problems().forEach(part::problem);
        } catch (IOException e) {
            part.problem(LostData.named(e, "audit.log", 0));
        }
    }

    /** Null if it is gone, or not in the scope. */
    private @Nullable ListVerification open(VerifyScope scope, long id) throws IOException {
        Optional<SnapshotFile> file = repository.catalogue().open(id);
        if (file.isPresent() && file.get().info().received().isBefore(scope.since())) {
            file.get().close();
            return null;
        }
        return file.isPresent() ? new ListVerification(repository, file.get(), seen) : null;
    }

    private void endPlan() throws IOException {
        parts.close();
        if (plan != null) {
            plan.close();
            plan = null;
        }
    }

    private void endList() throws IOException {
        ListVerification ended = list;
        list = null;
        if (ended != null) {
            ended.close();
        }
    }

    @Override
    public void close() throws IOException {
        endPlan();
        endList();
    }
}
