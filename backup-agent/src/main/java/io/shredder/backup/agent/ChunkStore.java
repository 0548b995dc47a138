// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.collect.CollectedChunks;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerHoles;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.container.ContainerWriter;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.damage.DamagedChunks;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Containers and index together. A chunk can be found as soon as it is put; it is durable once a later {@link #sync} returned. Safe for any
 * number of threads: writers wait for each other, readers for nobody.
 */
final class ChunkStore implements CollectedChunks, Closeable {

    private final ContainerFolder folder;
    private final FingerprintIndex index;
    private final ContainerWriter writer;
    private final DamagedChunks damaged;
    private final ContainerHoles holes;

    /** Reads what is at a place. */
    @FunctionalInterface
    private interface PlaceReader<T> {
        T read(ChunkLocation at) throws IOException;
    }

    private ChunkStore(
            ContainerFolder folder,
            FingerprintIndex index,
            ContainerWriter writer,
            DamagedChunks damaged,
            ContainerHoles holes) {
        this.holes = holes;
        this.folder = folder;
        this.index = index;
        this.writer = writer;
        this.damaged = damaged;
    }

    /**
     * Opens the store: takes up what a crash left after the index's last commit. Owns the index from now on.
     *
     * @param damage file in which damaged chunks are noted
     */
    static ChunkStore open(ContainerFolder folder, FingerprintIndex index, Path damage, int containerBytes)
            throws IOException {
        ContainerPosition end = new TailRecovery(folder, index).recover();
        DamagedChunks damaged = DamagedChunks.open(damage, folder.repository(), index);
        ContainerHoles holes = ContainerHoles.open(folder);
        holes.resume(index::forEach);
        return new ChunkStore(folder, index, new ContainerWriter(folder, containerBytes, end), damaged, holes);
    }

    /** Keeps a chunk whose digests have been checked, unless it is kept already and not damaged. Returns where it is. */
    synchronized ChunkLocation put(StoredChunk chunk) throws IOException {
        Fingerprint fingerprint = chunk.ref().fingerprint();
        Optional<ChunkLocation> known = index.find(fingerprint);
        if (known.isPresent() && !damaged.contains(fingerprint, known.get())) {
            return known.get();
        }
        ChunkLocation location = append(chunk);
        damaged.forget(fingerprint);
        return location;
    }

    /** Where chunks are that can be pointed to: empty for those that are not kept, or known to be damaged. */
    List<Optional<ChunkLocation>> findWhole(List<Fingerprint> asked) throws IOException {
        List<Optional<ChunkLocation>> found = index.findAll(asked);
        if (damaged.size() == 0) {
            return found;
        }
        List<Optional<ChunkLocation>> whole = new ArrayList<>(found.size());
        for (int i = 0; i < found.size(); i++) {
            Fingerprint fingerprint = asked.get(i);
            whole.add(found.get(i).filter(location -> !damaged.contains(fingerprint, location)));
        }
        return whole;
    }

    @Override
    public void damaged(Fingerprint fingerprint, ChunkLocation at) {
        damaged.add(fingerprint, at);
    }

    private ChunkLocation append(StoredChunk chunk) throws IOException {
        if (writer.startsNewContainer(chunk)) {
            sync();
        }
        ChunkLocation location = writer.append(chunk);
        index.put(chunk.ref().fingerprint(), location);
        return location;
    }

    /**
     * Makes all chunks durable that were put before, by anybody: of clients that ask at once, the first forces for all. Containers first: the
     * index is never ahead of them.
     */
    @Override
    public synchronized void sync() throws IOException {
        if (!writer.end().equals(index.covered())) {
            writer.force();
        }
        index.commit(writer.end());
    }

    @Override
    public synchronized ContainerPosition end() {
        return writer.end();
    }

    @Override
    public synchronized void leave(int container) throws IOException {
        if (writer.end().container() == container) {
            sync();
            writer.leave();
            sync();
        }
    }

    @Override
    public synchronized void move(StoredChunk chunk, ChunkLocation from) throws IOException {
        if (isAt(chunk.ref().fingerprint(), from)) {
            append(chunk);
        }
    }

    @Override
    public synchronized void forget(Fingerprint fingerprint, ChunkLocation at) throws IOException {
        if (isAt(fingerprint, at)) {
            index.remove(fingerprint);
        }
    }

    private boolean isAt(Fingerprint fingerprint, ChunkLocation location) throws IOException {
        return index.find(fingerprint).filter(location::equals).isPresent();
    }

    /**
     * Reads a chunk, also if a collection moves it meanwhile.
     *
     * @return empty if it is not kept
     */
    Optional<StoredChunk> read(Fingerprint fingerprint, ContainerReader reader) throws IOException {
        return read(fingerprint, at -> reader.read(fingerprint, at));
    }

    /** The same without the digest of the stored bytes: damage in them is not found here. */
    Optional<ContainerReader.Unproved> readUnproved(Fingerprint fingerprint, ContainerReader reader)
            throws IOException {
        return read(fingerprint, at -> reader.readUnproved(fingerprint, at));
    }

    private <T> Optional<T> read(Fingerprint fingerprint, PlaceReader<T> reader) throws IOException {
        Optional<ChunkLocation> at = index.find(fingerprint);
        while (at.isPresent()) {
            try {
                show(at.get());
                return Optional.of(reader.read(at.get()));
            } catch (DamagedDataException e) {
                Optional<ChunkLocation> now = index.find(fingerprint);
                if (now.equals(at)) {
                    damaged.add(fingerprint, at.get());
                    throw e;
                }
                at = now;
            }
        }
        return Optional.empty();
    }

    /** Some storages let readers find only what was flushed. */
    private void show(ChunkLocation location) throws IOException {
        if (!writer.shows(location)) {
            synchronized (this) {
                writer.show();
            }
        }
    }

    @Override
    public FingerprintIndex index() {
        return index;
    }

    @Override
    public ContainerFolder containers() {
        return folder;
    }

    @Override
    public ReleasableSpace space() {
        return holes;
    }

    /** A new reader; whoever asks closes it. */
    ContainerReader newReader() {
        return new ContainerReader(folder);
    }

    @Override
    public synchronized void close() throws IOException {
        try (index;
                writer;
                damaged) {
            sync();
            holes.end();
        }
    }
}
