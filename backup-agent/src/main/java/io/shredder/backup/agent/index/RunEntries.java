// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The entries of a part of a run from first to last, some pages at a time. One thread. */
final class RunEntries implements EntrySource {

    private final RunPages pages;
    private final RunFormat format;
    private final KeyPart part;
    private int nextPage;
    private int pageOfBytes;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private @Nullable IndexEntry last;

    /** @param firstPage of the pages of entries, from 0, that may have any of the part */
    RunEntries(RunPages pages, RunFormat format, int firstPage, KeyPart part) {
        this.pages = pages;
        this.format = format;
        this.part = part;
        this.nextPage = format.firstEntryPage() + firstPage;
        this.pageOfBytes = nextPage;
    }

    @Override
    public @Nullable IndexEntry next() throws IOException {
        IndexEntry entry = nextOfAll();
        while (entry != null && !part.contains(entry.fingerprint())) {
            entry = part.endsBefore(entry.fingerprint()) ? null : nextOfAll();
        }
        return entry;
    }

    private @Nullable IndexEntry nextOfAll() throws IOException {
        if (!bytes.hasRemaining() && !load()) {
            return null;
        }
        long offset = (long) (pageOfBytes + bytes.position() / RunLayout.PLAIN_BYTES) * RunLayout.PAGE_BYTES;
        IndexEntry entry = IndexEntry.read(bytes, IndexFiles.name(pages.name()), offset);
        if (last != null && last.fingerprint().compareTo(entry.fingerprint()) >= 0) {
            throw new DamagedDataException(IndexFiles.name(pages.name()), offset, "entries are out of order");
        }
        last = entry;
        return entry;
    }

    private boolean load() throws IOException {
        int count = Math.min(RunLayout.PAGES_AT_ONCE, format.firstFencePage() - nextPage);
        if (count <= 0) {
            return false;
        }
        bytes = ByteBuffer.wrap(pages.plain(nextPage, count));
        pageOfBytes = nextPage;
        nextPage += count;
        int unused = RunLayout.ENTRIES_PER_PAGE - format.entriesOf(nextPage - 1 - format.firstEntryPage());
        bytes.limit(bytes.capacity() - unused * IndexEntry.BYTES);
        return true;
    }
}
