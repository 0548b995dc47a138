// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ListPage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Writes the pages that one snapshot brings into a temporary file, which {@link #close} deletes unless it was moved
 * away. Not safe for several threads.
 */
final class PackWriter implements Closeable {

    private final DraftFile file;
    /** Its entries, in a file of their own until the pages are all there. */
    private final DraftFile directory;

    private int pages;

    /** Behind it are directory and trailer, once it is finished. */
    private long pagesEnd;

    private PackWriter(DraftFile file, DraftFile directory) {
        this.file = file;
        this.directory = directory;
    }

    /** Begins an empty one. */
    static PackWriter create(Path temporary, UUID repository) throws IOException {
        DraftFile file = new DraftFile(temporary);
        try {
            file.write(PackFormat.header(repository).encode());
            return new PackWriter(
                    file, new DraftFile(temporary.resolveSibling(temporary.getFileName() + "-directory")));
        } catch (IOException e) {
            try (file) {
                throw e;
            }
        }
    }

    /** Adds a page; returns its index. */
    int append(ListPage page, long chunkBytes) throws IOException {
        PackFormat.Entry entry = new PackFormat.Entry(file.written(), chunkBytes, page.digest());
        file.write(PackFormat.encodePage(page));
        ByteBuffer bytes = ByteBuffer.allocate(PackFormat.Entry.BYTES);
        entry.write(bytes);
        directory.write(bytes.flip());
        pagesEnd = file.written();
        return pages++;
    }

    /** A page that was added before. */
    ListPage page(int index) throws IOException {
        long at = offset(index);
        long end = index + 1 < pages ? offset(index + 1) : pagesEnd;
        return PackFormat.readPage(index, file.read(at, end), file.path().toString(), at);
    }

    private long offset(int index) throws IOException {
        long at = (long) PackFormat.Entry.BYTES * index;
        return directory.read(at, at + Long.BYTES).getLong();
    }

    /** Writes directory and trailer, and forces the file. */
    void finish(long id) throws IOException {
        EntryTable entries = new EntryTable(directory::read, 0, PackFormat.Entry.BYTES, pages);
        CRC32C crc = new CRC32C();
        for (int block = 0; block < entries.blocks(); block++) {
            crc.update(entries.block(block));
            file.write(entries.block(block));
        }
        file.write(new PackFormat.Trailer(id, pages, (int) crc.getValue()).encode());
        file.force();
    }

    @Override
    public void close() throws IOException {
        try (directory) {
            file.close();
        }
    }
}
