// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The file that says which repository a folder or a store has: {@code docs/formats/container.md}, section 1. Where it
 * is missing a new repository begins only if nothing says that there was one: a disk that isn't mounted looks empty,
 * too.
 */
final class RepositoryHeader {

    static final String FILE = "repository";
    private static final String TEMPORARY = FILE + ".tmp";
    private static final String STORE_TEMPORARY = StorePlace.FILE + ".tmp";

    /** Of the agent's own folder; there is one only if there was a header. */
    private static final List<String> OWN_SIGNS =
            List.of("catalogue.log", "audit.log", "index/manifest", "index/index.log");

    /** Of whatever keeps the containers, in the order in which they are named. */
    private static final List<String> STORED_SIGNS = List.of(ContainerFolder.FOLDER, "snapshots");

    private RepositoryHeader() {}

    /** Which repository it is, if the file is there. */
    static Optional<UUID> read(Storage storage) throws IOException {
        Optional<ByteBuffer> header = storage.read(FILE);
        return header.isEmpty()
                ? Optional.empty()
                : Optional.of(FileHeader.read(header.get(), FileHeader.REPOSITORY_MAGIC, FILE)
                        .repository());
    }

    /** Whether a folder is a repository's, or was made to go with a store. */
    static boolean isIn(Path root) {
        return Files.exists(root.resolve(FILE)) || Files.exists(root.resolve(StorePlace.FILE));
    }

    /** Whether there was a repository in a folder, or one that goes with a store. */
    private static boolean hasSigns(Path root) {
        return Stream.concat(OWN_SIGNS.stream(), STORED_SIGNS.stream())
                .anyMatch(sign -> Files.exists(root.resolve(sign)));
    }

    /** Refuses a folder with other things; one that lost its header goes on to {@link #readOrCreate}. */
    static void refuseOtherFolders(Path root) throws IOException {
        if (Files.exists(root) && !Files.isDirectory(root)) {
            throw new IOException("repository " + root + " is not a folder: name one, or one that doesn't exist yet");
        }
        if (!Files.isDirectory(root) || isIn(root) || hasSigns(root)) {
            return;
        }
        try (Stream<Path> files = Files.list(root)) {
            List<String> ours = List.of(RepositoryLock.FILE, TEMPORARY, STORE_TEMPORARY, "lost+found");
            if (files.anyMatch(file -> !ours.contains(String.valueOf(file.getFileName())))) {
                throw new IOException(
                        "folder " + root + " is not a repository and not empty: name an empty folder or a new one");
            }
        }
    }

    /** Refuses a folder that is absent or empty though the key of its index lies beside it: its disk is missing. */
    static void refuseLostFolder(Path root, Path indexKey) throws IOException {
        if (isIn(root) || hasSigns(root) || !Files.exists(indexKey)) {
            return;
        }
        throw new IOException("there is no repository in " + root + ", but its index key " + indexKey
                + " is there: is its disk mounted? If a new repository is to be made there, move that key away first");
    }

    /** Which repository it is; a new one if nothing says that there was one. */
    static UUID readOrCreate(Path root, Storage storage) throws IOException {
        Optional<UUID> known = read(storage);
        if (known.isPresent()) {
            return known.get();
        }
        Optional<String> sign = sign(root, storage);
        if (sign.isPresent()) {
            throw new IOException("repository of " + storage + ": the file " + FILE + " is missing, though there is "
                    + sign.get()
                    + ": if its disk or file system isn't there, mount it; else put the file back from a copy, or "
                    + RepositoryIndex.remedy(root));
        }
        UUID id = UUID.randomUUID();
        write(storage, id);
        return id;
    }

    /** Which repository it is; where the file is missing it is made again by what the first readable container says. */
    static Optional<UUID> readOrMakeAgain(Storage storage) throws IOException {
        Optional<UUID> known = read(storage);
        if (known.isPresent()) {
            return known;
        }
        Optional<UUID> contained = ContainerFolder.repositoryOf(storage);
        if (contained.isPresent()) {
            write(storage, contained.get());
        }
        return contained;
    }

    private static void write(Storage storage, UUID id) throws IOException {
        storage.replace(FILE, new FileHeader(FileHeader.REPOSITORY_MAGIC, FileHeader.VERSION, 0, id).encode());
    }

    private static Optional<String> sign(Path root, Storage storage) throws IOException {
        for (String folder : STORED_SIGNS) {
            TreeSet<String> names = new TreeSet<>();
            for (StoredFile file : storage.list(folder)) {
                names.add(file.name());
            }
            if (!names.isEmpty()) {
                return Optional.of(names.first());
            }
        }
        return OWN_SIGNS.stream()
                .filter(sign -> Files.exists(root.resolve(sign)))
                .findFirst();
    }
}
