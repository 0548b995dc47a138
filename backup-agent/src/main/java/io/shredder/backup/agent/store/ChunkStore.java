// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.collect.CollectedChunks;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerHoles;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.container.ContainerWriters;
import io.shredder.backup.agent.container.OpenContainer;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.damage.DamagedChunks;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Containers and index together. A chunk can be found as soon as it is put; it is durable once a later {@link #sync}
 * returned. Safe for any number of threads: who puts waits for who puts the same chunk, or while there is no container
 * left to append to; who reads for nobody.
 */
public final class ChunkStore implements CollectedChunks, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ChunkStore.class);

    /** About what a chunk takes in the index. */
    private static final int ENTRY_BYTES = 50;

    private final ContainerFolder folder;
    private final FingerprintIndex index;
    private final ContainerWriters writers;
    private final DamagedChunks damaged;
    private final ContainerHoles holes;
    private final IndexGaps gaps;
    private final Claims claims = new Claims();

    private final StoreSync sync;

    /** Reads what is at a place. */
    @FunctionalInterface
    public interface PlaceReader<T> {
        T read(ChunkLocation at) throws IOException;
    }

    private ChunkStore(
            ContainerFolder folder,
            FingerprintIndex index,
            ContainerWriters writers,
            DamagedChunks damaged,
            ContainerHoles holes,
            IndexGaps gaps) {
        this.holes = holes;
        this.gaps = gaps;
        this.folder = folder;
        this.index = index;
        this.writers = writers;
        this.sync = new StoreSync(writers, index);
        this.damaged = damaged;
    }

    /**
     * Opens the store: takes up what a crash left after the index's last commit. Owns the index from now on.
     *
     * @param damage file in which damaged chunks are noted
     */
    public static ChunkStore open(ContainerFolder folder, FingerprintIndex index, Path damage, int containerBytes)
            throws IOException {
        ContainerPosition end = new TailRecovery(folder, index).recover();
        DamagedChunks damaged = DamagedChunks.open(damage, folder.repository(), index);
        ContainerHoles holes = ContainerHoles.open(folder);
        if (!folder.storage().isReadOnly()) {
            holes.resume(index::forEach);
        }
        return new ChunkStore(
                folder,
                index,
                new ContainerWriters(folder, containerBytes, end),
                damaged,
                holes,
                IndexGaps.of(DurableFiles.folderOf(damage)));
    }

    /** Says whether more may be stored. */
    @FunctionalInterface
    public interface Admission<E extends Exception> {
        /**
         * Of a region.
         *
         * @param plainBytes of its chunks together
         * @param diskBytes that it takes in its container and the index
         */
        void admit(long plainBytes, long diskBytes) throws IOException, E;
    }

    /**
     * Keeps the chunks of a region whose digests have been checked, but for those that are kept already and not
     * damaged.
     *
     * @param admission asked before anything is stored, and not if all is kept already
     * @return where each of them is
     */
    public <E extends Exception> Map<Fingerprint, ChunkLocation> put(StoredRegion region, Admission<E> admission)
            throws IOException, E {
        List<Fingerprint> fingerprints = region.fingerprints();
        claims.take(fingerprints);
        try {
            Map<Fingerprint, ChunkLocation> places = new LinkedHashMap<>();
            Set<Fingerprint> wanted = new LinkedHashSet<>();
            List<Optional<ChunkLocation>> found = index.findAll(fingerprints);
            for (int i = 0; i < fingerprints.size(); i++) {
                Fingerprint fingerprint = fingerprints.get(i);
                Optional<ChunkLocation> known = found.get(i);
                if (known.isPresent() && !damaged.contains(fingerprint, known.get())) {
                    places.put(fingerprint, known.get());
                } else {
                    wanted.add(fingerprint);
                }
            }
            if (!wanted.isEmpty()) {
                admission.admit(
                        StoredRegion.plainBytes(region.chunks()),
                        ContainerHeads.recordBytes(region.stored().length()) + (long) wanted.size() * ENTRY_BYTES);
                places.putAll(append(region, wanted));
                wanted.forEach(damaged::forget);
            }
            return places;
        } finally {
            claims.giveBack(fingerprints);
        }
    }

    /** The same, whatever is stored already. */
    public Map<Fingerprint, ChunkLocation> put(StoredRegion region) throws IOException {
        return this.<RuntimeException>put(region, (plain, disk) -> {});
    }

    /** Whether chunks that some snapshot needs may be damaged, or missing from the index, as far as is known. */
    public boolean mayLack() {
        return damaged.size() > 0 || gaps.mayHave();
    }

    @Override
    public void allFound() throws IOException {
        gaps.clear();
    }

    /** Where chunks are that can be pointed to: empty for those that are not kept, or known to be damaged. */
    public List<Optional<ChunkLocation>> findWhole(List<Fingerprint> asked) throws IOException {
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
        if (damaged.contains(fingerprint, at)) {
            return;
        }
        damaged.add(fingerprint, at);
        try (ContainerReader reader = newReader()) {
            List<Fingerprint> together = reader.chunksAt(at);
            List<Optional<ChunkLocation>> found = index.findAll(together);
            for (int i = 0; i < found.size(); i++) {
                if (isAt(found.get(i), at.position())) {
                    damaged.add(together.get(i), found.get(i).orElseThrow());
                }
            }
        } catch (IOException e) {
            LOG.warn("what else is in that record will be known when it is asked for: {}", e.getMessage());
        }
    }

    private static boolean isAt(Optional<ChunkLocation> found, ContainerPosition at) {
        return found.isPresent() && found.get().position().equals(at);
    }

    /** Waits for the disk, if it must be waited for before a region can be put: outside of what others wait for. */
    public void makeRoom(StoredRegion region) throws IOException {
        sync.makeRoom(region);
    }

    /** Appends a region for these of its chunks; the index has the others elsewhere. Returns where they are now. */
    private Map<Fingerprint, ChunkLocation> append(StoredRegion region, Set<Fingerprint> wanted) throws IOException {
        Optional<OpenContainer> taken = writers.take(region);
        while (taken.isEmpty()) {
            sync.makeRoom(region);
            taken = writers.take(region);
        }
        try {
            boolean partly = !wanted.containsAll(region.fingerprints());
            Map<Fingerprint, ChunkLocation> places = taken.get().append(region, partly);
            places.keySet().retainAll(wanted);
            index.putAll(places); // Before it is given back: a sync covers both or none.
            return places;
        } finally {
            writers.giveBack(taken.get());
        }
    }

    /**
     * Makes all chunks durable that were put before, by anybody: of clients that ask at once, one forces for all.
     * Containers first: the index is never ahead of them.
     */
    @Override
    public void sync() throws IOException {
        sync.all();
    }

    @Override
    public ContainerPosition end() {
        return writers.end();
    }

    @Override
    public ContainerPosition line() {
        return writers.line();
    }

    /** Whether a container may still grow. */
    public boolean mayGrow(int container) {
        return writers.isOpen(container);
    }

    @Override
    public void leave(int container) throws IOException {
        if (writers.leave(container)) {
            sync();
        }
    }

    @Override
    public void move(StoredRegion region, ContainerPosition from) throws IOException {
        List<Fingerprint> fingerprints = region.fingerprints();
        claims.take(fingerprints);
        try {
            Set<Fingerprint> here = new LinkedHashSet<>();
            for (Fingerprint fingerprint : fingerprints) {
                if (isAt(index.find(fingerprint), from)) {
                    here.add(fingerprint);
                }
            }
            if (!here.isEmpty()) {
                append(region, here);
            }
        } finally {
            claims.giveBack(fingerprints);
        }
    }

    @Override
    public void forget(Fingerprint fingerprint, ChunkLocation at) throws IOException {
        claims.take(List.of(fingerprint));
        try {
            if (index.find(fingerprint).filter(at::equals).isPresent()) {
                index.remove(fingerprint);
            }
        } finally {
            claims.giveBack(List.of(fingerprint));
        }
    }

    /**
     * Reads the region that a chunk is in, also if a collection moves it meanwhile.
     *
     * @return empty if it is not kept
     */
    public Optional<StoredRegion> read(Fingerprint fingerprint, ContainerReader reader) throws IOException {
        return read(fingerprint, index.find(fingerprint), at -> reader.read(fingerprint, at));
    }

    /**
     * Does with the place of a chunk what reads it, and again where a collection has moved it to meanwhile.
     *
     * @param at where the index has it
     */
    public <T> Optional<T> read(Fingerprint fingerprint, Optional<ChunkLocation> at, PlaceReader<T> reader)
            throws IOException {
        Optional<ChunkLocation> next = at;
        while (next.isPresent()) {
            try {
                show(next.get());
                return Optional.of(reader.read(next.get()));
            } catch (DamagedDataException e) {
                Optional<ChunkLocation> now = index.find(fingerprint);
                if (now.equals(next)) {
                    damaged(fingerprint, next.get());
                    throw e;
                }
                next = now;
            }
        }
        return Optional.empty();
    }

    /**
     * Where on this machine the regions are that these chunks are in, each once.
     *
     * @return empty if any chunk is not kept, or not on this machine
     */
    public Optional<List<RegionPlace>> regionPlaces(List<Fingerprint> asked) throws IOException {
        Set<ContainerPosition> listed = new HashSet<>();
        Map<Integer, Optional<Path>> containers = new HashMap<>();
        List<RegionPlace> places = new ArrayList<>();
        for (Optional<ChunkLocation> found : index.findAll(asked)) {
            if (found.isEmpty()) {
                return Optional.empty();
            }
            ChunkLocation at = found.get();
            if (listed.add(at.position())) {
                Optional<Path> container = containers.computeIfAbsent(
                        at.container(), number -> folder.storage().local(folder.name(number)));
                if (container.isEmpty()) {
                    return Optional.empty();
                }
                places.add(new RegionPlace(container.get(), at.offset(), ContainerReader.recordBytes(at)));
            }
        }
        return Optional.of(places);
    }

    /** Some storages let readers find only what was flushed. */
    public void show(ChunkLocation location) throws IOException {
        if (!writers.shows(location)) {
            writers.show(location.container());
        }
    }

    /** Chunks that were found to be damaged, and are neither brought anew nor gone. */
    public DamagedChunks damaged() {
        return damaged;
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
    public ContainerReader newReader() {
        return new ContainerReader(folder);
    }

    @Override
    public void close() throws IOException {
        try (index;
                writers;
                damaged;
                sync) {
            sync();
            holes.end();
        }
    }
}
