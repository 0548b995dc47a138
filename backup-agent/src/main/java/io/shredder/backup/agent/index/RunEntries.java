// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The entries of a run from first to last, some pages at a time. One thread. */
final class RunEntries implements EntrySource {

    private final RunPages pages;
    private final RunFormat format;
    private int nextPage;
    private int pageOfBytes;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private @Nullable IndexEntry last;

    RunEntries(RunPages pages, RunFormat format) {
        this.pages = pages;
        this.format = format;
        this.nextPage = format.firstEntryPage();
        this.pageOfBytes = nextPage;
    }

    @Override
    public @Nullable IndexEntry next() throws IOException {
        if (!bytes.hasRemaining() && !load()) {
            return null;
        }
        RunLayout layout = format.layout();
        long offset = (long) (pageOfBytes + bytes.position() / layout.plainBytes()) * layout.pageBytes();
        IndexEntry entry = IndexEntry.read(bytes, IndexFiles.name(pages.name()), offset);
        if (last != null && last.fingerprint().compareTo(entry.fingerprint()) >= 0) {
            throw new DamagedDataException(IndexFiles.name(pages.name()), offset, "entries are out of order");
        }
        last = entry;
        return entry;
    }

    private boolean load() throws IOException {
        int count = Math.min(format.layout().pagesAtOnce(), format.firstFencePage() - nextPage);
        if (count <= 0) {
            return false;
        }
        bytes = ByteBuffer.wrap(pages.plain(nextPage, count));
        pageOfBytes = nextPage;
        nextPage += count;
        int unused = format.layout().entriesPerPage() - format.entriesOf(nextPage - 1 - format.firstEntryPage());
        bytes.limit(bytes.capacity() - unused * IndexEntry.BYTES);
        return true;
    }
}
