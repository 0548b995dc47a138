// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.protocol.ListPage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Writes the pages that one snapshot brings into a temporary file, which {@link #close} deletes unless it was moved away. Not safe for several threads. */
final class PackWriter implements Closeable {

    private final DraftFile file;
    private final List<PackFormat.Entry> directory = new ArrayList<>();

    /** Behind it are directory and trailer, once it is finished. */
    private long pagesEnd;

    PackWriter(Path temporary, UUID repository) throws IOException {
        this.file = new DraftFile(temporary);
        file.write(PackFormat.header(repository).encode());
    }

    /** Adds a page; returns its index. */
    int append(ListPage page, long chunkBytes) throws IOException {
        PackFormat.Entry entry = new PackFormat.Entry(file.written(), chunkBytes, page.digest());
        file.write(PackFormat.encodePage(page));
        directory.add(entry);
        pagesEnd = file.written();
        return directory.size() - 1;
    }

    /** A page that was added before. */
    ListPage page(int index) throws IOException {
        long at = directory.get(index).offset();
        long end = index + 1 < directory.size() ? directory.get(index + 1).offset() : pagesEnd;
        return PackFormat.readPage(index, file.read(at, end), file.path().toString(), at);
    }

    /** Writes directory and trailer, and forces the file. */
    void finish(long id) throws IOException {
        ByteBuffer entries = ByteBuffer.allocate(PackFormat.Entry.BYTES * directory.size());
        directory.forEach(entry -> entry.write(entries));
        entries.flip();
        int crc = SnapshotFormat.crc(entries.duplicate());
        file.write(entries);
        file.write(new PackFormat.Trailer(id, directory.size(), crc).encode());
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
