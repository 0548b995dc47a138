// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A pack of pages, opened for reading: header, trailer and directory are checked at once, a page whenever it is read.
 * For one thread.
 */
public final class PagePack implements Closeable {

    private final ReadableFile file;
    private final String name;
    private final PackFormat.Trailer trailer;
    private final EntryTable directory;
    private final long directoryAt;

    /**
     * Owns the file from now on, unless this fails.
     *
     * @param id that the pack must have
     * @param name of the file, for errors
     */
    PagePack(ReadableFile file, String name, UUID repository, long id) throws IOException {
        this.file = file;
        this.name = name;
        long size = file.size();
        PackFormat.header(repository).check(read(0, (int) Math.min(size, FileHeader.BYTES)), name);
        long trailerAt = size - PackFormat.TRAILER_BYTES;
        checkRoom(trailerAt >= FileHeader.BYTES, size);
        this.trailer = PackFormat.Trailer.read(read(trailerAt, PackFormat.TRAILER_BYTES), name, trailerAt);
        if (trailer.id() != id) {
            throw new DamagedDataException(name, trailerAt + Long.BYTES, "it is pack " + trailer.id() + ", not " + id);
        }
        long directoryBytes = (long) PackFormat.Entry.BYTES * trailer.pages();
        this.directoryAt = trailerAt - directoryBytes;
        checkRoom(directoryAt >= FileHeader.BYTES, size);
        this.directory = new EntryTable(
                (from, to) -> read(from, (int) (to - from)), directoryAt, PackFormat.Entry.BYTES, trailer.pages());
        checkDirectory();
    }

    private void checkDirectory() throws IOException {
        CRC32C crc = new CRC32C();
        for (int block = 0; block < directory.blocks(); block++) {
            crc.update(directory.block(block));
        }
        if ((int) crc.getValue() != trailer.directoryCrc()) {
            throw new DamagedDataException(name, directoryAt, "the directory of pages has another CRC32C");
        }
    }

    private void checkRoom(boolean room, long size) throws DamagedDataException {
        if (!room) {
            throw new DamagedDataException(name, size, "ends before its trailer, or its trailer counts too much");
        }
    }

    int pages() {
        return trailer.pages();
    }

    /** What the directory says of a page. */
    PackFormat.Entry entry(int index) throws IOException {
        checkIndex(index);
        return PackFormat.Entry.read(new BodyReader(directory.entry(index), name, directory.offset(index)));
    }

    /** A page's digest alone, as its directory's bytes: of most pages nothing else is asked. */
    ByteBuffer digest(int index) throws IOException {
        checkIndex(index);
        return PackFormat.Entry.digest(directory.entry(index));
    }

    private void checkIndex(int index) throws DamagedDataException {
        if (index >= pages()) {
            throw new DamagedDataException(name, directoryAt, "it has " + pages() + " pages, no page " + index);
        }
    }

    /** Where the next page or the directory begins. */
    private long end(int index) throws IOException {
        return index + 1 < pages() ? entry(index + 1).offset() : directoryAt;
    }

    /** A page, which is what the directory says. */
    ListPage page(int index) throws IOException {
        PackFormat.Entry entry = entry(index);
        long at = entry.offset();
        long length = end(index) - at;
        if (at < FileHeader.BYTES || length < 1 || length > ListPage.MAX_BYTES || at + length > directoryAt) {
            throw new DamagedDataException(
                    name, directory.offset(index), "page " + index + " can't have " + length + " bytes at " + at);
        }
        ListPage page = PackFormat.readPage(index, read(at, (int) length), name, at);
        if (!page.digest().equals(entry.digest())) {
            throw new DamagedDataException(name, at, "page " + index + " has another digest");
        }
        return page;
    }

    /** The bytes of the whole file but for one page, which is {@code whole} from now on; that is as long as it was. */
    void copyWith(ListPage whole, int index, Copy target) throws IOException {
        PackFormat.Entry entry = entry(index);
        ByteBuffer page = PackFormat.encodePage(whole);
        if (!whole.digest().equals(entry.digest()) || page.remaining() != end(index) - entry.offset()) {
            throw new IllegalArgumentException("another page than " + index + " of " + name);
        }
        copy(0, entry.offset(), target);
        target.write(page);
        copy(end(index), file.size(), target);
    }

    /** Takes bytes in order. */
    interface Copy {
        void write(ByteBuffer bytes) throws IOException;
    }

    private void copy(long from, long to, Copy target) throws IOException {
        int step = 1 << 20;
        for (long at = from; at < to; at += step) {
            target.write(read(at, (int) Math.min(step, to - at)));
        }
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
