// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Where the pages of a shared list are that is being received: at the end of its temporary file, so that memory is the
 * same however long it is. Not safe for several threads.
 */
final class DraftRuns {

    /** Stands for the pack that has no id yet. */
    static final long OWN = 0;

    private final DraftFile file;
    private final long at;
    /** Not in the file yet, for it may go on. */
    private final List<PageRun> last = new ArrayList<>(1);

    private int pages;
    /** How many are in the file; behind them is its trailer, once it is sealed. */
    private int written;

    /** @param file whose end the runs are from now on */
    DraftRuns(DraftFile file) {
        this.file = file;
        this.at = file.written();
    }

    /** How many pages. */
    int pages() {
        return pages;
    }

    /** The list goes on with these; with none of them if this fails. */
    void add(List<PageRun> runs) throws IOException {
        List<PageRun> ended = new ArrayList<>(last);
        for (PageRun run : runs) {
            int end = ended.size() - 1;
            if (end >= 0 && ended.get(end).isFollowedBy(run)) {
                ended.set(end, ended.get(end).longer(run.count()));
            } else {
                ended.add(run);
            }
        }
        PageRun open = ended.remove(ended.size() - 1);
        write(ended);
        last.clear();
        last.add(open);
        pages += runs.stream().mapToInt(PageRun::count).sum();
    }

    private void write(List<PageRun> ended) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PageRun.BYTES * ended.size());
        ended.forEach(run -> run.write(bytes));
        file.write(bytes.flip());
        written += ended.size();
    }

    /** Some runs, as they are at this moment, from one on; none behind the last. */
    List<PageRun> from(int index) throws IOException {
        int end = Math.min(written, index + EntryTable.BLOCK_ENTRIES);
        if (index >= end) {
            return index == end ? List.copyOf(last) : List.of();
        }
        return read(index, end);
    }

    private List<PageRun> read(int index, int end) throws IOException {
        ByteBuffer bytes = file.read(offset(index), offset(end));
        List<PageRun> runs = new ArrayList<>(end - index);
        while (bytes.hasRemaining()) {
            runs.add(new PageRun(bytes.getLong(), bytes.getInt(), bytes.getInt()));
        }
        return runs;
    }

    private long offset(int index) {
        return at + (long) PageRun.BYTES * index;
    }

    /** Writes all with this id of the list's own pack; returns their CRC32C. */
    int seal(long own) throws IOException {
        write(last);
        last.clear();
        CRC32C crc = new CRC32C();
        for (int index = 0; index < written; index += EntryTable.BLOCK_ENTRIES) {
            List<PageRun> runs = read(index, Math.min(written, index + EntryTable.BLOCK_ENTRIES));
            ByteBuffer bytes = ByteBuffer.allocate(PageRun.BYTES * runs.size());
            runs.forEach(run -> run.in(run.pack() == OWN ? own : run.pack()).write(bytes));
            crc.update(bytes.flip().duplicate());
            file.rewrite(bytes, offset(index));
        }
        return (int) crc.getValue();
    }
}
