// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;

/** A snapshot that is being received with a private list: one file, its pages in it. */
public final class PrivateDraft extends SnapshotDraft {

    private final DraftFile file;
    private final PageDirectory directory = new PageDirectory();

    /** Behind it are directory and trailer, once it is sealed. */
    private long pagesEnd;

    private boolean closed;

    public PrivateDraft(Path temporary, SnapshotFormat.Head head) throws IOException {
        super(head);
        this.file = new DraftFile(temporary);
        file.write(head.encode());
    }

    @Override
    public synchronized void append(ListPage page, long chunkBytes) throws IOException {
        checkNext(page);
        long offset = file.written();
        file.write(SnapshotFormat.encodePage(page));
        directory.add(offset);
        digest().add(page);
        pagesEnd = file.written();
    }

    @Override
    public long listBytes(ListPage page) {
        return (long) page.encodedBytes() + SnapshotFormat.CRC_BYTES + PageDirectory.ENTRY_BYTES;
    }

    @Override
    public void visit(Visitor visitor, SeenPages seen) throws IOException, DraftEndedException {
        int end = pages();
        for (int number = 0; number < end; number++) {
            visitor.chunks(page(number).references());
        }
    }

    private synchronized ListPage page(int number) throws IOException, DraftEndedException {
        if (closed) {
            throw new DraftEndedException();
        }
        long at = directory.offset(number);
        long end = number + 1 < directory.pages() ? directory.offset(number + 1) : pagesEnd;
        return SnapshotFormat.readPage(number, file.read(at, end), file.path().toString(), at);
    }

    @Override
    public synchronized int pages() {
        return directory.pages();
    }

    @Override
    public boolean isSealedAs(long id) {
        return false; // It brings nothing but its own file.
    }

    @Override
    public synchronized SnapshotInfo seal(long id, Instant received, Contents contents) throws IOException {
        ByteBuffer offsets = directory.encode();
        int crc = SnapshotFormat.crc(offsets.duplicate());
        file.write(offsets);
        file.write(trailer(id, received, contents, crc).encode());
        file.force();
        return info(id, received, contents);
    }

    @Override
    public void publishPack() {}

    @Override
    public Path temporary() {
        return file.path();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        file.close();
    }
}
