// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.catalogue.SnapshotFile;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.ChunkOpener;
import io.shredder.backup.protocol.ChunkOpener.BadChunkException;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Re-reads and re-digests what is kept, a part at a time so that the client can show progress and stop. All problems of a part are
 * found, not just the first.
 *
 * <p>The cursor of the whole repository is the number of the last container verified, and beyond those (from {@value #SNAPSHOTS} on)
 * the id of the last snapshot. A snapshot's cursor is a position in its list of pointers.
 */
final class Verification {

    private static final long SNAPSHOTS = 1L << 32;
    private static final int REFS_PER_PART = 1024;
    private static final int MAX_PROBLEMS = 1000;

    private final Repository repository;
    private final ContainerReader reader;
    private final ChunkOpener opener;

    private @Nullable List<Placed> byPlace;

    /** A chunk and where it is. */
    private record Placed(Fingerprint fingerprint, ChunkLocation location) {}

    Verification(Repository repository, ContainerReader reader, ChunkOpener opener) {
        this.repository = repository;
        this.reader = reader;
        this.opener = opener;
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
        List<ChunkRef> refs = snapshot.refs(cursor, REFS_PER_PART);
        Set<Fingerprint> seen = new HashSet<>();
        for (ChunkRef ref : refs) {
            if (seen.add(ref.fingerprint())) {
                verify(ref, part);
            }
        }
        long next = cursor + refs.size();
        return part.answer(next < snapshot.info().chunkCount() ? next : 0);
    }

    private void verify(ChunkRef ref, Part part) throws IOException {
        Optional<ChunkLocation> location = repository.chunks().index().find(ref.fingerprint());
        if (location.isEmpty()) {
            part.problem("chunk " + ref.fingerprint() + " is missing from the index");
        } else {
            verify(ref.fingerprint(), location.get(), part);
        }
    }

    /** What a collection has moved or taken away since is read where it is now, or not at all. */
    private void verify(Fingerprint fingerprint, ChunkLocation location, Part part) throws IOException {
        part.chunks++;
        part.bytes += location.plainBytes();
        try {
            Optional<StoredChunk> chunk = repository.chunks().read(fingerprint, reader);
            if (chunk.isPresent()) {
                opener.openChecked(chunk.get());
            }
        } catch (DamagedDataException e) {
            part.problem(String.valueOf(e.getMessage()));
        } catch (BadChunkException e) {
            part.problem(repository.chunks().containers().name(location.container()) + ": damaged at offset "
                    + location.offset() + ": " + e.getMessage());
        }
    }

    /** The next part of the repository: a container, or a snapshot's list. */
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
            return part.answer(0);
        }
        verifyList(snapshot.get(), part);
        return part.answer(SNAPSHOTS + snapshot.get());
    }

    private void verifyList(long id, Part part) throws IOException {
        try (SnapshotFile file = repository.catalogue().open(id).orElseThrow()) {
            file.checkContent();
            for (long from = 0; from < file.info().chunkCount(); from += REFS_PER_PART) {
                for (ChunkRef ref : file.refs(from, REFS_PER_PART)) {
                    if (repository.chunks().index().find(ref.fingerprint()).isEmpty()) {
                        part.problem("snapshot " + id + ": chunk " + ref.fingerprint() + " is missing from the index");
                    }
                }
            }
        } catch (DamagedDataException e) {
            part.problem(String.valueOf(e.getMessage()));
        }
    }
}
