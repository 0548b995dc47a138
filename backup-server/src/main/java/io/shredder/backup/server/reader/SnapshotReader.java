// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.server.restore.ChunkFetcher;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.ChunkingParams;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A snapshot's image at any offset, proved as a restore proves it, without restoring it. What is read is fetched,
 * opened and kept in a bounded cache. An agent that goes away is waited for; damage hurts the bytes that it is under
 * and no others. Opening takes a moment, however long the image is: its list is read in the background, front to back,
 * and whoever reads behind where that has come waits for it.
 *
 * <p>Safe for any number of threads, which block until they have what they read. Threads of its own: {@code
 * reader-list}, {@code reader-fetch}, {@code reader-ahead}, {@code reader-damage}, {@code reader-close}, and those of a
 * {@link ChunkFetcher}.
 */
public final class SnapshotReader implements Closeable {

    /** Of one read so much is asked for before the first bytes are there. */
    private static final long TOGETHER_BYTES = 8 << 20;

    /** A stretch that was fetched may be gone from the cache before it is read, but not again and again. */
    private static final int MOST_TRIES = 1_000;

    private static final int MOST_AHEAD_TASKS = 16;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();

    private final SnapshotInfo snapshot;
    private final AgentLink link;
    private final ListIndex index;
    private final StretchCache cache;
    private final DamageFinder damage;
    private final StretchFetches fetches;
    private final SequentialReads readAhead;
    private final long mostAheadBytes;
    private final ExecutorService ahead = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "reader-ahead");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger aheadTasks = new AtomicInteger();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /**
     * Opens a snapshot that its series' proof has chosen.
     *
     * @param first connection, which the reader closes; the caller does if this fails
     * @param again gives another connection to the same agent, when one is lost
     * @param lines gets a line for each damaged range, once
     * @throws IOException also if the key does not prove the snapshot
     */
    public SnapshotReader(
            AgentClient first,
            AgentSource again,
            RepositoryKey key,
            SnapshotInfo snapshot,
            ReaderOptions options,
            Consumer<String> lines)
            throws IOException {
        this.snapshot = snapshot;
        SnapshotOpener opener = new SnapshotOpener(key, snapshot);
        SnapshotSummary summary = opener.summary();
        SnapshotList list = SnapshotList.of(first, snapshot);
        ChunkingParams params = summary.params();
        StageTime opening = new StageTime("opening");
        AgentLink.Fetchers fetchers = agent -> new ChunkFetcher(agent, key, params.digest(), options.cores(), opening);
        this.link = new AgentLink(first, list, again, fetchers, options.patience());
        this.index = new ListIndex(
                link, snapshot, opener, zeros(key, params), options.patience().toNanos());
        this.cache = new StretchCache(options.cacheBytes());
        this.damage = new DamageFinder(cache, SnapshotText.name(snapshot), lines);
        this.fetches = new StretchFetches(link, cache, options, damage);
        this.mostAheadBytes = options.cacheBytes() / 2;
        this.readAhead = new SequentialReads(options.readAheadBytes());
        index.start();
    }

    /** The chunk that a long run of zeros is cut into. */
    private static ChunkRef zeros(RepositoryKey key, ChunkingParams params) throws IOException {
        ByteBuffer plain = ByteBuffer.allocate(params.maxBytes());
        return new ChunkRef(params.maxBytes(), new ChunkIdentity(key, params.digest()).ofData(plain));
    }

    /** Which snapshot it is. */
    public SnapshotInfo snapshot() {
        return snapshot;
    }

    /** The image's length in bytes. */
    public long size() {
        return snapshot.imageBytes();
    }

    /**
     * Fills the buffer with the image's bytes from an offset on.
     *
     * @throws DamagedRangeException if some of them are damaged; the buffer holds all before the first of these, or
     *     less
     * @throws IOException if the agent is away for too long, or the list is damaged
     */
    public void read(long offset, ByteBuffer into) throws IOException {
        Objects.checkFromIndexSize(offset, into.remaining(), size());
        int bytes = into.remaining();
        for (long at = offset, end = offset + bytes; at < end; ) {
            Stretch stretch = askFor(at, Math.min(end, at + TOGETHER_BYTES));
            int count = (int) Math.min(stretch.end() - at, end - at);
            ByteBuffer part = into.slice(into.position(), count);
            if (stretch.isHole()) {
                fillWithZeros(part);
            } else {
                copy(stretch, (int) (at - stretch.start()), part);
            }
            into.position(into.position() + count);
            at += count;
        }
        readBytes.add(bytes);
        fetchAhead(readAhead.saw(offset, bytes));
    }

    /** Has all of it fetched that is neither here nor on its way; returns the first stretch. */
    private Stretch askFor(long from, long to) throws IOException {
        Stretch first = stretchAt(from);
        for (Stretch stretch = first; ; stretch = stretchAt(stretch.end())) {
            if (!stretch.isHole() && !cache.has(stretch.start())) {
                var unused = fetches.want(stretch);
            }
            if (stretch.end() >= to) {
                return first;
            }
        }
    }

    private Stretch stretchAt(long offset) throws IOException {
        return index.pageAt(offset).stretchAt(offset);
    }

    private void copy(Stretch stretch, int from, ByteBuffer part) throws IOException {
        if (cache.read(stretch.start(), from, part)) {
            hits.increment();
            return;
        }
        misses.increment();
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Answers.await(fetches.want(stretch));
            if (cache.read(stretch.start(), from, part)) {
                return;
            }
        }
        throw new IOException("the cache is too small for what is read at once: give it more");
    }

    private static void fillWithZeros(ByteBuffer part) {
        while (part.hasRemaining()) {
            part.put(ZEROS.slice(0, Math.min(part.remaining(), ZEROS.capacity())));
        }
    }

    /** The same at once, for bytes that somebody reads in a moment, as far as it is known where they are. */
    public void expect(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, size());
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            Optional<ImagePage> page = index.pageIfKept(at);
            if (page.isEmpty()) {
                return;
            }
            Stretch stretch = page.get().stretchAt(at);
            if (!stretch.isHole() && !cache.has(stretch.start())) {
                var unused = fetches.want(stretch);
            }
            at = stretch.end();
        }
    }

    /** Has bytes fetched that may be read, as far as the cache's half has room for them; doesn't wait. */
    public void prefetch(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, size());
        fetchAhead(new SequentialReads.Range(offset, offset + Math.min(bytes, mostAheadBytes)));
    }

    private void fetchAhead(SequentialReads.Range range) {
        if (range.isEmpty() || range.from() >= size() || aheadTasks.get() >= MOST_AHEAD_TASKS) {
            return;
        }
        aheadTasks.incrementAndGet();
        try {
            ahead.execute(() -> {
                aheadTasks.decrementAndGet();
                prepare(range.from(), Math.min(range.to(), size()));
            });
        } catch (RejectedExecutionException e) {
            aheadTasks.decrementAndGet(); // Closed.
        }
    }

    private void prepare(long from, long to) {
        try {
            for (long at = from; at < to; ) {
                Stretch stretch = stretchAt(at);
                if (!stretch.isHole() && !cache.has(stretch.start())) {
                    fetches.prepare(stretch);
                }
                at = stretch.end();
            }
        } catch (IOException e) {
            // Whoever reads there gets the error.
        }
    }

    /**
     * What is a hole and what isn't, from an offset on, in order and without a gap. Neighbours differ.
     *
     * @param bytes to look at, at least 1
     * @param most extents; with fewer than all, what is behind the last is not told
     */
    public List<ImageExtent> extents(long offset, long bytes, int most) throws IOException {
        Objects.checkFromIndexSize(offset, bytes, size());
        List<ImageExtent> extents = new ArrayList<>();
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            ImageExtent next = index.pageAt(at).extentAt(at);
            long to = Math.min(next.end(), end);
            Optional<ImageExtent> last =
                    extents.isEmpty() ? Optional.empty() : Optional.of(extents.get(extents.size() - 1));
            if (last.isPresent() && last.get().isHole() == next.isHole()) {
                ImageExtent joined =
                        new ImageExtent(last.get().offset(), to - last.get().offset(), next.isHole());
                extents.set(extents.size() - 1, joined);
            } else if (extents.size() == most) {
                return extents;
            } else {
                extents.add(new ImageExtent(at, to - at, next.isHole()));
            }
            at = to;
        }
        return extents;
    }

    /** What it did so far. */
    public ReaderFigures figures() {
        return new ReaderFigures(
                readBytes.sum(), link.receivedBytes(), hits.sum(), misses.sum(), link.answers(), link.reconnections());
    }

    /** Ends all threads and connections; reads that wait fail. */
    @Override
    public void close() {
        index.close();
        fetches.close();
        damage.close();
        ahead.shutdownNow();
        link.close();
        cache.close();
    }
}
