// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packs of a repository: the pages of shared lists, those that a snapshot brought in one file,
 * {@code pages/ID.pages}, which stays as long as any snapshot needs one of them. Safe for any number of threads.
 */
public final class PagePacks {

    static final String FOLDER = "pages";

    private static final Pattern FILE = Pattern.compile(FOLDER + "/([0-9]{16})\\.pages");

    private final Storage storage;
    private final UUID repository;

    public PagePacks(Storage storage, UUID repository) {
        this.storage = storage;
        this.repository = repository;
    }

    /** Reads pages wherever they are; whoever asks closes it. */
    public SharedPages pages() {
        return pages(opened(OpenPacks.USUAL));
    }

    /** Reads pages wherever they are. */
    public SharedPages pages(OpenPacks opened) {
        return new SharedPages(opened, PageRuns.none());
    }

    /** Keeps at most so many packs open; whoever asks closes it. */
    public OpenPacks opened(int most) {
        return new OpenPacks(this, most);
    }

    static String file(long id) {
        return String.format(Locale.ROOT, "%s/%016d.pages", FOLDER, id);
    }

    UUID repository() {
        return repository;
    }

    /** The packs there are, with their lengths; what has another name is none. */
    public SortedMap<Long, Long> list() throws IOException {
        SortedMap<Long, Long> packs = new TreeMap<>();
        for (StoredFile file : storage.list(FOLDER)) {
            Matcher name = FILE.matcher(file.name());
            if (name.matches()) {
                packs.put(Long.parseLong(name.group(1)), file.bytes());
            }
        }
        return packs;
    }

    /** Opens a pack that some snapshot needs. */
    PagePack open(long id) throws IOException {
        String name = file(id);
        ReadableFile file;
        try {
            file = storage.open(name);
        } catch (NoSuchFileException e) {
            throw new DamagedDataException(name, 0, "the pack of pages is missing");
        }
        try {
            return new PagePack(file, name, repository, id);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    void publish(Path whole, long id) throws IOException {
        storage.publish(whole, file(id));
    }

    /** Deletes a pack that nothing needs, durably. */
    public void delete(long id) throws IOException {
        storage.delete(file(id));
    }

    /**
     * Puts a whole copy of a page in its place: old whole or new whole, durably. All other bytes stay as they are,
     * damaged ones, too.
     */
    public synchronized void mend(PageAddress address, ListPage page, Path temporary) throws IOException {
        try (PagePack pack = open(address.pack())) {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
                pack.copyWith(page, address.index(), bytes -> DurableFiles.writeFully(channel, bytes, channel.size()));
                channel.force(true);
            }
            publish(temporary, address.pack());
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
