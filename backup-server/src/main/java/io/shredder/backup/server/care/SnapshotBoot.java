// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.server.guest.ReaderBytes;
import io.shredder.backup.server.machine.BootTest;
import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.reader.SnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a machine from a snapshot where it lies, over an export that nobody else can reach. */
public final class SnapshotBoot {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotBoot.class);

    private SnapshotBoot() {}

    /**
     * Runs the test; nothing of the snapshot changes.
     *
     * @param reader stays the caller's
     * @param picture where a picture of the screen goes
     */
    public static BootTest.Outcome run(SnapshotReader reader, BootTest test, Optional<Path> picture)
            throws IOException {
        Path folder = Files.createTempDirectory("shredder-export-");
        Thread atEnd = new Thread(() -> clear(folder), "boot-folder"); // also after Ctrl-C
        Runtime.getRuntime().addShutdownHook(atEnd);
        try (Export export = Export.open(reader, folder.resolve("nbd"))) {
            return test.run(new ReaderBytes(reader), export.uri(), picture);
        } finally {
            forget(atEnd);
            clear(folder);
        }
    }

    private static void forget(Thread atEnd) {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            LOG.debug("the program ends, and clears the folder away itself", e);
        }
    }

    private static void clear(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve("nbd"));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.warn("could not clear {} away: {}", folder, e.getMessage());
        }
    }
}
