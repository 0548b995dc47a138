// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.protocol.BodyReader;
import io.shredder.backup.protocol.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Where the pages of a shared list are, in order. Not safe for several threads. */
final class PageRuns {

    private final List<PageRun> runs = new ArrayList<>();

    /** Of each run, which page of the list its first is. */
    private final List<Integer> starts = new ArrayList<>();

    private int pages;

    /** The list goes on with these. */
    void add(PageRun run) {
        PageRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
        if (last != null && last.isFollowedBy(run)) {
            runs.set(runs.size() - 1, new PageRun(last.pack(), last.first(), last.count() + run.count()));
        } else {
            runs.add(run);
            starts.add(pages);
        }
        pages += run.count();
    }

    /** How many pages. */
    int pages() {
        return pages;
    }

    /** All of them. */
    List<PageRun> all() {
        return List.copyOf(runs);
    }

    /** Where a page is. */
    PageAddress address(int page) {
        Objects.checkIndex(page, pages);
        int run = runOf(page);
        return runs.get(run).address(page - starts.get(run));
    }

    /** Where some pages are. */
    List<PageRun> part(int first, int count) {
        Objects.checkFromIndexSize(first, count, pages);
        List<PageRun> part = new ArrayList<>();
        int page = first;
        for (int run = count == 0 ? runs.size() : runOf(first); page < first + count; run++) {
            int from = page - starts.get(run);
            int length = Math.min(runs.get(run).count() - from, first + count - page);
            part.add(runs.get(run).part(from, length));
            page += length;
        }
        return part;
    }

    private int runOf(int page) {
        int low = 0;
        int high = runs.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts.get(middle) <= page) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * As a file has them.
     *
     * @param own the id that stands for pack 0
     */
    ByteBuffer encode(long own) {
        ByteBuffer bytes = ByteBuffer.allocate(PageRun.BYTES * runs.size());
        for (PageRun run : runs) {
            new PageRun(run.pack() == 0 ? own : run.pack(), run.first(), run.count()).write(bytes);
        }
        return bytes.flip();
    }

    /** Reads what {@link #encode} wrote, to the end. */
    static PageRuns read(BodyReader in) throws DamagedDataException {
        PageRuns runs = new PageRuns();
        while (in.remaining() > 0) {
            long pack = in.u63("pack");
            int first = in.length("first page", ListPage.MAX_PAGES);
            int count = in.length("page count", ListPage.MAX_SHARED_PAGES - runs.pages);
            if (pack == 0 || count == 0) {
                throw in.damaged(count + " pages of pack " + pack + " before here");
            }
            runs.add(new PageRun(pack, first, count));
        }
        return runs;
    }
}
