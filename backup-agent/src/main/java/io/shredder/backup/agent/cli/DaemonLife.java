// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.posix.SystemdNotices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The life of a daemon: it listens until SIGTERM or SIGINT, is closed, and exits with 0. A JVM that is ended by a
 * signal would exit with 143; a clean stop is a success.
 */
final class DaemonLife {

    private final @Nullable Path portFile;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Integer> stopped = new CompletableFuture<>();

    /** @param portFile gets the port once it listens, and is gone when it doesn't any more */
    DaemonLife(@Nullable Path portFile) {
        this.portFile = portFile;
    }

    /** Opens what is to be closed, calls {@link #listens}, and closes. */
    interface Daemon {
        void run() throws Exception;
    }

    /** Runs it to its end. Returns the exit code. */
    int run(Daemon daemon) throws Exception {
        try {
            daemon.run();
        } catch (Exception e) {
            stopped.complete(1);
            throw e;
        } finally {
            if (portFile != null) {
                Files.deleteIfExists(portFile);
            }
        }
        stopped.complete(0);
        return 0;
    }

    /**
     * It listens on this port. Returns when it is to stop.
     *
     * @param isWell is asked for systemd's watchdog
     */
    void listens(int port, Runnable announcement, SystemdNotices.Check isWell)
            throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "agent-stop"));
        if (portFile != null) {
            Path temporary = portFile.resolveSibling(portFile.getFileName() + ".tmp");
            Files.writeString(temporary, port + "\n");
            DurableFiles.publish(temporary, portFile);
        }
        announcement.run();
        try (SystemdNotices systemd = SystemdNotices.ofThisProcess()) {
            systemd.ready("listens on port " + port, isWell);
            stop.await();
        }
    }

    private void stopAndWait() {
        stop.countDown();
        Runtime.getRuntime().halt(stopped.join());
    }
}
