// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.verify;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.agent.store.IndexedContainer;
import io.shredder.backup.agent.workers.Ahead;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a verification that read containers, by {@link Workers} ahead of the client that asks for one after
 * another: those of the whole repository, or of a snapshot. Who asks for another than the next begins anew. For one
 * thread.
 */
public final class PartsAhead implements Closeable {

    private final ChunkStore chunks;
    private final Workers workers;
    /** What reads; each in use by one thread, or here. */
    private final Queue<RegionCheck> idle = new ConcurrentLinkedQueue<>();

    private @Nullable Ahead<Piece> ahead;
    private @Nullable Object of;
    private long cursor;

    /**
     * A part that was read.
     *
     * @param nextCursor what the client asks for the next one with; 0 if there is none
     */
    public record Part(VerifiedPart shown, long nextCursor) {}

    /** What was read by one thread: a part, or a piece of one that goes on. */
    private record Piece(VerifiedPart shown, long nextCursor, boolean isLast) {}

    /** Checks something with what reads. */
    private interface Check {
        void run(RegionCheck regions) throws IOException;
    }

    public PartsAhead(ChunkStore chunks, Workers workers) {
        this.chunks = chunks;
        this.workers = workers;
    }

    /** The container of a plan after one, 0 for the first; empty if there is none. Its next cursor is its number. */
    public Optional<Part> ofContainer(VerificationPlan plan, int after) throws IOException {
        return next(plan, after, new ContainerPieces(plan, after));
    }

    /** The containers of a plan, piece by piece. */
    private final class ContainerPieces implements Ahead.Source<Piece> {

        private final VerificationPlan plan;
        private int container;
        private @Nullable IndexedContainer entries;
        private int nextPiece;

        ContainerPieces(VerificationPlan plan, int after) {
            this.plan = plan;
            this.container = after;
        }

        @Override
        public Optional<Ahead.Work<Piece>> next() throws IOException {
            if (entries == null || nextPiece == entries.pieces()) {
                Optional<Integer> next = plan.after(container);
                if (next.isEmpty()) {
                    return Optional.empty();
                }
                container = next.get();
                entries = plan.entries(container);
                nextPiece = 0;
            }
            IndexedContainer of = entries;
            int piece = nextPiece++;
            return Optional.of(stopped -> verify(of, piece, stopped));
        }
    }

    private Piece verify(IndexedContainer entries, int piece, BooleanSupplier stopped) throws IOException {
        VerifiedPart part = new VerifiedPart();
        check(regions -> {
            RegionCheck.Run run = regions.begin(part);
            entries.forEachRegion(piece, together -> {
                if (!stopped.getAsBoolean()) {
                    run.add(together);
                }
            });
            run.end();
        });
        return new Piece(part, entries.container(), piece == entries.pieces() - 1);
    }

    /** What a page of a snapshot's list needs; its next cursor is the next page. */
    public Optional<Part> ofPage(SnapshotFile snapshot, int page) throws IOException {
        int[] next = {page};
        return next(snapshot, page, () -> {
            if (next[0] == snapshot.pages()) {
                return Optional.empty();
            }
            int number = next[0]++;
            long nextCursor = next[0] < snapshot.pages() ? next[0] : 0;
            return Optional.of(verify(snapshot, number, nextCursor));
        });
    }

    private Ahead.Work<Piece> verify(SnapshotFile snapshot, int page, long nextCursor) throws IOException {
        VerifiedPart part = new VerifiedPart();
        try {
            List<Fingerprint> references = snapshot.page(page).references();
            return stopped -> {
                check(regions -> verify(references, regions, part, stopped));
                return new Piece(part, nextCursor, true);
            };
        } catch (DamagedDataException e) {
            part.problem(e);
            return stopped -> new Piece(part, nextCursor, true);
        }
    }

    private void verify(List<Fingerprint> references, RegionCheck regions, VerifiedPart part, BooleanSupplier stopped)
            throws IOException {
        List<ContainerHeads.Entry> entries = find(references, part);
        entries.sort(Comparator.comparing(entry -> entry.location().position()));
        RegionCheck.Run run = regions.begin(part);
        for (int from = 0; from < entries.size() && !stopped.getAsBoolean(); ) {
            int to = from + 1;
            while (to < entries.size()
                    && entries.get(to)
                            .location()
                            .position()
                            .equals(entries.get(from).location().position())) {
                to++;
            }
            run.add(entries.subList(from, to));
            from = to;
        }
        run.end();
    }

    private List<ContainerHeads.Entry> find(List<Fingerprint> references, VerifiedPart part) throws IOException {
        List<ContainerHeads.Entry> entries = new ArrayList<>();
        try {
            List<Optional<ChunkLocation>> found = chunks.index().findAll(references);
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
        return entries;
    }

    private void check(Check check) throws IOException {
        RegionCheck known = idle.poll();
        RegionCheck regions = known == null ? new RegionCheck(chunks) : known;
        try {
            check.run(regions);
        } finally {
            idle.add(regions);
        }
    }

    private Optional<Part> next(Object wanted, long at, Ahead.Source<Piece> source) throws IOException {
        if (ahead == null || of != wanted || cursor != at) {
            close();
            ahead = new Ahead<>(workers, source);
            of = wanted;
        }
        Optional<Part> part = Optional.empty();
        try {
            part = next(ahead);
            cursor = part.map(Part::nextCursor).orElse(0L);
        } finally {
            if (part.isEmpty() || cursor == 0) {
                close();
            }
        }
        return part;
    }

    private static Optional<Part> next(Ahead<Piece> ahead) throws IOException {
        VerifiedPart shown = new VerifiedPart();
        Optional<Piece> piece = ahead.next();
        while (piece.isPresent()) {
            shown.add(piece.get().shown());
            if (piece.get().isLast()) {
                return Optional.of(new Part(shown, piece.get().nextCursor()));
            }
            piece = ahead.next();
        }
        return Optional.empty();
    }

    /** Ends what is read ahead, and closes what reads. */
    @Override
    public void close() throws IOException {
        if (ahead != null) {
            ahead.close();
            ahead = null;
            of = null;
        }
        for (RegionCheck each = idle.poll(); each != null; each = idle.poll()) {
            each.close();
        }
    }
}
