// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that serves an image by NBD at a Unix socket. */
public final class ServedExport implements AutoCloseable {

    private static final long LIMIT_S = 600;

    private final Process process;
    private final Path socket;

    private ServedExport(Process process, Path socket) {
        this.process = process;
        this.socket = socket;
    }

    /**
     * Starts it, and returns once its socket is there.
     *
     * @param log gets what it says, behind what is there
     */
    public static ServedExport start(List<String> command, Path socket, Path log)
            throws IOException, InterruptedException {
        Files.deleteIfExists(socket);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (!Files.exists(socket)) {
            if (!process.isAlive() || System.nanoTime() > untilNs) {
                process.destroyForcibly();
                throw new IOException("no export: " + Files.readString(log));
            }
            Thread.sleep(20);
        }
        return new ServedExport(process, socket);
    }

    public Path socket() {
        return socket;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** As libnbd's and QEMU's programs take it. */
    public String uri() {
        return "nbd+unix:///?socket=" + socket;
    }

    /** Ends it in order. */
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new IOException("an export doesn't end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
