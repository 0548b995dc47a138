// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A repository on a read-only mount, read without an agent. Only root can mount; where nobody can, nothing can be
 * shown.
 */
@EnabledIf("canMount")
class ReadOnlyRepositoryIT {

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;
    private Path mounted;

    static boolean canMount() throws IOException {
        Path from = Files.createTempDirectory("mount-from");
        Path to = Files.createTempDirectory("mount-to");
        try {
            boolean mounts =
                    run("mount", "--bind", "-o", "ro", from.toString(), to.toString()) == 0 && !Files.isWritable(to);
            run("umount", to.toString());
            return mounts;
        } finally {
            Files.delete(from);
            Files.delete(to);
        }
    }

    private static int run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(Sites.awaitExit(process, 30_000)).isTrue();
        return process.exitValue();
    }

    @BeforeEach
    void backUpAndMount() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        image = folder.resolve("image");
        for (int seed = 1; seed <= 2; seed++) {
            Sites.random(image, new Random(seed), 3 << 20);
            assertDone(sites.here("backup", image.toString(), "--name", "vm"));
        }
        mounted = Files.createDirectory(folder.resolve("mounted"));
        assertThat(run("mount", "--bind", "-o", "ro", sites.repository().toString(), mounted.toString()))
                .isZero();
    }

    @AfterEach
    void stop() throws IOException {
        run("umount", mounted.toString());
        sites.close();
    }

    private static void assertDone(Sites.Result result) {
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    }

    private Sites.Result read(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--index-key";
        all[arguments.length + 1] = sites.repository() + ".index-key";
        return sites.withoutAgent(mounted, all);
    }

    /** Every file and folder with its length and time, which any write changes. */
    private Map<String, String> everything() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sites.repository())) {
            for (Path file : (Iterable<Path>) files::iterator) {
                found.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
        }
        return found;
    }

    private void assertAllIsRead() throws IOException {
        Map<String, String> before = everything();
        assertThat(read("list").out()).hasLineCount(2);
        assertDone(read("show", "vm"));
        assertDone(read("diff", "vm@1", "vm@2"));
        assertDone(read("stats"));
        assertThat(read("verify").out()).contains("all good");
        Path to = folder.resolve("restored");
        Sites.Result restored = read("restore", "vm", "--to", to.toString(), "--force");
        assertDone(restored);
        assertThat(restored.err()).isEmpty();
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void everyCommandThatReadsWorksAndChangesNothing() throws IOException {
        sites.stopAgent();
        assertAllIsRead();
    }

    @InTurn(days = 3)
    @Test
    void whatAKilledAgentLeftIsReadAsItIsAndStays() throws IOException {
        sites.killAgent();
        Files.write(sites.repository().resolve("incoming/draft-7"), new byte[10]);
        Path container = sites.repository().resolve("containers/00000/00000001.container");
        Files.write(container, new byte[100], java.nio.file.StandardOpenOption.APPEND);
        assertAllIsRead();
    }

    @Test
    void damageIsFoundAndNotedNowhere() throws IOException {
        sites.stopAgent();
        Path container = sites.repository().resolve("containers/00000/00000001.container");
        byte[] bytes = Files.readAllBytes(container);
        bytes[64 + 84 + 1000] ^= 8;
        Files.write(container, bytes);
        Map<String, String> before = everything();
        Sites.Result verify = read("verify", "--details");
        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.err())
                .contains("00000001.container: damaged at offset 64")
                .contains("vm@1: ");
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void anAgentThatServesItIsNamedAndAMissingLockIsSaid() throws IOException {
        Sites.Result busy = read("list");
        assertThat(busy.exitCode()).isEqualTo(1);
        assertThat(busy.err()).contains("is in use by process " + sites.agentPid() + ": stop that agent first");
        sites.stopAgent();
        Files.delete(sites.repository().resolve("lock"));
        assertThat(read("list").out()).hasLineCount(2);
    }
}
