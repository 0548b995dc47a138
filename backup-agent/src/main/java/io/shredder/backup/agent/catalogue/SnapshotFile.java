// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A committed snapshot's file, opened for reading: head, directory and trailer are checked at once. For one thread. */
public final class SnapshotFile implements Closeable {

    private final ReadableFile file;
    private final String name;
    private final SnapshotFormat.Head head;
    private final SnapshotFormat.Trailer trailer;
    private final PageDirectory directory;
    private final long headBytes;
    private final long directoryAt;

    private SnapshotFile(ReadableFile file, String name) throws IOException {
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
        long directoryBytes = PageDirectory.ENTRY_BYTES * (long) pages();
        this.directoryAt = trailerAt - directoryBytes;
        checkRoom(directoryAt >= headBytes, size);
        this.directory = readDirectory((int) directoryBytes);
    }

    private void checkRoom(boolean room, long size) throws DamagedDataException {
        if (!room) {
            throw new DamagedDataException(name, size, "ends before its trailer, or its trailer counts too much");
        }
    }

    private PageDirectory readDirectory(int bytes) throws IOException {
        ByteBuffer encoded = read(directoryAt, bytes);
        if (SnapshotFormat.crc(encoded.duplicate()) != trailer.directoryCrc()) {
            throw new DamagedDataException(name, directoryAt, "the directory of pages has another CRC32C");
        }
        return PageDirectory.read(encoded);
    }

    /**
     * Opens a file.
     *
     * @param name of the file in the storage and in errors
     */
    static SnapshotFile open(Storage storage, String name) throws IOException {
        ReadableFile file = storage.open(name);
        try {
            return new SnapshotFile(file, name);
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
        return ListPage.pages(trailer.chunkCount());
    }

    /** A page of its list: its references are the identities of the chunks that the snapshot needs. */
    public ListPage page(int number) throws IOException {
        long at = directory.offset(number);
        long end = number + 1 < pages() ? directory.offset(number + 1) : directoryAt;
        if (at < headBytes || end > directoryAt || end <= at || end - at > maxPageBytes()) {
            throw new DamagedDataException(
                    name,
                    directoryAt + (long) PageDirectory.ENTRY_BYTES * number,
                    "page " + number + " can't be from " + at + " to " + end);
        }
        return SnapshotFormat.readPage(number, read(at, (int) (end - at)), name, at);
    }

    private static int maxPageBytes() {
        return ListPage.MAX_BYTES + SnapshotFormat.CRC_BYTES;
    }

    /** Reads all pages and checks that they follow each other without gaps, and their digest. */
    public void checkContent() throws IOException {
        CheckedPages pages = new CheckedPages(this);
        while (pages.hasNext()) {
            pages.next();
        }
        pages.checkEnd();
    }

    void checkFirstPage() throws DamagedDataException {
        long firstAt = pages() == 0 ? directoryAt : directory.offset(0);
        if (firstAt != headBytes) {
            throw new DamagedDataException(name, headBytes, "the first page does not begin here");
        }
    }

    DamagedDataException damagedContent() {
        return new DamagedDataException(name, headBytes, "its chunk list has another digest");
    }

    private ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            file.readFully(bytes, at);
        } catch (EOFException e) {
            throw new DamagedDataException(name, at + bytes.position(), "ends too early");
        }
        return bytes.flip();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
