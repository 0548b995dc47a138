// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A committed snapshot's file, opened for reading: head, trailer and what says where its pages are is checked at once.
 * For one thread.
 */
public final class SnapshotFile implements Closeable {

    private final ReadableFile file;
    private final String name;
    private final SnapshotFormat.Head head;
    private final SnapshotFormat.Trailer trailer;
    private final ListedPages listed;
    private final long headBytes;

    private SnapshotFile(ReadableFile file, String name, PagePacks packs) throws IOException {
        this.file = file;
        this.name = name;
        long size = file.size();
        int headLength =
                SnapshotFormat.Head.length(read(0, (int) Math.min(size, SnapshotFormat.FIXED_HEAD_BYTES)), name);
        this.head = SnapshotFormat.Head.read(read(0, headLength), name);
        this.headBytes = headLength;
        long endAt = size - SnapshotFormat.END_BYTES;
        checkRoom(endAt >= headBytes, size);
        int trailerBytes = SnapshotFormat.Trailer.length(read(endAt, SnapshotFormat.END_BYTES), name, endAt);
        long trailerAt = size - trailerBytes;
        checkRoom(trailerAt >= headBytes, size);
        this.trailer = SnapshotFormat.Trailer.read(read(trailerAt, trailerBytes), name, trailerAt);
        this.listed = head.seal().isShared() ? sharedPages(packs, trailerAt) : privatePages(trailerAt, size);
    }

    private ListedPages privatePages(long trailerAt, long size) throws IOException {
        int pages = ListPage.pages(trailer.chunkCount());
        long directoryAt = trailerAt - PageDirectory.ENTRY_BYTES * (long) pages;
        checkRoom(directoryAt >= headBytes, size);
        PageDirectory directory = PageDirectory.read(checked(directoryAt, trailerAt, "directory of pages"));
        return new PrivatePages(this, directory, headBytes, directoryAt, pages);
    }

    private ListedPages sharedPages(PagePacks packs, long trailerAt) throws IOException {
        long bytes = trailerAt - headBytes;
        checkRoom(bytes % PageRun.BYTES == 0 && bytes <= (long) PageRun.BYTES * ListPage.MAX_SHARED_PAGES, trailerAt);
        PageRuns runs = PageRuns.read(
                (from, to) -> read(from, (int) (to - from)), name, headBytes, (int) (bytes / PageRun.BYTES));
        checkCrc(runs.crc(), headBytes, "table of pages");
        return new SharedPages(packs.opened(OpenPacks.USUAL), runs);
    }

    private void checkRoom(boolean room, long size) throws DamagedDataException {
        if (!room) {
            throw new DamagedDataException(name, size, "ends before its trailer, or its trailer counts too much");
        }
    }

    /** What the trailer has a CRC of. */
    private ByteBuffer checked(long from, long to, String what) throws IOException {
        ByteBuffer encoded = read(from, (int) Math.min(Integer.MAX_VALUE, to - from));
        checkCrc(SnapshotFormat.crc(encoded.duplicate()), from, what);
        return encoded;
    }

    private void checkCrc(int crc, long from, String what) throws DamagedDataException {
        if (crc != trailer.directoryCrc()) {
            throw new DamagedDataException(name, from, "the " + what + " has another CRC32C");
        }
    }

    /**
     * Opens a file.
     *
     * @param name of the file in the storage and in errors
     * @param packs where the pages of shared lists are
     */
    public static SnapshotFile open(Storage storage, String name, PagePacks packs) throws IOException {
        ReadableFile file = storage.open(name);
        try {
            return new SnapshotFile(file, name, packs);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Whose it is. */
    public SnapshotName namespace() {
        return head.namespace();
    }

    /** What it is. */
    public SnapshotInfo info() {
        return new SnapshotInfo(
                trailer.id(),
                head.name(),
                trailer.received(),
                trailer.imageBytes(),
                trailer.chunkCount(),
                head.seal(),
                trailer.summary(),
                trailer.contentDigest());
    }

    /** How many pages its list has. */
    public int pages() {
        return listed.count();
    }

    ListedPages listed() {
        return listed;
    }

    /** A page of its list: its references are the identities of the chunks that the snapshot needs. */
    public ListPage page(int number) throws IOException {
        return listed.page(number);
    }

    /** Where its pages are, if its list is a shared one. */
    public Optional<SharedPages> shared() {
        return listed instanceof SharedPages shared ? Optional.of(shared) : Optional.empty();
    }

    /**
     * Reads all pages and checks that they follow each other without gaps, and their digest; of a shared list what its
     * packs' directories say of them.
     */
    public void checkContent() throws IOException {
        contentCheck().step(pages());
    }

    /** The same, some pages at a time. */
    public ContentCheck contentCheck() {
        return new ContentCheck(this);
    }

    DamagedDataException damagedContent() {
        return new DamagedDataException(name, headBytes, "its chunk list has another digest");
    }

    String fileName() {
        return name;
    }

    /** By one thread at a time: a collection may read what its reader does. */
    ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            synchronized (file) {
                file.readFully(bytes, at);
            }
        } catch (EOFException e) {
            throw new DamagedDataException(name, at + bytes.position(), "ends too early");
        }
        return bytes.flip();
    }

    @Override
    public void close() throws IOException {
        try (file) {
            listed.close();
        }
    }
}
