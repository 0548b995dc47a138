// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.Optional;

/** The pages of a private list, which lie in the snapshot's own file. */
final class PrivatePages implements ListedPages {

    private final SnapshotFile file;
    private final PageDirectory directory;
    private final long headBytes;
    private final long directoryAt;
    private final int count;

    /**
     * Of a file that has {@code count} pages between these places.
     *
     * @param headBytes where the first page is to begin
     * @param directoryAt where the last one ends
     */
    PrivatePages(SnapshotFile file, PageDirectory directory, long headBytes, long directoryAt, int count) {
        this.file = file;
        this.directory = directory;
        this.headBytes = headBytes;
        this.directoryAt = directoryAt;
        this.count = count;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public ListedPages forAnother(OpenPacks packs) {
        return this; // It remembers nothing.
    }

    @Override
    public ListPage page(int number) throws IOException {
        long at = directory.offset(number);
        long end = number + 1 < count ? directory.offset(number + 1) : directoryAt;
        if (at < headBytes || end > directoryAt || end <= at || end - at > maxPageBytes()) {
            throw new DamagedDataException(
                    file.fileName(),
                    directoryAt + (long) PageDirectory.ENTRY_BYTES * number,
                    "page " + number + " can't be from " + at + " to " + end);
        }
        return SnapshotFormat.readPage(number, file.read(at, (int) (end - at)), file.fileName(), at);
    }

    private static int maxPageBytes() {
        return ListPage.MAX_BYTES + SnapshotFormat.CRC_BYTES;
    }

    @Override
    public Optional<ListPage> unseenPage(int number, SeenPages seen, ContentDigest digest) throws IOException {
        ListPage page = page(number);
        digest.add(page);
        return Optional.of(page);
    }

    @Override
    public void addTo(ContentDigest digest, int first, int some) throws IOException {
        for (int page = first; page < first + some; page++) {
            digest.add(page(page));
        }
    }

    @Override
    public void checkStart() throws DamagedDataException {
        long firstAt = count == 0 ? directoryAt : directory.offset(0);
        if (firstAt != headBytes) {
            throw new DamagedDataException(file.fileName(), headBytes, "the first page does not begin here");
        }
    }

    @Override
    public void close() {}
}
