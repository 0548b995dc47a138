// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is being received with a shared list: a pack of the pages that are new, if any are, and a small file
 * that says where all are.
 */
public final class SharedDraft extends SnapshotDraft {

    private final PagePacks packs;
    private final DraftFile file;
    private final Path packFile;
    private final DraftRuns runs;
    private @Nullable PackWriter pack;
    private volatile long sealedId;
    private boolean closed;

    public SharedDraft(Path temporary, Path packFile, SnapshotFormat.Head head, PagePacks packs) throws IOException {
        super(head);
        this.packs = packs;
        this.packFile = packFile;
        this.file = new DraftFile(temporary);
        file.write(head.encode());
        this.runs = new DraftRuns(file);
    }

    @Override
    public synchronized void append(ListPage page, long chunkBytes) throws IOException {
        checkNext(page);
        if (pack == null) {
            pack = PackWriter.create(packFile, packs.repository());
        }
        runs.add(List.of(new PageRun(DraftRuns.OWN, pack.append(page, chunkBytes), 1)));
        digest().add(page);
    }

    /** The list goes on with pages that another snapshot has, which lives. */
    public synchronized void share(SharedPages pages, int first, int count) throws IOException {
        List<Fingerprint> digests = new ArrayList<>(count);
        for (int page = first; page < first + count; page++) {
            digests.add(pages.digest(page));
        }
        runs.add(pages.runs(first, count));
        digests.forEach(digest()::addPage);
    }

    @Override
    public long listBytes(ListPage page) {
        return (long) page.encodedBytes() + PackFormat.CRC_BYTES + PackFormat.Entry.BYTES + PageRun.BYTES;
    }

    /** How much longer shared pages make the list's file, at most. */
    public static long listBytes(List<PageRun> shared) {
        return (long) PageRun.BYTES * shared.size();
    }

    @Override
    public void visit(Visitor visitor, SeenPages seen) throws IOException, DraftEndedException {
        try (SharedPages others = packs.pages()) {
            int read = 0;
            for (List<PageRun> runs = some(read); !runs.isEmpty(); runs = some(read)) {
                for (PageRun run : runs) {
                    visit(run, visitor, seen, others);
                }
                read += runs.size();
            }
        }
    }

    private void visit(PageRun run, Visitor visitor, SeenPages seen, SharedPages others)
            throws IOException, DraftEndedException {
        for (int place = 0; place < run.count(); place++) {
            PageAddress address = run.address(place);
            if (isOwn(run)) {
                visitor.chunks(own(address.index()).references());
            } else if (!seen.has(address)) {
                visitor.chunks(others.page(address).references());
                seen.add(address);
            }
        }
    }

    private synchronized boolean isOwn(PageRun run) {
        return run.pack() == DraftRuns.OWN || run.pack() == sealedId;
    }

    private synchronized List<PageRun> some(int from) throws IOException, DraftEndedException {
        if (closed) {
            throw new DraftEndedException();
        }
        return runs.from(from);
    }

    private synchronized ListPage own(int index) throws IOException, DraftEndedException {
        if (closed || pack == null) {
            throw new DraftEndedException();
        }
        return pack.page(index);
    }

    @Override
    public synchronized int pages() {
        return runs.pages();
    }

    @Override
    public boolean isSealedAs(long id) {
        return sealedId == id;
    }

    @Override
    public synchronized SnapshotInfo seal(long id, Instant received, Contents contents) throws IOException {
        if (pack != null) {
            pack.finish(id);
        }
        sealedId = id;
        int crc = runs.seal(id);
        file.write(trailer(id, received, contents, crc).encode());
        file.force();
        return info(id, received, contents);
    }

    @Override
    public synchronized void publishPack() throws IOException {
        if (pack != null) {
            packs.publish(packFile, sealedId);
        }
    }

    @Override
    public Path temporary() {
        return file.path();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try (file) {
            if (pack != null) {
                pack.close();
            }
        }
    }
}
