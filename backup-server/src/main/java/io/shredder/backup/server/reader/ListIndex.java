// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a snapshot's list has which bytes of the image. Pages don't say where they begin, so a thread,
 * {@code reader-list}, reads the list once, front to back, and keeps where each page begins: eight bytes. Pages
 * themselves are kept as far as there is room, and fetched again if need be. Whoever asks for what has not been seen
 * yet waits. Safe for several threads.
 */
final class ListIndex implements Closeable {

    private static final int PAGES_AHEAD = 16;

    /** Of opened pages: about 30 MB of the heap. */
    private static final int MOST_WEIGHT = 200_000;

    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(2);

    private final AgentLink link;
    private final SnapshotInfo snapshot;
    private final SnapshotOpener opener;
    private final ChunkRef zeros;
    private final int count;
    private final long patienceNs;

    /** By number, the last used last. */
    private final LinkedHashMap<Integer, ImagePage> pages = new LinkedHashMap<>(16, 0.75f, true);

    private int weight;

    /** Where pages begin, and at {@code known} where the last that was seen ends. */
    private long[] starts = new long[64];

    private int known;
    private long pointers;
    private boolean scanning;
    private boolean closed;
    private @Nullable IOException failure;
    private long failedNs;

    ListIndex(AgentLink link, SnapshotInfo snapshot, SnapshotOpener opener, ChunkRef zeros, long patienceNs)
            throws IOException {
        this.link = link;
        this.snapshot = snapshot;
        this.opener = opener;
        this.zeros = zeros;
        this.patienceNs = patienceNs;
        this.count = link.way().list().count();
    }

    /** Begins to read the list. */
    synchronized void start() {
        if (!scanning && !closed && known < count) {
            scanning = true;
            failure = null;
            Thread thread = new Thread(this::scan, "reader-list");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void scan() {
        IOException error = null;
        try {
            readOn();
        } catch (IOException e) {
            error = e;
        } catch (RuntimeException e) {
            error = new IOException("unexpected error while reading the list: " + e, e);
        }
        synchronized (this) {
            scanning = false;
            failure = error;
            failedNs = System.nanoTime();
            notifyAll();
        }
    }

    private void readOn() throws IOException {
        int next = known();
        long firstLossNs = 0;
        while (next < count) {
            AgentLink.Way way = link.way();
            try {
                readOn(way, next);
            } catch (IOException e) {
                firstLossNs = next < known() ? 0 : firstLossNs;
                firstLossNs = lossOrFail(way, e, firstLossNs);
            }
            next = known();
        }
        synchronized (this) {
            if (starts[count] != snapshot.imageBytes() || pointers != snapshot.chunkCount()) {
                throw new IOException(SnapshotText.name(snapshot) + ": its list has " + pointers + " pointers to "
                        + starts[count] + " bytes, not " + snapshot.chunkCount() + " to " + snapshot.imageBytes()
                        + ": use another snapshot");
            }
        }
    }

    private void readOn(AgentLink.Way way, int from) throws IOException {
        Queue<CompletableFuture<ListPage>> asked = new ArrayDeque<>();
        int toAsk = from;
        for (int number = from; number < count; number++) {
            while (toAsk < count && asked.size() < PAGES_AHEAD) {
                asked.add(way.list().page(toAsk++));
            }
            ListPage page = Answers.await(asked.remove());
            add(number, open(number, page, startOf(number)));
        }
    }

    /** Returns since when it is lost. */
    private long lossOrFail(AgentLink.Way way, IOException e, long firstLossNs) throws IOException {
        if (!AgentLink.isLoss(e) && link.isCurrent(way)) {
            throw e;
        }
        link.lost(way);
        long now = System.nanoTime();
        if (firstLossNs != 0 && now - firstLossNs > patienceNs) {
            throw e;
        }
        return firstLossNs == 0 ? now : firstLossNs;
    }

    private ImagePage open(int number, ListPage page, long start) throws IOException {
        synchronized (opener) {
            return ImagePage.of(start, opener.entries(number, page), zeros);
        }
    }

    private synchronized int known() {
        return known;
    }

    private synchronized long startOf(int number) {
        return starts[number];
    }

    private synchronized void add(int number, ImagePage page) throws IOException {
        if (closed) {
            throw new IOException("the reader is closed");
        } else if (page.end() > snapshot.imageBytes()) {
            throw new IOException(SnapshotText.name(snapshot) + ": its list goes beyond the image's "
                    + snapshot.imageBytes() + " bytes: use another snapshot");
        }
        if (known + 1 >= starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        known = number + 1;
        starts[known] = page.end();
        pointers += page.pointerCount();
        if (weight + page.weight() <= MOST_WEIGHT) { // What is in use stays: nobody has asked for this one yet.
            keep(number, page);
        }
        notifyAll();
    }

    private synchronized void keep(int number, ImagePage page) {
        if (pages.put(number, page) == null) {
            weight += page.weight();
        }
        var eldest = pages.entrySet().iterator();
        while (weight > MOST_WEIGHT && pages.size() > 1) {
            Map.Entry<Integer, ImagePage> out = eldest.next();
            weight -= out.getValue().weight();
            eldest.remove();
        }
    }

    /**
     * The page with this byte of the image; waits until it is known.
     *
     * @throws IOException if it can't be fetched, opened or proved
     */
    ImagePage pageAt(long offset) throws IOException {
        int number = await(offset);
        ImagePage kept = kept(number);
        return kept == null ? fetch(number) : kept;
    }

    /** The same if it is at hand. */
    synchronized Optional<ImagePage> pageIfKept(long offset) {
        return offset < starts[known] ? Optional.ofNullable(pages.get(numberOf(offset))) : Optional.empty();
    }

    private synchronized @Nullable ImagePage kept(int number) {
        return pages.get(number);
    }

    /** Waits until it is known which page has this byte; returns its number. */
    private synchronized int await(long offset) throws IOException {
        while (offset >= starts[known]) {
            IOException error = failure;
            if (closed) {
                throw new IOException("the reader is closed");
            } else if (error != null && System.nanoTime() - failedNs < RETRY_NS) {
                throw new IOException(error.getMessage(), error);
            }
            start();
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the list is read", e);
            }
        }
        return numberOf(offset);
    }

    /** Of pages that begin at the same byte, since they are empty, the last one has it. */
    private int numberOf(long offset) {
        int found = Arrays.binarySearch(starts, 0, known + 1, offset);
        if (found < 0) {
            return -found - 2;
        }
        while (found + 1 <= known && starts[found + 1] == offset) {
            found++;
        }
        return found;
    }

    private ImagePage fetch(int number) throws IOException {
        long firstLossNs = 0;
        while (true) {
            AgentLink.Way way = link.way();
            try {
                ListPage page = Answers.await(way.list().page(number));
                ImagePage opened = open(number, page, startOf(number));
                keep(number, opened);
                return opened;
            } catch (IOException e) {
                firstLossNs = lossOrFail(way, e, firstLossNs);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        pages.clear();
        notifyAll();
    }
}
