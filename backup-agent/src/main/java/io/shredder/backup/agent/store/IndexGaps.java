// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the index may lack chunks that snapshots need: after it was made again from the containers, of which some may
 * be damaged or gone, until a collection has found all. Meanwhile backups share no page of a list before its chunks
 * were looked up. An empty file says so.
 */
final class IndexGaps {

    private static final String FILE = "index-gaps";

    private final Path file;
    private volatile boolean mayHave;

    private IndexGaps(Path file) {
        this.file = file;
        this.mayHave = Files.exists(file);
    }

    /** Of the repository in this folder. */
    static IndexGaps of(Path root) {
        return new IndexGaps(root.resolve(FILE));
    }

    boolean mayHave() {
        return mayHave;
    }

    /** The index is going to be made again. Durable when this returns. */
    void note() throws IOException {
        if (!mayHave) {
            Files.createFile(file);
            DurableFiles.forceFolder(DurableFiles.folderOf(file));
            mayHave = true;
        }
    }

    /** All that snapshots need was found. */
    void clear() throws IOException {
        if (mayHave) {
            Files.deleteIfExists(file);
            mayHave = false;
        }
    }
}
