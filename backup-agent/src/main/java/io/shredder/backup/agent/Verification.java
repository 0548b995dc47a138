// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.catalogue.SeenPages;
import io.shredder.backup.agent.catalogue.SharedPages;
import io.shredder.backup.agent.catalogue.SnapshotFile;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.file.LostData;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.backup.protocol.VerifyScope;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Re-reads and re-digests what is kept, a part at a time so that the client can show progress and stop. All problems of a part are
 * found, not just the first: what a disk can't read is one more, and the rest is read. Only a storage that can't be asked at all ends it.
 *
 * <p>The cursor of the whole repository is the number of the last container verified, and beyond those (from {@value #SNAPSHOTS} on)
 * the id of the last snapshot. A snapshot's cursor is a page of its list. Needs no key: what is digested is what is stored.
 */
final class Verification {

    private static final long SNAPSHOTS = 1L << 32;
    private static final int MAX_PROBLEMS = 1000;
    private static final String WITHOUT_INDEX =
            ": what is in containers was not read; stop the agent and run 'backup-agent rebuild-index', which reads it";

    private final Repository repository;
    private final ContainerReader reader;

    private @Nullable VerificationPlan plan;
    private SeenPages seen = new SeenPages();

    Verification(Repository repository, ContainerReader reader) {
        this.repository = repository;
        this.reader = reader;
    }

    /** What one part has shown so far. */
    private static final class Part {
        private final List<String> problems = new ArrayList<>();
        private long chunks;
        private long bytes;

        void problem(String line) {
            if (problems.size() < MAX_PROBLEMS) {
                problems.add(line);
            }
        }

        /** Damage, or a file that can't be opened; any other error is the storage's. */
        void problem(IOException error) throws IOException {
            if (error instanceof DamagedDataException) {
                problem(String.valueOf(error.getMessage()));
            } else if (error instanceof FileSystemException file) {
                problem(file.getFile() + ": can't be opened: " + file);
            } else {
                throw error;
            }
        }

        Answer.Verified answer(long nextCursor) {
            return new Answer.Verified(nextCursor, chunks, bytes, problems);
        }
    }

    /** The next part of a snapshot. */
    Answer.Verified next(SnapshotFile snapshot, long cursor) throws IOException {
        Part part = new Part();
        int page = (int) Math.min(Integer.MAX_VALUE, cursor);
        if (page >= snapshot.pages()) {
            return part.answer(0);
        }
        try {
            verify(snapshot.page(page).references(), part);
        } catch (DamagedDataException e) {
            part.problem(e);
        }
        return part.answer(page + 1 < snapshot.pages() ? page + 1 : 0);
    }

    private void verify(List<Fingerprint> references, Part part) throws IOException {
        List<ContainerHeads.Entry> entries = new ArrayList<>();
        try {
            List<Optional<ChunkLocation>> found = repository.chunks().index().findAll(references);
            for (int i = 0; i < found.size(); i++) {
                if (found.get(i).isPresent()) {
                    entries.add(new ContainerHeads.Entry(
                            references.get(i), found.get(i).get()));
                } else {
                    part.problem("chunk " + references.get(i) + " is missing from the index");
                }
            }
        } catch (DamagedDataException e) {
            part.problem(e);
        }
        entries.sort(Comparator.comparing(entry -> entry.location().position()));
        verifyInOrder(entries, part);
    }

    /** Reads each region once. */
    private void verifyInOrder(List<ContainerHeads.Entry> entries, Part part) throws IOException {
        for (int from = 0; from < entries.size(); ) {
            ContainerPosition at = entries.get(from).location().position();
            int to = from + 1;
            while (to < entries.size() && entries.get(to).location().position().equals(at)) {
                to++;
            }
            verifyRegion(entries.subList(from, to), part);
            from = to;
        }
    }

    private void verifyRegion(List<ContainerHeads.Entry> chunks, Part part) throws IOException {
        for (ContainerHeads.Entry chunk : chunks) {
            part.chunks++;
            part.bytes += chunk.location().plainBytes();
        }
        Set<Fingerprint> seen = new HashSet<>();
        try {
            for (ContainerHeads.Entry chunk : chunks) {
                if (!seen.contains(chunk.fingerprint())) {
                    seen.addAll(verify(chunk, chunks, part));
                }
            }
        } catch (IOException e) {
            part.problem(e);
        }
    }

    /**
     * Reads the region of a chunk, wherever it is now. What a collection has taken away since is not missed.
     *
     * @param together the chunks that were in one record
     * @return those that nothing more needs to be said of
     */
    private List<Fingerprint> verify(ContainerHeads.Entry chunk, List<ContainerHeads.Entry> together, Part part)
            throws IOException {
        try {
            Optional<StoredRegion> region = repository.chunks().read(chunk.fingerprint(), reader);
            return region.isPresent() ? region.get().fingerprints() : List.of();
        } catch (DamagedDataException e) {
            part.problem(e);
            return isStillThere(chunk) ? noteDamage(together) : List.of();
        }
    }

    /** Where not even a record's head is whole, the index alone knows what was in it. */
    private List<Fingerprint> noteDamage(List<ContainerHeads.Entry> together) throws IOException {
        List<Fingerprint> noted = new ArrayList<>();
        for (ContainerHeads.Entry chunk : together) {
            if (isStillThere(chunk)) {
                repository.chunks().damaged(chunk.fingerprint(), chunk.location());
                noted.add(chunk.fingerprint());
            }
        }
        return noted;
    }

    private boolean isStillThere(ContainerHeads.Entry chunk) throws IOException {
        return repository
                .chunks()
                .index()
                .find(chunk.fingerprint())
                .filter(chunk.location()::equals)
                .isPresent();
    }

    /** The next part of the repository, as far as it is in the scope: a container, or a snapshot's list; with the last, the audit log. */
    Answer.Verified next(VerifyScope scope, long cursor) throws IOException {
        Part part = new Part();
        if (cursor < SNAPSHOTS) {
            Optional<Integer> container = nextContainer(scope, (int) Math.min(Integer.MAX_VALUE, cursor), part);
            if (container.isPresent()) {
                return part.answer(container.get());
            }
        }
        plan = null;
        if (cursor <= SNAPSHOTS) {
            seen = new SeenPages();
        }
        return nextList(scope, Math.max(0, cursor - SNAPSHOTS), part);
    }

    /** Verifies a container; empty if there is no other, or if nobody knows because the index is damaged. */
    private Optional<Integer> nextContainer(VerifyScope scope, int cursor, Part part) throws IOException {
        try {
            if (cursor == 0 || plan == null) {
                plan = VerificationPlan.make(repository.chunks(), scope);
            }
            Optional<Integer> container = plan.after(cursor);
            if (container.isPresent()) {
                verifyInOrder(plan.entries(container.get()), part);
            }
            return container;
        } catch (DamagedDataException e) {
            part.problem(e.getMessage() + WITHOUT_INDEX);
            return Optional.empty();
        }
    }

    private Answer.Verified nextList(VerifyScope scope, long afterId, Part part) throws IOException {
        Optional<Long> snapshot = repository.catalogue().next(afterId);
        if (snapshot.isEmpty()) {
            repository.catalogue().problems().forEach(part::problem);
            verifyAuditLog(part);
            return part.answer(0);
        }
        verifyList(scope, snapshot.get(), part);
        return part.answer(SNAPSHOTS + snapshot.get());
    }

    private void verifyAuditLog(Part part) throws IOException {
        try {
            repository.audit().problems().forEach(part::problem);
        } catch (IOException e) {
            part.problem(LostData.named(e, "audit.log", 0));
        }
    }

    private void verifyList(VerifyScope scope, long id, Part part) throws IOException {
        try {
            Optional<SnapshotFile> opened = repository.catalogue().open(id);
            if (opened.isPresent()) {
                try (SnapshotFile file = opened.get()) {
                    verifyList(scope, file, part);
                }
            }
        } catch (IOException e) {
            part.problem(e);
        }
    }

    private void verifyList(VerifyScope scope, SnapshotFile file, Part part) throws IOException {
        if (file.info().received().isBefore(scope.since())) {
            return;
        }
        file.checkContent();
        Optional<SharedPages> shared = file.shared();
        for (int page = 0; page < file.pages(); page++) {
            if (shared.isEmpty() || seen.addFirst(shared.get().address(page))) {
                verifyPage(file, page, part);
            }
        }
    }

    private void verifyPage(SnapshotFile file, int page, Part part) throws IOException {
        try {
            verifyReferences(file.info().id(), file.page(page).references(), part);
        } catch (DamagedDataException e) {
            part.problem(e);
        }
    }

    private void verifyReferences(long id, List<Fingerprint> references, Part part) throws IOException {
        List<Optional<ChunkLocation>> found = repository.chunks().index().findAll(references);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).isEmpty()) {
                part.problem("snapshot " + id + ": chunk " + references.get(i) + " is missing from the index");
            }
        }
    }
}
