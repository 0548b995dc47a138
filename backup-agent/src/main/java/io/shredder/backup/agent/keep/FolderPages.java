// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeptName;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The files below a folder, page by page: no page needs more memory than its names and those of one folder. Links, and
 * names that no keeper's file has, are left out. For one thread.
 */
final class FolderPages {

    /** Longer than any entry. */
    private static final int ENTRY_BYTES = KeptName.MAX_BYTES + 16;

    private final Path root;
    private final String after;
    private final List<KeeperAnswer.Entry> entries = new ArrayList<>();
    private int bytes;
    private boolean more;

    private FolderPages(Path root, String after) {
        this.root = root;
        this.after = after;
    }

    /**
     * The next page.
     *
     * @param root of the keeper
     * @param folder empty for all
     * @param after the last name of the page before; empty to begin
     */
    static KeeperAnswer.Files page(Path root, Optional<KeptName> folder, Optional<KeptName> after) throws IOException {
        FolderPages pages = new FolderPages(
                root, after.map(KeptName::value).map(FolderPages::key).orElse(""));
        pages.addBelow(folder.map(KeptName::value).orElse(""));
        return new KeeperAnswer.Files(pages.more, pages.entries);
    }

    /** In whose order names come. */
    private static String key(String name) {
        return name.replace('/', '\0');
    }

    private void addBelow(String folder) throws IOException {
        for (String child : children(root.resolve(folder))) {
            String name = folder.isEmpty() ? child : folder + "/" + child;
            if (more) {
                return;
            }
            if (isBefore(name)) {
                continue;
            }
            Optional<BasicFileAttributes> attributes = attributes(root.resolve(name));
            if (attributes.isEmpty()) {
                continue;
            }
            if (attributes.get().isDirectory()) {
                addBelow(name);
            } else if (attributes.get().isRegularFile() && key(name).compareTo(after) > 0) {
                add(name, attributes.get().size());
            }
        }
    }

    /** Empty if it was deleted meanwhile. */
    private static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Whether it comes before the page, with all that is below it. */
    private boolean isBefore(String name) {
        String key = key(name);
        return key.compareTo(after) < 0 && !after.startsWith(key + '\0');
    }

    private void add(String text, long length) {
        Optional<KeptName> name = named(text);
        if (name.isEmpty()) {
            return;
        }
        KeeperAnswer.Entry entry = new KeeperAnswer.Entry(name.get(), length);
        more = entries.size() == KeepFormat.MAX_NAMES || bytes > KeepFormat.MAX_BYTES - ENTRY_BYTES;
        if (!more) {
            entries.add(entry);
            bytes += KeeperAnswer.Files.bytesOf(entry);
        }
    }

    private static Optional<KeptName> named(String text) {
        try {
            return Optional.of(new KeptName(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<String> children(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(names);
        return names;
    }
}
