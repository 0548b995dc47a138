// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes a run once, from first to last page, the header page last. One thread. */
final class RunWriter {

    private static final RunLayout LAYOUT = RunLayout.WRITTEN;

    private final IndexFiles files;
    private final int number;
    private final byte[] salt = IndexKey.newSalt();
    private final Sealing sealing;
    private final byte[] plain = new byte[LAYOUT.pagesAtOnce() * LAYOUT.plainBytes()];
    private final byte[] sealed = new byte[LAYOUT.pagesAtOnce() * LAYOUT.pageBytes()];
    private final ByteBuffer pending = ByteBuffer.wrap(plain);
    private long nextPage = 1;

    RunWriter(IndexFiles files, int number) {
        this.files = files;
        this.number = number;
        this.sealing = files.runSealing(salt, number);
    }

    /**
     * Writes all entries and makes them durable, the file's name included.
     *
     * @param maxEntries how many there may be
     * @return the run, open, or null if there was no entry
     */
    @Nullable
    Run write(EntrySource source, long maxEntries) throws IOException {
        String name = RunFormat.fileName(number);
        IndexFolder.File file = files.folder().create(name);
        try {
            Run run = write(source, maxEntries, file);
            if (run == null) {
                discard(file, name);
            } else {
                files.folder().force();
            }
            return run;
        } catch (IOException | RuntimeException e) {
            discard(file, name);
            throw e;
        }
    }

    private void discard(IndexFolder.File file, String name) throws IOException {
        file.close();
        files.folder().delete(name);
    }

    private @Nullable Run write(EntrySource source, long maxEntries, IndexFolder.File file) throws IOException {
        RunFences fences = new RunFences(RunLayout.pages(maxEntries, LAYOUT.entriesPerPage()));
        KeyFilter filter = KeyFilter.forKeys(maxEntries);
        long entries = 0;
        for (IndexEntry entry = source.next(); entry != null; entry = source.next()) {
            if (entries % LAYOUT.entriesPerPage() == 0) {
                fences.add(entry.fingerprint());
            }
            filter.add(entry.fingerprint());
            entry.write(room(file));
            entries++;
        }
        if (entries == 0) {
            return null;
        }
        endPages(file);
        writeWords(file, fences.count(), fences::word);
        writeWords(file, filter.wordCount(), filter::word);
        RunFormat format = new RunFormat(LAYOUT, entries, filter.wordCount());
        RunManifest manifest = new RunManifest(number, entries, writeHeader(file, format));
        file.force();
        RunPages pages = new RunPages(file, RunFormat.fileName(number), sealing, LAYOUT);
        return new Run(pages, manifest, format, fences, filter);
    }

    private void writeWords(IndexFolder.File file, int count, IntToLongFunction word) throws IOException {
        for (int i = 0; i < count; i++) {
            room(file).putLong(word.applyAsLong(i));
        }
        endPages(file);
    }

    private ByteBuffer room(IndexFolder.File file) throws IOException {
        if (!pending.hasRemaining()) {
            endPages(file);
        }
        return pending;
    }

    /** Fills the last page up with zeros and writes the pages that are pending. */
    private void endPages(IndexFolder.File file) throws IOException {
        int count = RunLayout.pages(pending.position(), LAYOUT.plainBytes());
        java.util.Arrays.fill(plain, pending.position(), count * LAYOUT.plainBytes(), (byte) 0);
        sealing.sealPages(LAYOUT, nextPage, count, plain, sealed);
        file.write(ByteBuffer.wrap(sealed, 0, count * LAYOUT.pageBytes()), nextPage * LAYOUT.pageBytes());
        nextPage += count;
        pending.clear();
    }

    private String writeHeader(IndexFolder.File file, RunFormat format) throws IOException {
        byte[] clear = new byte[LAYOUT.plainBytes()];
        ByteBuffer.wrap(clear)
                .put(files.preamble(FileHeader.INDEX_RUN_MAGIC, LAYOUT.version(), number, salt))
                .putLong(format.entries())
                .putInt(format.filterWords());
        byte[] page = java.util.Arrays.copyOf(clear, LAYOUT.pageBytes());
        Sealing.Piece nothing = new Sealing.Piece(Sealing.NOTHING, 0, 0);
        sealing.seal(0, 0, clear, nothing, page, LAYOUT.plainBytes());
        file.write(ByteBuffer.wrap(page), 0);
        return RunManifest.tag(page);
    }
}
