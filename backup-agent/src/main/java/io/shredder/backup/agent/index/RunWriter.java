// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run once, the header page last. The filter has its place before the entries and is written beside them, so
 * that of a run, however large, no more than the fences is in memory. One thread.
 */
final class RunWriter {

    private final IndexFiles files;
    private final int number;
    private final byte[] salt = IndexKey.newSalt();
    private final Sealing sealing;

    RunWriter(IndexFiles files, int number) {
        this.files = files;
        this.number = number;
        this.sealing = files.runSealing(salt, number);
    }

    /**
     * Writes all entries and makes them durable, the file's name included.
     *
     * @param source in ascending order of fingerprints
     * @param maxEntries how many there may be
     * @return the run, open, its filter not in memory, or null if there was no entry
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
        RunFences fences = new RunFences(RunLayout.pages(maxEntries, RunLayout.ENTRIES_PER_PAGE));
        int filterWords = KeyFilter.words(maxEntries);
        FilterWriter filter = new FilterWriter(new PageWriter(file, sealing, 1), filterWords);
        PageWriter pages = new PageWriter(file, sealing, new RunFormat(0, filterWords).firstEntryPage());
        long entries = 0;
        for (IndexEntry entry = source.next(); entry != null; entry = source.next()) {
            if (entries % RunLayout.ENTRIES_PER_PAGE == 0) {
                fences.add(entry.fingerprint().prefix());
            }
            filter.add(entry.fingerprint());
            entry.write(pages.room());
            entries++;
        }
        if (entries == 0) {
            return null;
        }
        filter.end();
        pages.end();
        fences.write(new PageWriter(file, sealing, pages.nextPage()));
        RunFormat format = new RunFormat(entries, filterWords);
        RunManifest manifest = new RunManifest(number, entries, writeHeader(file, format));
        file.force();
        RunPages written = new RunPages(file, RunFormat.fileName(number), sealing);
        return new Run(written, manifest, format, fences);
    }

    private String writeHeader(IndexFolder.File file, RunFormat format) throws IOException {
        byte[] clear = new byte[RunLayout.PLAIN_BYTES];
        ByteBuffer.wrap(clear)
                .put(files.preamble(FileHeader.INDEX_RUN_MAGIC, RunLayout.VERSION, number, salt))
                .putLong(format.entries())
                .putInt(format.filterWords());
        byte[] page = Arrays.copyOf(clear, RunLayout.PAGE_BYTES);
        Sealing.Piece nothing = new Sealing.Piece(Sealing.NOTHING, 0, 0);
        sealing.seal(0, 0, clear, nothing, page, RunLayout.PLAIN_BYTES);
        file.write(ByteBuffer.wrap(page), 0);
        return RunManifest.tag(page);
    }
}
