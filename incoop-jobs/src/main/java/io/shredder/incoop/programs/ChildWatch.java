// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The program {@code child-watch}, which runs another one and reports what it asks the system for. It lies in our jar;
 * a copy is laid on this machine's disk once a JVM. Safe for use by several threads.
 */
public final class ChildWatch {

    private static final int PROBE_SECONDS = 30;

    private static @Nullable Path program;
    private static @Nullable String failure;

    private ChildWatch() {}

    /**
     * Where it lies, tried once.
     *
     * @throws IOException if programs can't be watched on this machine, and why
     */
    public static synchronized Path program() throws IOException {
        if (program == null && failure == null) {
            try {
                Path copy = copy(System.getProperty("os.arch", ""));
                probe(copy);
                program = copy;
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        if (program == null) {
            throw new IOException(failure);
        }
        return program;
    }

    private static Path copy(String architecture) throws IOException {
        String name = "child-watch-" + (architecture.equals("amd64") ? "x86_64" : architecture);
        try (InputStream in = ChildWatch.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("this build has no " + name + ", which watches programs on this machine");
            }
            Path copy = Files.createTempFile(
                    "incoop-child-watch",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            copy.toFile().deleteOnExit();
            Files.write(copy, in.readAllBytes());
            return copy;
        }
    }

    private static void probe(Path copy) throws IOException {
        Process probe = new ProcessBuilder(copy.toString(), "--probe")
                .redirectErrorStream(true)
                .start();
        try {
            if (!probe.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                probe.destroyForcibly();
                throw new IOException("the trial of " + copy + " did not end in " + PROBE_SECONDS + " s");
            }
            String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (probe.exitValue() != 0) {
                throw new IOException("this machine's kernel or container lets no programs be watched (seccomp user"
                        + " notification, Linux 5.5 or later" + (said.isEmpty() ? "" : ": " + said) + ")");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
