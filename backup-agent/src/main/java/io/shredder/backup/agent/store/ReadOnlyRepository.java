// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a repository that this user can't write, such as one on a read-only disk. Nothing in it is changed: what
 * opening and reading would write goes to a folder among the system's temporary files, which is deleted when the
 * repository is closed.
 */
final class ReadOnlyRepository {

    private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyRepository.class);

    /** Small files of the repository's folder that are added to. */
    private static final List<String> ADDED_TO = List.of("damaged", "audit.log", "catalogue.log");

    private ReadOnlyRepository() {}

    /** Whether the repository can't be opened in any other way. */
    static boolean isNeeded(Path root) {
        Path lock = root.resolve(RepositoryLock.FILE);
        return !Files.isWritable(root) || (Files.exists(lock) && !Files.isWritable(lock));
    }

    static Repository open(Path root, Path indexKey, Clock clock) throws IOException {
        Optional<RepositoryLock> lock = RepositoryLock.acquireShared(root);
        if (lock.isEmpty()) {
            LOG.warn("no lock can be had in {}: what is read is right only if no agent writes there meanwhile", root);
        }
        Path scratch = Files.createTempDirectory("shredder-repository-");
        Closeable held = () -> {
            MoreFiles.deleteRecursively(scratch, RecursiveDeleteOption.ALLOW_INSECURE);
            if (lock.isPresent()) {
                lock.get().close();
            }
        };
        try {
            for (String file : ADDED_TO) {
                if (Files.exists(root.resolve(file))) {
                    Files.copy(root.resolve(file), scratch.resolve(file));
                }
            }
            Files.createDirectory(scratch.resolve("index"));
            Files.createDirectory(scratch.resolve("incoming"));
        } catch (IOException | RuntimeException e) {
            held.close();
            throw e;
        }
        return Repository.openReadOnly(root, scratch, indexKey, clock, held);
    }
}
