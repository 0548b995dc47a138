// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.IndexKey;
import io.shredder.backup.agent.index.IndexKeyFile;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.index.WrongIndexKeyException;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The index of a repository and the file with its key, which lies beside the repository's folder so that it does not go
 * wherever the folder goes.
 *
 * @param root the repository's folder
 * @param keyFile made with the index
 * @param tableEntries how many entries of the index are merged at once
 */
public record RepositoryIndex(Path root, Path keyFile, int tableEntries) {

    private static final String MANIFEST = "manifest";
    private static final String VERSION_1 = "index.log";

    /** Is there while an index that is made again lacks some of what lies before where it ends. */
    private static final String UNFINISHED = "index-unfinished";

    /** With tables of the usual size. */
    public RepositoryIndex(Path root, Path keyFile) {
        this(root, keyFile, LogStructuredIndex.TABLE_ENTRIES);
    }

    /** {@code /backup/repo.index-key} for the repository {@code /backup/repo}. */
    public static Path defaultKeyFile(Path root) {
        Path folder = root.toAbsolutePath().normalize();
        return folder.resolveSibling(folder.getFileName() + ".index-key");
    }

    public Path folder() {
        return root.resolve("index");
    }

    /** Opens the index, or makes one for a repository without containers. */
    public FingerprintIndex open(ContainerFolder containers) throws IOException {
        requireFinished();
        if (!Files.exists(folder().resolve(MANIFEST))) {
            if (Files.exists(folder().resolve(VERSION_1))) {
                throw new IOException(
                        "the index of " + root + " is of version 1, this program reads version 2: " + remedy());
            }
            if (!containers.numbers().isEmpty()) {
                throw new IOException("the index of " + root + " is missing: " + remedy());
            }
            LogStructuredIndex.create(folder(), containers.repository(), readOrCreateKey());
        }
        return openExisting(key -> LogStructuredIndex.open(folder(), containers.repository(), key, tableEntries));
    }

    /** Opens the index without changing it: what is written goes to another folder. */
    FingerprintIndex openReadOnly(ContainerFolder containers, Path scratch) throws IOException {
        requireFinished();
        if (!Files.exists(folder().resolve(MANIFEST))) {
            throw new IOException(
                    "the index of " + root + " is missing, or of version 1: copy the repository to where it"
                            + " may be written, and there " + remedy());
        }
        return openExisting(key -> LogStructuredIndex.openReadOnly(folder(), scratch, containers.repository(), key));
    }

    private void requireFinished() throws IOException {
        if (Files.exists(root.resolve(UNFINISHED))) {
            throw new IOException("the index of " + root + " was being made again, and that did not end: " + remedy());
        }
    }

    /** From now on, until {@link #finished}, nobody may open it: durable when this returns. */
    void unfinished() throws IOException {
        Files.write(root.resolve(UNFINISHED), new byte[0]);
        DurableFiles.forceFolder(root);
    }

    /** All is in it, durably. */
    void finished() throws IOException {
        Files.deleteIfExists(root.resolve(UNFINISHED));
        DurableFiles.forceFolder(root);
    }

    private interface Opening {
        FingerprintIndex with(IndexKey key) throws IOException;
    }

    private FingerprintIndex openExisting(Opening opening) throws IOException {
        if (!Files.exists(keyFile)) {
            throw new IOException("index key " + keyFile + " is missing: put it back, name it with --index-key, or "
                    + remedy() + ", with a new key");
        }
        try {
            return opening.with(IndexKeyFile.read(keyFile));
        } catch (WrongIndexKeyException e) {
            throw new IOException(
                    "index key " + keyFile + " is not the one that the index of " + root
                            + " was made with: name the right one with --index-key, or " + remedy(),
                    e);
        } catch (DamagedDataException e) {
            throw new IOException(e.getMessage() + ": " + remedy(), e);
        }
    }

    private String remedy() throws IOException {
        return remedy(root);
    }

    /** What to do where containers are there and what says what is in them is not. */
    static String remedy(Path root) throws IOException {
        String store = StorePlace.of(root).map(uri -> " --store " + uri).orElse("");
        return "run 'backup-agent rebuild-index --repo " + root + store + "' to make it again from the containers";
    }

    /** Replaces the index, whatever is left of it, by an empty one. */
    LogStructuredIndex createAgain(ContainerFolder containers) throws IOException {
        IndexKey key = readOrCreateKey();
        LogStructuredIndex.create(folder(), containers.repository(), key);
        Files.deleteIfExists(folder().resolve(VERSION_1));
        return LogStructuredIndex.open(folder(), containers.repository(), key);
    }

    private IndexKey readOrCreateKey() throws IOException {
        if (Files.exists(keyFile)) {
            return IndexKeyFile.read(keyFile);
        }
        try {
            return IndexKeyFile.create(keyFile);
        } catch (IOException e) {
            throw new IOException(
                    "can't make the index key " + keyFile + " (" + e.getMessage()
                            + "): name a file in a folder that the agent may write to with --index-key",
                    e);
        }
    }
}
