// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An immutable file of sorted entries; its fences and, once it was read, its filter are in memory, its pages are read
 * and opened when asked for. Any number of threads read. When the last view that it is part of is gone, nobody asks it
 * any more and it gives its filter back; its file is closed when nobody goes through its entries, either.
 */
final class Run {

    private final RunPages pages;
    private final RunManifest manifest;
    private final RunFormat format;
    private final RunFences fences;
    private final int firstEntryPage;
    private final AtomicInteger askers = new AtomicInteger(1);
    private final AtomicInteger fileHolders = new AtomicInteger(1);
    private final CountDownLatch unasked = new CountDownLatch(1);

    /** Null until it was read, and after nobody asks any more. */
    private volatile @Nullable KeyFilter filter;

    private @Nullable FilterMemory filterMemory;

    /** Takes over the file of {@code pages}. */
    Run(RunPages pages, RunManifest manifest, RunFormat format, RunFences fences) {
        this.pages = pages;
        this.manifest = manifest;
        this.format = format;
        this.fences = fences;
        this.firstEntryPage = format.firstEntryPage();
    }

    /** Opens a run that the manifest names, and reads its fences. */
    static Run open(IndexFiles files, RunManifest manifest) throws IOException {
        String name = RunFormat.fileName(manifest.number());
        IndexFolder.File file = files.open(name);
        try {
            return open(files, manifest, file, name);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Run open(IndexFiles files, RunManifest manifest, IndexFolder.File file, String name)
            throws IOException {
        byte[] head = IndexFiles.read(file, name, 0, RunLayout.PAGE_BYTES);
        ByteBuffer header = ByteBuffer.wrap(head);
        byte[] salt =
                files.readPreamble(header, FileHeader.INDEX_RUN_MAGIC, RunLayout.VERSION, manifest.number(), name);
        RunPages pages = new RunPages(file, name, files.runSealing(salt, manifest.number()));
        if (!isSealedHeader(head, pages, manifest)) {
            throw pages.damaged(0);
        }
        RunFormat format = new RunFormat(manifest.entries(), header.getInt(RunFormat.FILTER_WORDS_AT));
        if (file.size() != format.fileBytes()) {
            throw new DamagedDataException(
                    IndexFiles.name(name), file.size(), "ends there, not at " + format.fileBytes());
        }
        return new Run(pages, manifest, format, RunFences.read(pages, format));
    }

    private static boolean isSealedHeader(byte[] head, RunPages pages, RunManifest manifest) {
        byte[] clear = Arrays.copyOf(head, RunLayout.PLAIN_BYTES);
        Sealing.Piece tag = new Sealing.Piece(head, RunLayout.PLAIN_BYTES, Sealing.TAG_BYTES);
        return manifest.tag().equals(RunManifest.tag(head))
                && pages.sealing().open(0, 0, clear, tag, new byte[0], 0)
                && ByteBuffer.wrap(head).getLong(RunFormat.ENTRIES_AT) == manifest.entries();
    }

    RunManifest manifest() {
        return manifest;
    }

    /**
     * Reads the filter, if it is not in memory yet. Until then every question opens a page. By whoever holds the run,
     * one at a time.
     *
     * @param memory where it lies until nobody asks the run any more
     */
    void loadFilter(FilterMemory memory) throws IOException {
        if (filter != null) {
            return;
        }
        long[][] pieces = memory.take(format.filterWords());
        try {
            int[] done = {0};
            pages.read(format.firstFilterPage(), format.filterBytes(), bytes -> {
                while (bytes.hasRemaining()) {
                    pieces[done[0] / FilterMemory.PIECE_WORDS][done[0] % FilterMemory.PIECE_WORDS] = bytes.getLong();
                    done[0]++;
                }
            });
        } catch (IOException | RuntimeException e) {
            memory.giveBack(pieces);
            throw e;
        }
        filterMemory = memory;
        filter = new KeyFilter(pieces, format.filterWords());
    }

    /** Memory held by fences and filter. */
    long memoryBytes() {
        KeyFilter now = filter;
        return fences.bytes() + (now == null ? 0 : now.bytes());
    }

    /** False only if the run says nothing of this fingerprint. */
    boolean mayContain(Fingerprint key) {
        KeyFilter now = filter;
        return now == null || now.mayContain(key);
    }

    /** One more may ask until one more {@link #release}; whoever calls holds it already, or its view. */
    void hold() {
        askers.incrementAndGet();
    }

    void release() throws IOException {
        if (askers.decrementAndGet() == 0) {
            KeyFilter last = filter;
            if (last != null) {
                filter = null;
                Objects.requireNonNull(filterMemory).giveBack(last.pieces());
            }
            unasked.countDown();
            releaseFile();
        }
    }

    /** Waits until nobody asks any more: that takes no longer than a question. */
    void awaitUnasked() throws InterruptedIOException {
        try {
            unasked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the index waits for those who ask it");
        }
    }

    /** One more goes through the entries until one more {@link #releaseFile}; whoever calls holds the run. */
    void holdFile() {
        fileHolders.incrementAndGet();
    }

    void releaseFile() throws IOException {
        if (fileHolders.decrementAndGet() == 0) {
            pages.file().close();
        }
    }

    /** The location, {@link IndexEntry#NOWHERE} if it was removed, null if this run says nothing of it. */
    @Nullable
    ChunkLocation find(Fingerprint key) throws IOException {
        RunPage page = RunPage.ofThisThread();
        int number = fences.firstPage(key.prefix());
        if (number < 0) {
            return null;
        }
        while (true) {
            pages.load(page, firstEntryPage + number, format.entriesOf(number));
            ChunkLocation found = page.find(key);
            if (found != null || !fences.mayContinue(number, key.prefix())) {
                return found;
            }
            number++;
        }
    }

    /** All entries in order; the caller holds the run, or its file, meanwhile. */
    EntrySource entries() {
        return entries(KeyPart.ALL);
    }

    /** The same of a part. */
    EntrySource entries(KeyPart part) {
        int first = part.number() == 0 ? 0 : Math.max(0, fences.firstPage(part.firstPrefix()));
        return new RunEntries(pages, format, first, part);
    }
}
