// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.file.SpaceReserve;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One collection by mark and sweep, a step at a time, beside running backups and restores:
 * {@code docs/COLLECTION.md}.
 *
 * <ol>
 *   <li>Begin: with all sessions held for a moment, draw the line behind which everything lives.
 *   <li>Mark every chunk that a snapshot, an open draft, a promise to a client or a snapshot that is being read needs.
 *       What sessions find meanwhile they mark themselves.
 *   <li>Delete packs of pages that no list needs.
 *   <li>Plan: which containers hold how much garbage.
 *   <li>Release it where it lies, if the file system can make holes: take it from the index, make that durable, punch.
 *   <li>Sweep containers that hold so much other garbage that they should go: copy out what lives, make that durable,
 *       take the rest from the index, make that durable, delete the files.
 *   <li>Where files can't be deleted for a while: protect those anew that are left.
 * </ol>
 *
 * <p>No clock and no file time is asked. Whatever step a crash interrupts, what is left over is garbage that the next
 * collection finds. Nothing is swept unless every snapshot could be read whole and all its chunks are in the index. One
 * thread at a time; at most one collection a gate.
 */
public final class GarbageCollection implements Closeable {

    /**
     * What to do.
     *
     * @param minGarbagePercent containers with less garbage than that, but for what can be released, are not copied,
     *     unless nothing in them lives
     * @param dryRun only mark and count
     */
    public record Settings(int minGarbagePercent, boolean dryRun) {

        /** As much garbage as may stay where nobody says anything else. */
        public static final int USUAL_PERCENT = 20;

        /** Refuses percentages out of range. */
        public Settings {
            if (minGarbagePercent < 0 || minGarbagePercent > 100) {
                throw new IllegalArgumentException("least garbage " + minGarbagePercent + " % is not from 0 to 100");
            }
        }
    }

    private final CollectionGate gate;
    private final Settings settings;
    private final CollectedChunks chunks;
    private final ChunkMarks marks;
    private final Marking marking;
    private final SpaceRelease release;
    private final Sweep sweep;
    private final DeadPacks packs;
    private final Protection protection;
    private SweepPlan plan = SweepPlan.EMPTY;

    private GarbageCollection(
            CollectionGate gate,
            CollectedChunks chunks,
            Catalogue catalogue,
            AuditLog audit,
            SpaceReserve reserve,
            Settings settings,
            ChunkMarks marks) {
        this.gate = gate;
        this.settings = settings;
        this.chunks = chunks;
        this.marks = marks;
        this.marking = new Marking(gate, chunks, catalogue, marks);
        this.release = new SpaceRelease(gate, chunks, audit, reserve, marks, settings.minGarbagePercent());
        this.sweep = new Sweep(gate, chunks, audit, reserve, marks);
        this.packs = new DeadPacks(gate, catalogue.packs(), audit, marking::isNeeded);
        this.protection = new Protection(chunks.containers().storage());
    }

    /** Begins a collection; empty if one is under way. */
    public static Optional<GarbageCollection> begin(
            CollectionGate gate,
            CollectedChunks chunks,
            Catalogue catalogue,
            AuditLog audit,
            SpaceReserve reserve,
            Settings settings)
            throws IOException {
        return gate.alone(() -> {
            ChunkMarks marks = new ChunkMarks(chunks.line());
            return gate.begin(marks)
                    ? Optional.of(new GarbageCollection(gate, chunks, catalogue, audit, reserve, settings, marks))
                    : Optional.empty();
        });
    }

    /**
     * Does the next step, some seconds of work at most.
     *
     * @throws IOException if something needed can't be read, or the disk fails or is full; the collection is over then,
     *     and what was not swept is as it was
     */
    public CollectionProgress step() throws IOException {
        List<String> problems = new ArrayList<>();
        if (!marking.isDone()) {
            marking.step();
        } else if (!plan.isMade()) {
            chunks.allFound();
            if (settings.dryRun() || packs.deleteSome()) {
                plan = SweepPlan.make(chunks, marks, settings.minGarbagePercent());
            }
        } else if (plan.hasWindow()) {
            release.window(plan);
        } else if (!plan.isEmpty()) {
            sweep.containers(plan.nextGroup(), problems);
        } else {
            protection.step();
        }
        boolean done = plan.isMade() && (settings.dryRun() || (plan.isEmpty() && protection.isDone()));
        return new CollectionProgress(
                done,
                marking.markedChunks(),
                plan.garbageBytes(),
                release.freedBytes() + sweep.freedBytes(),
                sweep.copiedBytes(),
                sweep.deletedContainers(),
                plan.size(),
                problems);
    }

    /** Ends the collection, done or not. */
    @Override
    public void close() throws IOException {
        try (marking) {
            gate.alone(() -> {
                gate.end();
                return true;
            });
        }
    }
}
