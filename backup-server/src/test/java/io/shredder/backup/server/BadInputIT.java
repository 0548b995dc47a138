// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.chunk.InTurn;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every bad input: one clear line, an exit code that is not 0, and nothing half-published. */
class BadInputIT {

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @TempDir
    private static Path folder;

    private static Sites sites;
    private static Path image;

    @BeforeAll
    static void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), 2 << 20);
    }

    @AfterAll
    static void stop() throws IOException {
        sites.close();
    }

    private void assertFails(int exitCode, String text, String... arguments) throws IOException {
        Sites.Result result = sites.here(arguments);
        assertThat(result.err()).contains(text);
        assertThat(result.err().lines()).as(result.err()).hasSize(1);
        assertThat(result.err()).startsWith("shredder-backup: ");
        assertThat(result.exitCode()).isEqualTo(exitCode);
    }

    private void assertBackupFails(int exitCode, String text, Path from, String... more) throws IOException {
        String[] arguments = new String[more.length + 4];
        arguments[0] = "backup";
        arguments[1] = from.toString();
        arguments[2] = "--name";
        arguments[3] = "vm";
        System.arraycopy(more, 0, arguments, 4, more.length);
        assertFails(exitCode, text, arguments);
    }

    @Test
    void badImagesAndOptionsAreNamed() throws IOException {
        assertBackupFails(FAILED, "absent doesn't exist", folder.resolve("absent"));
        assertBackupFails(FAILED, "is a directory: name a file", folder);
        assertBackupFails(FAILED, "is not an ordinary file", Path.of("/dev/null"));
        Path qcow2 = Files.write(folder.resolve("qcow2"), new byte[] {'Q', 'F', 'I', (byte) 0xfb, 0, 0, 0, 3});
        assertBackupFails(FAILED, "begins like a qcow2 image", qcow2);
        assertBackupFails(FAILED, "can't read qcow2 image", qcow2, "--format", "qcow2");
        assertBackupFails(USAGE, "unknown image format 'vhd'", image, "--format", "vhd");
        assertBackupFails(USAGE, "unknown backend 'fpga'", image, "--backend", "fpga");
        assertBackupFails(USAGE, "minimum 131072 is above the average 65536", image, "--min", "128k");
        assertBackupFails(USAGE, "maximum 1024 is below the average 65536", image, "--max", "1k");
        assertBackupFails(USAGE, "average 1000 is not a power of two", image, "--avg", "1000");
        assertBackupFails(USAGE, "'64q' is not a size", image, "--avg", "64q");
        assertBackupFails(FAILED, "the agent takes chunks of at most 8388608 bytes", image, "--avg", "4m");
        assertFails(USAGE, "name '../x' is not allowed", "backup", image.toString(), "--name", "../x");
        assertFails(FAILED, "there is no snapshot of 'none'", "restore", "none", "--to", folder + "/x");
        assertFails(USAGE, "is not NAME, NAME@latest or NAME@ID", "restore", "vm@x", "--to", folder + "/x");
        assertFails(FAILED, "is a folder: name a file", "restore", "vm", "--to", folder.toString());
        assertFails(FAILED, "doesn't exist: make it first", "restore", "vm", "--to", folder + "/no/x");
        assertThat(sites.here("list").out()).isEmpty();
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void anAgentThatIsDownIsNamed() throws IOException {
        sites.stopAgent();
        try {
            assertBackupFails(FAILED, "is 'backup-agent serve' running there?", image);
        } finally {
            sites.startAgent();
        }
    }

    @InTurn(days = 3)
    @Test
    void anImageThatGrowsOrShrinksWhileReadIsNotPublished() throws Exception {
        for (boolean grow : new boolean[] {true, false}) {
            Path large = folder.resolve("large");
            Sites.random(large, new Random(grow ? 2 : 3), 128 << 20);
            long keptBytes = keptBytes();
            Process server = sites.startServer("backup", large.toString(), "--name", "vm", "--backend", "cpu");
            awaitMoreThan(keptBytes);
            signalAgent("STOP");
            try {
                change(large, grow);
            } finally {
                signalAgent("CONT");
            }
            assertThat(server.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isEqualTo(FAILED);
        }
        assertThat(Files.readString(folder.resolve("server.log"))).contains("changed while it was read");
        assertThat(sites.here("list").out()).isEmpty();
    }

    /** Waits until the first chunks have arrived: most of the image has not been read then. */
    private void awaitMoreThan(long keptBytes) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (keptBytes() <= keptBytes) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(1));
        }
    }

    private long keptBytes() throws IOException {
        Path containers = sites.repository().resolve("containers");
        if (!Files.exists(containers)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(containers)) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        }
    }

    private void signalAgent(String signal) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(sites.agentPid()))
                .start()
                .waitFor();
    }

    private static void change(Path file, boolean grow) throws IOException {
        if (grow) {
            Files.write(file, new byte[1000], StandardOpenOption.APPEND);
        } else {
            try (var channel = java.nio.channels.FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 5000);
            }
        }
    }
}
