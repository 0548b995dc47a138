// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.server.care.CareSite;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots that people have had opened at the console: four at once, each at a Unix socket of the daemon's user in the
 * folder {@code exports} of its state, read-only, for some hours, in a thread {@code export-N}. Thread-safe.
 */
public final class Exports implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Exports.class);
    private static final int MOST_REMEMBERED = 50;
    private static final int MOST_AT_ONCE = 4;
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final Path folder;
    private final Supplier<CareSite> site;
    private final WorkList<RunningExport> all = new WorkList<>(MOST_REMEMBERED);
    private boolean closed;

    /**
     * Has sockets that a daemon that was killed left removed.
     *
     * @param state the daemon's own folder
     * @param site as the configuration that is used now has it
     */
    public Exports(Path state, Supplier<CareSite> site) {
        this.folder = state.resolve("exports");
        this.site = site;
        clear();
    }

    private void clear() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(folder, "*.nbd")) {
            for (Path socket : sockets) {
                Files.delete(socket);
            }
        } catch (IOException e) {
            LOG.warn("sockets of exports that are no more stay in {}: {}", folder, e.getMessage());
        }
    }

    /** Why one more can't be opened now; empty if it can. */
    public synchronized Optional<String> refusal() {
        if (closed) {
            return Optional.of("the daemon is about to end");
        }
        return all.running().size() < MOST_AT_ONCE
                ? Optional.empty()
                : Optional.of(MOST_AT_ONCE + " snapshots are open already: close one");
    }

    /**
     * Begins to open one.
     *
     * @return its number
     * @throws IOException if there can be no folder for sockets
     * @throws IllegalStateException if that was refused
     */
    public synchronized long open(ExportOrder order) throws IOException {
        Optional<String> refused = refusal();
        if (refused.isPresent()) {
            throw new IllegalStateException(refused.get());
        }
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        RunningExport export =
                all.add(number -> new RunningExport(number, order, site.get(), folder.resolve(number + ".nbd")));
        export.start();
        return export.status().number();
    }

    /** How it stands; empty if there is none of that number any more. */
    public Optional<ExportStatus> status(long number) {
        return all.find(number).map(RunningExport::status);
    }

    /** Newest first. */
    public List<ExportStatus> status() {
        return all.newestFirst().stream().map(RunningExport::status).toList();
    }

    /** Closes one; whether it was open. */
    public boolean close(long number, String person) {
        return all.find(number).map(each -> each.close(person + " closed it")).orElse(false);
    }

    /** Closes all, and waits until nobody can read them any more. */
    @Override
    public void close() {
        List<RunningExport> running;
        synchronized (this) {
            closed = true;
            running = all.newestFirst().stream()
                    .filter(each -> each.close("the daemon ended"))
                    .toList();
        }
        try {
            for (RunningExport each : running) {
                each.await(LONGEST_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
