// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A qcow2 image with its chain of backing files, as a virtual machine sees it. QEMU's own {@code qemu-nbd} reads it, so
 * every feature of the format is there (compression, encryption excepted), and serves it on a Unix socket in a folder
 * that only this user may enter. The child ends with the connection. QEMU refuses an image that a running machine
 * writes: take a snapshot first, or the machine's own export.
 */
final class Qcow2Image implements ImageSource {

    private static final String PROGRAM = "qemu-nbd";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MS = 10;
    private static final long LAST_WORDS_MS = 2000;

    private final Path folder;
    private final Process server;
    private final NbdImage export;
    private final ChangeWatch watch;

    private Qcow2Image(Path folder, Process server, NbdImage export, ChangeWatch watch) {
        this.folder = folder;
        this.server = server;
        this.export = export;
        this.watch = watch;
    }

    static Qcow2Image open(Path path) throws IOException {
        return open(path, PROGRAM);
    }

    /**
     * @param program takes the arguments of {@code qemu-nbd}
     */
    static Qcow2Image open(Path path, String program) throws IOException {
        FileImage.checkReadable(path);
        Path folder = Files.createTempDirectory("shredder-qcow2-");
        try {
            Path socket = folder.resolve("nbd");
            Process server = start(program, path, socket, folder.resolve("errors"));
            try {
                NbdImage export = connect(path, socket, server);
                return new Qcow2Image(folder, server, export, WatchedFiles.openIn(server, folder));
            } catch (IOException | RuntimeException e) {
                throw explain(e, path, server, folder.resolve("errors"));
            }
        } catch (IOException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    private static Process start(String program, Path image, Path socket, Path errors) throws IOException {
        List<String> command = List.of(
                program,
                "--read-only",
                "--format=qcow2",
                "--socket=" + socket,
                image.toAbsolutePath().toString());
        try {
            return new ProcessBuilder(command)
                    .redirectError(errors.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "can't start " + PROGRAM + ", which reads qcow2 images such as " + image
                            + ": install QEMU's tools (Debian: qemu-utils)",
                    e);
        }
    }

    /** The server's socket is there before it listens, and it listens before it looks at the image. */
    private static NbdImage connect(Path image, Path socket, Process server) throws IOException {
        NbdUri uri = NbdUri.parse("nbd+unix:///?socket=" + socket);
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < deadlineNs) {
            if (awaitExit(server, POLL_MS)) {
                throw new IOException(PROGRAM + " ended with code " + server.exitValue());
            }
            try {
                if (Files.exists(socket)) {
                    return NbdImage.open(uri, TIMEOUT);
                }
            } catch (IOException e) {
                if (!(e.getCause() instanceof ConnectException)) {
                    throw e;
                }
            }
        }
        throw new IOException(PROGRAM + " didn't open " + image + " within " + TIMEOUT.toSeconds() + " s");
    }

    /** A server that gives up ends the connection, too; what it wrote is the reason. */
    private static IOException explain(Exception error, Path image, Process server, Path errors) throws IOException {
        boolean gaveUp = awaitExit(server, LAST_WORDS_MS);
        stop(server);
        String text = Files.readString(errors, StandardCharsets.UTF_8).strip();
        return new IOException(
                "can't read qcow2 image " + image + ": "
                        + (gaveUp && !text.isEmpty() ? text.replaceAll("\\s*\\R\\s*", " ") : error.getMessage()),
                error);
    }

    private static boolean awaitExit(Process process, long milliseconds) throws IOException {
        try {
            return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public long imageBytes() {
        return export.imageBytes();
    }

    @Override
    public Optional<Extent> nextData(long from) throws IOException {
        return export.nextData(from);
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        export.read(into, offset);
    }

    @Override
    public int readBytes() {
        return export.readBytes();
    }

    @Override
    public void checkUnchanged() {
        export.checkUnchanged();
    }

    @Override
    public Optional<String> change() throws IOException {
        return watch.change();
    }

    @Override
    public void close() throws IOException {
        try {
            export.close();
        } finally {
            stop(server);
            delete(folder);
        }
    }

    private static void stop(Process server) {
        server.destroy();
        try {
            if (!server.waitFor(5, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        } catch (InterruptedException e) {
            server.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path folder) throws IOException {
        for (String name : List.of("nbd", "errors")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }
}
