// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one session keeps alive that no snapshot of the catalogue does: the open draft's chunks, those that the client
 * was told are there and that it has not yet pointed to, and the snapshot that it is reading, also once that is pruned.
 * Its methods are called by the session, within {@link CollectionGate#held}, and by a collection.
 *
 * <p>There are promises only while a draft is open. A promise ends when the draft points to the chunk, when the draft
 * ends, or after {@value #MAX_PROMISES} newer ones, or {@value #FAIR_PROMISES} while all sessions together have more
 * than {@value #MANY_PROMISES}: that bounds memory, and a client that points to the chunk later than that is told to
 * send it again.
 */
public final class LiveRoots implements Closeable {

    private static final int MAX_PROMISES = 1 << 17;
    private static final int FAIR_PROMISES = 1 << 13;
    private static final int MANY_PROMISES = 1 << 18;

    private final CollectionGate gate;
    private final Set<Fingerprint> promised = new LinkedHashSet<>();
    private @Nullable SnapshotDraft draft;
    private @Nullable SnapshotFile reading;

    LiveRoots(CollectionGate gate) {
        this.gate = gate;
    }

    /** The client will be told that these chunks are there, where they are. */
    public synchronized void promise(List<Fingerprint> asked, List<Optional<ChunkLocation>> found) {
        for (int i = 0; i < asked.size(); i++) {
            if (found.get(i).isPresent()) {
                promise(asked.get(i), found.get(i).get());
            }
        }
    }

    /** The client will be told that this chunk is there. */
    public synchronized void promise(Fingerprint fingerprint, ChunkLocation location) {
        gate.found(location);
        if (draft == null) {
            return;
        }
        if (promised.add(fingerprint)) {
            int all = gate.countPromises(1);
            if (promised.size() > (all > MANY_PROMISES ? FAIR_PROMISES : MAX_PROMISES)) {
                Iterator<Fingerprint> oldest = promised.iterator();
                oldest.next();
                oldest.remove();
                gate.countPromises(-1);
            }
        }
    }

    /** The draft will point to these chunks, which were found here. */
    public synchronized void pointedTo(List<Fingerprint> fingerprints, List<Optional<ChunkLocation>> found) {
        found.forEach(location -> location.ifPresent(gate::found));
        int before = promised.size();
        fingerprints.forEach(promised::remove);
        gate.countPromises(promised.size() - before);
    }

    /** A draft has begun. */
    public synchronized void draftBegins(SnapshotDraft begun) {
        draft = begun;
    }

    /** The draft is published or dropped. */
    public synchronized void draftEnds() {
        draft = null;
        gate.countPromises(-promised.size());
        promised.clear();
    }

    /** The client reads this snapshot now, or none. */
    public synchronized void reads(@Nullable SnapshotFile file) {
        reading = file;
    }

    synchronized List<Fingerprint> promised() {
        return List.copyOf(promised);
    }

    synchronized Optional<SnapshotDraft> draft() {
        return Optional.ofNullable(draft);
    }

    synchronized Optional<SnapshotFile> reading() {
        return Optional.ofNullable(reading);
    }

    synchronized boolean isReading(SnapshotFile file) {
        return reading == file;
    }

    /** The session has ended. */
    @Override
    public void close() {
        gate.forget(this);
        draftEnds();
    }
}
