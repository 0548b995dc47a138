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

    private final IndexFolder.File file;
    private final RunManifest manifest;
    private final RunFormat format;
    private final Sealing sealing;
    private final RunFences fences;
    private final KeyFilter filter;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Takes over {@code file}. */
    Run(
            IndexFolder.File file,
            RunManifest manifest,
            RunFormat format,
            Sealing sealing,
            RunFences fences,
            KeyFilter filter) {
        this.file = file;
        this.manifest = manifest;
        this.format = format;
        this.sealing = sealing;
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
        byte[] head = IndexFiles.read(file, name, 0, RunFormat.PAGE_BYTES);
        ByteBuffer header = ByteBuffer.wrap(head);
        byte[] salt = files.readPreamble(header, FileHeader.INDEX_RUN_MAGIC, manifest.number(), name);
        Sealing sealing = files.runSealing(salt, manifest.number());
        byte[] clear = Arrays.copyOf(head, RunFormat.PLAIN_BYTES);
        Sealing.Piece tag = new Sealing.Piece(head, RunFormat.PLAIN_BYTES, Sealing.TAG_BYTES);
        if (!manifest.tag().equals(RunManifest.tag(head))
                || !sealing.open(0, 0, clear, tag, new byte[0], 0)
                || header.getLong(RunFormat.ENTRIES_AT) != manifest.entries()) {
            throw RunPages.damaged(name, 0);
        }
        RunFormat format = new RunFormat(manifest.entries(), header.getInt(RunFormat.FILTER_WORDS_AT));
        if (file.size() != format.fileBytes()) {
            throw new DamagedDataException(
                    IndexFiles.name(name), file.size(), "ends there, not at " + format.fileBytes());
        }
        RunPages pages = new RunPages(file, name, sealing);
        RunFences fences = new RunFences(pages.words(format.firstFencePage(), format.entryPages()));
        KeyFilter filter = new KeyFilter(pages.words(format.firstFilterPage(), format.filterWords()));
        return new Run(file, manifest, format, sealing, fences, filter);
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
            file.close();
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
            load(page, number + 1);
            ChunkLocation found = page.find(key, fileName());
            if (found != null || !fences.mayContinue(number, key.prefix())) {
                return found;
            }
            number++;
        }
    }

    private void load(RunPage page, int number) throws IOException {
        if (page.holds(this, number)) {
            return;
        }
        byte[] sealed = page.beginLoad();
        file.read(ByteBuffer.wrap(sealed), (long) number * RunFormat.PAGE_BYTES);
        Sealing.Piece piece = new Sealing.Piece(sealed, 0, RunFormat.PAGE_BYTES);
        if (!sealing.open(number, 0, RunPages.NOTHING, piece, page.plain(), 0)) {
            throw RunPages.damaged(fileName(), number);
        }
        page.endLoad(this, number, format.entriesOf(number));
    }

    private String fileName() {
        return RunFormat.fileName(manifest.number());
    }

    /** All entries in order; the caller holds the run meanwhile. */
    EntrySource entries() {
        return new RunEntries(new RunPages(file, fileName(), sealing), format);
    }
}
