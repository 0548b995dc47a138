// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/** Where the pages of a committed shared list are, in order, as its file says; read some at a time. For one thread. */
final class PageRuns {

    private final EntryTable table;
    private final String name;
    /** Of each block of the table, which page of the list its first is. */
    private final int[] starts;

    private final int pages;
    private final int crc;
    /** The run that was looked at last, and which page its first is. */
    private int index = -1;

    private int start;
    private PageRun run = new PageRun(0, 0, 0);

    private PageRuns(EntryTable table, String name, int[] starts, int pages, int crc) {
        this.table = table;
        this.name = name;
        this.starts = starts;
        this.pages = pages;
        this.crc = crc;
    }

    /** No page. */
    static PageRuns none() {
        EntryTable empty = new EntryTable((from, to) -> ByteBuffer.allocate(0), 0, PageRun.BYTES, 0);
        return new PageRuns(empty, "", new int[0], 0, 0);
    }

    /**
     * Reads all once.
     *
     * @param name of the file, for errors
     * @param at where the first run begins
     * @param count how many runs
     */
    static PageRuns read(EntryTable.Source file, String name, long at, int count) throws IOException {
        EntryTable table = new EntryTable(file, at, PageRun.BYTES, count);
        int[] starts = new int[table.blocks()];
        CRC32C crc = new CRC32C();
        int pages = 0;
        for (int block = 0; block < starts.length; block++) {
            starts[block] = pages;
            ByteBuffer runs = table.block(block);
            crc.update(runs.duplicate());
            BodyReader in = new BodyReader(runs, name, table.offset(block * EntryTable.BLOCK_ENTRIES));
            while (in.remaining() > 0) {
                pages += read(in, ListPage.MAX_SHARED_PAGES - pages).count();
            }
        }
        return new PageRuns(table, name, starts, pages, (int) crc.getValue());
    }

    private static PageRun read(BodyReader in, int most) throws DamagedDataException {
        long pack = in.u63("pack");
        int first = in.length("first page", ListPage.MAX_SHARED_PAGES);
        int count = in.length("page count", Math.min(most, ListPage.MAX_SHARED_PAGES - first));
        if (pack == 0 || count == 0) {
            throw in.damaged(count + " pages of pack " + pack + " before here");
        }
        return new PageRun(pack, first, count);
    }

    /** The same for another thread. */
    PageRuns forAnother() {
        return new PageRuns(table.forAnother(), name, starts, pages, crc);
    }

    /** How many pages. */
    int pages() {
        return pages;
    }

    /** CRC32C of all. */
    int crc() {
        return crc;
    }

    /** Where a page is. */
    PageAddress address(int page) throws IOException {
        seek(page);
        return run.address(page - start);
    }

    /** Where some pages are. */
    List<PageRun> part(int first, int count) throws IOException {
        Objects.checkFromIndexSize(first, count, pages);
        List<PageRun> part = new ArrayList<>();
        for (int page = first; page < first + count; ) {
            seek(page);
            int from = page - start;
            int length = Math.min(run.count() - from, first + count - page);
            part.add(run.part(from, length));
            page += length;
        }
        return part;
    }

    /** Finds the run of a page; at once if it is the one of the page before, or the next. */
    private void seek(int page) throws IOException {
        Objects.checkIndex(page, pages);
        int found = Arrays.binarySearch(starts, page);
        int block = found >= 0 ? found : -found - 2;
        if (index < 0 || page < start || index / EntryTable.BLOCK_ENTRIES != block) {
            index = block * EntryTable.BLOCK_ENTRIES;
            start = starts[block];
            run = run(index);
        }
        while (page >= start + run.count()) {
            start += run.count();
            index++;
            run = run(index);
        }
    }

    private PageRun run(int which) throws IOException {
        if (which >= table.count()) {
            throw new DamagedDataException(name, table.offset(which), "its pages are fewer than they were");
        }
        return read(new BodyReader(table.entry(which), name, table.offset(which)), ListPage.MAX_SHARED_PAGES);
    }
}
