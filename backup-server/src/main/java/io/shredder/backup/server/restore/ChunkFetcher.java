// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.RegionPlaces;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.RegionOpener;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.snapshot.RegionBounds;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.backup.server.targets.ImageFile;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fetches chunks, opens and proves them, some at a time, on a few threads of its own. The agent doesn't digest what it
 * sends; of a chunk that can't be proved it is asked again, and digests: so it is the agent who says where the damage
 * is, and remembers.
 */
public final class ChunkFetcher implements AutoCloseable {

    /** Chunks of so many bytes are asked for together, and all up to where a region is likely to end. */
    private static final int LEAST_FETCH_BYTES = 256 << 10;

    private final AgentClient agent;
    private final Supplier<RegionOpener> openers;

    /** Where regions are to be had where they lie; none if all are to be fetched. */
    private final Optional<RegionPlaces> places;

    private final Queue<RegionOpener> idle = new ConcurrentLinkedQueue<>();

    /** The last used is taken first: a cache still has it. */
    private final Deque<ByteBuffer> free = new ConcurrentLinkedDeque<>();

    private final OpenerThreads threads;
    private final StageTime time;

    /** Chunks that are proved; {@link #close} when they are not needed any more. */
    public final class Fetched implements AutoCloseable {
        private final List<StoredRegion> sealed;
        private final ByteBuffer memory;
        private final ByteBuffer plain;

        private Fetched(List<StoredRegion> sealed, ByteBuffer memory, ByteBuffer plain) {
            this.sealed = sealed;
            this.memory = memory;
            this.plain = plain;
        }

        /** Their plain bytes, back to back from index 0 on; direct. */
        public ByteBuffer plain() {
            return plain;
        }

        /** The regions that they were fetched in, until {@link #close}. */
        public List<StoredRegion> sealed() {
            return sealed;
        }

        @Override
        public void close() {
            free.push(memory);
            agent.giveBack(sealed);
        }
    }

    /** Fetches chunks with identities of any digest, then looks at their regions. The connection stays the caller's. */
    public ChunkFetcher(AgentClient agent, RepositoryKey key, Cores cores) {
        this(agent, () -> RegionOpener.create(key, Optional.empty()), cores, new StageTime("opening"));
    }

    /**
     * The quick way for chunks whose identities are made of this digest; reads them where they lie, if that is on this
     * machine. The connection stays the caller's.
     */
    public ChunkFetcher(AgentClient agent, RepositoryKey key, DigestAlgorithm digest, Cores cores, StageTime time) {
        this(agent, () -> RegionOpener.create(key, Optional.of(digest)), cores, time);
    }

    private ChunkFetcher(AgentClient agent, Supplier<RegionOpener> openers, Cores cores, StageTime time) {
        this.time = time;
        agent.allowConnections(cores.chunkConnections());
        this.agent = agent;
        this.openers = openers;
        RegionOpener first = openers.get();
        idle.add(first);
        places = first.readsPlaces() ? agent.places() : Optional.empty();
        threads = new OpenerThreads(cores, places.isEmpty());
    }

    /** From now on what is chained to {@link #fetch} waits for a disk, or doesn't. */
    void writesWait(boolean forDisk) {
        threads.someSleep(forDisk || places.isEmpty());
    }

    /**
     * Fetches and opens these chunks; waits while the connection has no room for more. What is chained to the future
     * runs on an opener's thread.
     *
     * @param refs each once
     * @param position their bytes begin as far behind the beginning of a block in memory as this is behind that of one
     *     in an image
     */
    public CompletableFuture<Fetched> fetch(List<ChunkRef> refs, long position) {
        int offset = (int) (position % ImageFile.BLOCK_BYTES);
        if (places.isPresent()) {
            return places.get()
                    .find(refs.stream().map(ChunkRef::fingerprint).toList())
                    .handleAsync((found, missing) -> time.called(() -> readHere(refs, offset, found)), threads);
        }
        List<CompletableFuture<List<StoredRegion>>> fetched = ask(refs);
        return CompletableFuture.allOf(fetched.toArray(CompletableFuture[]::new))
                .thenApplyAsync(all -> time.called(() -> opened(refs, offset, fetched)), threads);
    }

    /** @param found not known if not all could be found */
    private Fetched readHere(List<ChunkRef> refs, int offset, @Nullable List<RegionPlace> found) {
        if (found != null) {
            int bytes = (int) StoredRegion.plainBytes(refs);
            ByteBuffer memory = memory(offset + bytes);
            ByteBuffer plain = memory.slice(offset, bytes);
            if (openAt(refs, found, plain)) {
                return new Fetched(List.of(), memory, plain);
            }
            free.push(memory);
        }
        return opened(refs, offset, ask(refs));
    }

    private List<CompletableFuture<List<StoredRegion>>> ask(List<ChunkRef> refs) {
        List<CompletableFuture<List<StoredRegion>>> fetched = new ArrayList<>();
        int from = 0;
        int bytes = 0;
        for (int i = 0; i < refs.size(); i++) {
            bytes += refs.get(i).length();
            boolean enough = bytes >= LEAST_FETCH_BYTES && RegionBounds.endBehind(refs.get(i));
            if (enough || i + 1 == refs.size()) {
                fetched.add(agent.fetchMany(refs.subList(from, i + 1)));
                from = i + 1;
                bytes = 0;
            }
        }
        return fetched;
    }

    private Fetched opened(List<ChunkRef> refs, int offset, List<CompletableFuture<List<StoredRegion>>> fetched) {
        List<StoredRegion> regions = new ArrayList<>();
        fetched.forEach(part -> regions.addAll(part.join()));
        int bytes = (int) StoredRegion.plainBytes(refs);
        ByteBuffer memory = memory(offset + bytes);
        ByteBuffer plain = memory.slice(offset, bytes);
        try {
            prove(refs, regions, plain);
            return new Fetched(regions, memory, plain);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private ByteBuffer memory(int bytes) {
        ByteBuffer known = free.poll();
        return known != null && known.capacity() >= bytes
                ? known
                : ImageFile.aligned(Math.max(bytes, RestoreBatch.MAX_BYTES + ImageFile.BLOCK_BYTES));
    }

    /** Opens all, and asks again, once each, for those that can't be proved. */
    private void prove(List<ChunkRef> refs, List<StoredRegion> regions, ByteBuffer memory) throws IOException {
        Set<ChunkRef> asked = new HashSet<>();
        while (true) {
            fetchLeftOut(refs, regions);
            try {
                open(refs, regions, memory);
                return;
            } catch (BadChunkException e) {
                StoredRegion bad = regionOf(e.chunk(), regions);
                ChunkRef ref = wantedOf(bad, e.chunk(), refs);
                if (!asked.add(ref)) {
                    throw new IOException(
                            e.getMessage() + ", as the agent sent it: run 'shredder-backup verify' to see where", e);
                }
                regions.remove(bad);
                regions.add(checkAsked(ref, Answers.await(agent.fetch(ref))));
            }
        }
    }

    /** Asks for what did not fit into an answer, which is seldom: where chunks that lie together were stored apart. */
    private void fetchLeftOut(List<ChunkRef> refs, List<StoredRegion> regions) throws IOException {
        List<ChunkRef> leftOut = leftOut(refs, regions);
        while (!leftOut.isEmpty()) {
            regions.addAll(Answers.await(agent.fetchMany(leftOut)));
            List<ChunkRef> still = leftOut(leftOut, regions);
            if (still.size() == leftOut.size()) {
                throw new IOException("the agent sent other chunks for chunk "
                        + leftOut.get(0).fingerprint() + ": run 'shredder-backup verify'");
            }
            leftOut = still;
        }
    }

    private static List<ChunkRef> leftOut(List<ChunkRef> refs, List<StoredRegion> regions) {
        Set<ChunkRef> there = new HashSet<>();
        regions.forEach(region -> there.addAll(region.chunks()));
        return refs.stream().filter(ref -> !there.contains(ref)).toList();
    }

    private static StoredRegion regionOf(Fingerprint chunk, List<StoredRegion> regions) {
        return regions.stream()
                .filter(region -> region.fingerprints().contains(chunk))
                .findFirst()
                .orElseThrow();
    }

    /** A chunk of a bad region that is wanted: the one that is bad, or if that is another, the first. */
    private static ChunkRef wantedOf(StoredRegion bad, Fingerprint chunk, List<ChunkRef> refs) {
        Set<ChunkRef> wanted = new HashSet<>(refs);
        List<ChunkRef> here = bad.chunks().stream().filter(wanted::contains).toList();
        return here.stream()
                .filter(ref -> ref.fingerprint().equals(chunk))
                .findFirst()
                .orElseGet(() -> here.get(0));
    }

    private static StoredRegion checkAsked(ChunkRef expected, StoredRegion region) throws IOException {
        if (!region.chunks().contains(expected)) {
            throw new IOException("the agent sent chunk " + region.first().fingerprint() + " for chunk "
                    + expected.fingerprint() + ": run 'shredder-backup verify'");
        }
        return region;
    }

    private void open(List<ChunkRef> refs, List<StoredRegion> regions, ByteBuffer memory)
            throws BadChunkException, IOException {
        RegionOpener opener = opener();
        try {
            opener.open(refs, regions, memory);
        } finally {
            idle.add(opener);
        }
    }

    private boolean openAt(List<ChunkRef> refs, List<RegionPlace> found, ByteBuffer memory) {
        RegionOpener opener = opener();
        try {
            return opener.openAt(refs, found, memory);
        } finally {
            idle.add(opener);
        }
    }

    private RegionOpener opener() {
        RegionOpener taken = idle.poll();
        return taken == null ? openers.get() : taken;
    }

    @Override
    public void close() {
        threads.close();
        idle.forEach(RegionOpener::close);
    }
}
