// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.catalogue.SnapshotFile;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Re-reads and re-digests what is kept, a part at a time so that the client can show progress and stop. All problems of a part are
 * found, not just the first.
 *
 * <p>The cursor of the whole repository is the number of the last container verified, and beyond those (from {@value #SNAPSHOTS} on)
 * the id of the last snapshot. A snapshot's cursor is a page of its list, times the pointers a page, plus a position among its references.
 * Needs no key: what is digested is what is stored.
 */
final class Verification {

    private static final long SNAPSHOTS = 1L << 32;
    private static final int REFERENCES_PER_PART = 1024;
    private static final int MAX_PROBLEMS = 1000;

    private final Repository repository;
    private final ContainerReader reader;

    private @Nullable List<Placed> byPlace;

    /** A chunk and where it is. */
    private record Placed(Fingerprint fingerprint, ChunkLocation location) {}

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

        Answer.Verified answer(long nextCursor) {
            return new Answer.Verified(nextCursor, chunks, bytes, problems);
        }
    }

    /** The next part of a snapshot. */
    Answer.Verified next(SnapshotFile snapshot, long cursor) throws IOException {
        Part part = new Part();
        int page = (int) Math.min(Integer.MAX_VALUE, cursor / WireFormat.PAGE_POINTERS);
        if (page >= snapshot.pages()) {
            return part.answer(0);
        }
        List<Fingerprint> references = snapshot.page(page).references();
        int from = (int) Math.min(references.size(), cursor % WireFormat.PAGE_POINTERS);
        int to = Math.min(references.size(), from + REFERENCES_PER_PART);
        for (Fingerprint reference : references.subList(from, to)) {
            verify(reference, part);
        }
        if (to < references.size()) {
            return part.answer(cursor - from + to);
        }
        return part.answer(page + 1 < snapshot.pages() ? (page + 1L) * WireFormat.PAGE_POINTERS : 0);
    }

    private void verify(Fingerprint reference, Part part) throws IOException {
        Optional<ChunkLocation> location = repository.chunks().index().find(reference);
        if (location.isEmpty()) {
            part.problem("chunk " + reference + " is missing from the index");
        } else {
            verify(reference, location.get(), part);
        }
    }

    /** What a collection has moved or taken away since is read where it is now, or not at all. */
    private void verify(Fingerprint fingerprint, ChunkLocation location, Part part) throws IOException {
        part.chunks++;
        part.bytes += location.plainBytes();
        try {
            repository.chunks().read(fingerprint, reader);
        } catch (DamagedDataException e) {
            part.problem(String.valueOf(e.getMessage()));
        }
    }

    /** The next part of the repository: a container, or a snapshot's list; with the last, the audit log. */
    Answer.Verified next(long cursor) throws IOException {
        Part part = new Part();
        if (cursor == 0 || byPlace == null) {
            byPlace = placed();
        }
        if (cursor < SNAPSHOTS) {
            Optional<Placed> first = byPlace.stream()
                    .filter(placed -> placed.location().container() > cursor)
                    .findFirst();
            if (first.isPresent()) {
                int container = first.get().location().container();
                verifyContainer(byPlace, container, part);
                return part.answer(container);
            }
        }
        byPlace = null;
        return nextList(Math.max(0, cursor - SNAPSHOTS), part);
    }

    private List<Placed> placed() throws IOException {
        List<Placed> placed = new ArrayList<>();
        repository.chunks().index().forEach((fingerprint, location) -> placed.add(new Placed(fingerprint, location)));
        placed.sort(Comparator.comparing(entry -> entry.location().position()));
        return placed;
    }

    private void verifyContainer(List<Placed> all, int container, Part part) throws IOException {
        for (Placed placed : all) {
            if (placed.location().container() == container) {
                verify(placed.fingerprint(), placed.location(), part);
            }
        }
    }

    private Answer.Verified nextList(long afterId, Part part) throws IOException {
        Optional<Long> snapshot = repository.catalogue().next(afterId);
        if (snapshot.isEmpty()) {
            repository.audit().problems().forEach(part::problem);
            return part.answer(0);
        }
        verifyList(snapshot.get(), part);
        return part.answer(SNAPSHOTS + snapshot.get());
    }

    private void verifyList(long id, Part part) throws IOException {
        try (SnapshotFile file = repository.catalogue().open(id).orElseThrow()) {
            file.checkContent();
            for (int page = 0; page < file.pages(); page++) {
                verifyReferences(id, file.page(page).references(), part);
            }
        } catch (DamagedDataException e) {
            part.problem(String.valueOf(e.getMessage()));
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
