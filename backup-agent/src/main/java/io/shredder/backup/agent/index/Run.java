// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An immutable file of sorted entries; its fences and filter are in memory, its pages are read and opened when asked for. Any number of
 * threads read. It is closed when the last view that it is part of is.
 */
final class Run {

    private final RunPages pages;
    private final RunManifest manifest;
    private final RunFormat format;
    private final RunFences fences;
    private final KeyFilter filter;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Takes over the file of {@code pages}. */
    Run(RunPages pages, RunManifest manifest, RunFormat format, RunFences fences, KeyFilter filter) {
        this.pages = pages;
        this.manifest = manifest;
        this.format = format;
        this.fences = fences;
        this.filter = filter;
    }

    /** Opens a run that the manifest names, and reads its fences and filter. */
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
        ByteBuffer start = ByteBuffer.wrap(IndexFiles.read(file, name, 0, FileHeader.BYTES));
        String shown = IndexFiles.name(name);
        int version = FileHeader.readAnyVersion(start, FileHeader.INDEX_RUN_MAGIC, shown)
                .version();
        RunLayout layout = RunLayout.of(version, shown);
        byte[] head = IndexFiles.read(file, name, 0, layout.pageBytes());
        ByteBuffer header = ByteBuffer.wrap(head);
        byte[] salt = files.readPreamble(header, FileHeader.INDEX_RUN_MAGIC, version, manifest.number(), name);
        RunPages pages = new RunPages(file, name, files.runSealing(salt, manifest.number()), layout);
        if (!isSealedHeader(head, pages, manifest)) {
            throw pages.damaged(0);
        }
        RunFormat format = new RunFormat(layout, manifest.entries(), header.getInt(RunFormat.FILTER_WORDS_AT));
        if (file.size() != format.fileBytes()) {
            throw new DamagedDataException(shown, file.size(), "ends there, not at " + format.fileBytes());
        }
        RunFences fences = new RunFences(pages.words(format.firstFencePage(), format.entryPages()));
        KeyFilter filter = new KeyFilter(pages.words(format.firstFilterPage(), format.filterWords()));
        return new Run(pages, manifest, format, fences, filter);
    }

    private static boolean isSealedHeader(byte[] head, RunPages pages, RunManifest manifest) {
        int plainBytes = pages.layout().plainBytes();
        byte[] clear = Arrays.copyOf(head, plainBytes);
        Sealing.Piece tag = new Sealing.Piece(head, plainBytes, Sealing.TAG_BYTES);
        return manifest.tag().equals(RunManifest.tag(head))
                && pages.sealing().open(0, 0, clear, tag, new byte[0], 0)
                && ByteBuffer.wrap(head).getLong(RunFormat.ENTRIES_AT) == manifest.entries();
    }

    RunManifest manifest() {
        return manifest;
    }

    /** Memory held by fences and filter. */
    long memoryBytes() {
        return filter.bytes() + (long) fences.count() * Long.BYTES;
    }

    /** False only if the run says nothing of this fingerprint. */
    boolean mayContain(Fingerprint key) {
        return filter.mayContain(key);
    }

    /** Keeps the run open until one more {@link #release}; whoever calls holds it already, or its view. */
    void hold() {
        holders.incrementAndGet();
    }

    void release() throws IOException {
        if (holders.decrementAndGet() == 0) {
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
            pages.load(page, number + 1, format.entriesOf(number + 1));
            ChunkLocation found = page.find(key);
            if (found != null || !fences.mayContinue(number, key.prefix())) {
                return found;
            }
            number++;
        }
    }

    /** All entries in order; the caller holds the run meanwhile. */
    EntrySource entries() {
        return new RunEntries(pages, format);
    }
}
