// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a snapshot says of how it was made: unreadable ranges, a change while it was read, tags and notes; and images
 * that come as a stream.
 */
class RemarksIT {

    private static final int BYTES = 3 << 20;
    private static final int BAD_FROM = 1 << 20;
    private static final int BAD_BYTES = 3 * 4096;

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), BYTES);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private Sites.Result withKey(String... arguments) {
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(sites.keyOptions("site"));
        return sites.here(all.toArray(String[]::new));
    }

    private static void assertDone(Sites.Result result) {
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    }

    /** What makes a range of the image unreadable for a program. */
    private List<String> badSectors() throws IOException {
        Path source = folder.resolve("bad_sectors.c");
        try (InputStream in = RemarksIT.class.getResourceAsStream("bad_sectors.c")) {
            Files.copy(java.util.Objects.requireNonNull(in), source);
        }
        Path library = folder.resolve("bad_sectors.so");
        Process compiler = new ProcessBuilder(
                        "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .inheritIO()
                .start();
        assertThat(Sites.awaitExit(compiler, 60_000)).isTrue();
        assertThat(compiler.exitValue()).isZero();
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "BAD_INODE=" + Files.getAttribute(image, "unix:ino"),
                "BAD_FROM=" + BAD_FROM,
                "BAD_TO=" + (BAD_FROM + BAD_BYTES));
    }

    @InTurn(days = 3)
    @Test
    void badSectorsAreNamedAndSkippedOnlyIfAskedFor() throws IOException {
        List<String> bad = badSectors();
        Sites.Result failed = sites.serverUnder(bad, "backup", image.toString(), "--name", "vm");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err())
                .contains("image " + image + ": can't read 4096 bytes at offset " + BAD_FROM + ": Input/output error")
                .contains("--on-read-error skip");
        assertThat(sites.here("list").out()).isEmpty();

        Sites.Result skipped =
                sites.serverUnder(bad, "backup", image.toString(), "--name", "vm", "--on-read-error", "skip", "--json");
        assertDone(skipped);
        assertThat(skipped.out()).contains("\"skippedBytes\":" + BAD_BYTES).contains("\"offset\":" + BAD_FROM);
        assertThat(skipped.err())
                .contains("warning: vm@1 has zeros in place of " + BAD_BYTES + " bytes at " + BAD_FROM
                        + ", which could not be read");
        assertThat(withKey("list").out()).contains(BAD_BYTES + " bytes unreadable");
        assertThat(sites.here("show", "vm").out()).contains("skippedBytes: " + BAD_BYTES);

        Path to = folder.resolve("restored");
        Sites.Result refused = sites.here("restore", "vm", "--to", to.toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .contains("vm@1 has zeros in place of 12288 bytes")
                .contains("--accept-skipped");
        assertThat(to).doesNotExist();
        Sites.Result accepted = sites.here("restore", "vm", "--to", to.toString(), "--accept-skipped");
        assertDone(accepted);
        assertThat(accepted.err()).contains(BAD_BYTES + " bytes at " + BAD_FROM);
        byte[] expected = Files.readAllBytes(image);
        Arrays.fill(expected, BAD_FROM, BAD_FROM + BAD_BYTES, (byte) 0);
        assertThat(Arrays.mismatch(Files.readAllBytes(to), expected)).isNegative();
    }

    @InTurn(days = 3)
    @Test
    void anImageThatIsWrittenWhileItIsReadIsBackedUpWithAWarning() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (long seconds = 1; !done.get(); seconds++) {
                try {
                    Files.setLastModifiedTime(image, FileTime.fromMillis(seconds * 1000));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        });
        writer.start();
        Sites.Result backup;
        try {
            backup = sites.here("backup", image.toString(), "--name", "vm", "--json");
        } finally {
            done.set(true);
            writer.join();
        }
        assertDone(backup);
        assertThat(backup.out()).contains("\"changed\":\"its file was written at ");
        assertThat(backup.err())
                .contains("warning: the image of vm@1 changed while it was read: its file was written at");
        assertThat(withKey("list").out()).contains("changed while read");
        assertDone(
                sites.here("restore", "vm", "--to", folder.resolve("restored").toString()));
    }

    @Test
    void tagsAndNotesAreSeenWithTheKeyAndChooseSnapshots() throws IOException {
        assertDone(sites.here(
                "backup",
                image.toString(),
                "--name",
                "vm",
                "--tag",
                "weekly",
                "--tag",
                "os=debian-12",
                "--note",
                "a b"));
        Path later = folder.resolve("later");
        Sites.random(later, new Random(2), 1 << 20);
        assertDone(sites.here("backup", later.toString(), "--name", "vm"));
        assertThat(sites.here("list").out()).doesNotContain("weekly").hasLineCount(2);
        assertThat(withKey("list").out())
                .contains("[weekly, os=debian-12]  \"a b\"")
                .hasLineCount(2);
        assertThat(withKey("list", "--tag", "weekly").out()).contains("[weekly").hasLineCount(1);
        assertThat(withKey("list", "--json").out()).contains("\"tags\":[\"weekly\",\"os=debian-12\"],\"note\":\"a b\"");
        assertThat(sites.here("show", "vm@1").out()).contains("note: a b");
        Sites.Result sealed = sites.here("list", "--tag", "weekly");
        assertThat(sealed.exitCode()).isEqualTo(2);
        assertThat(sealed.err()).contains("tags are sealed: give --repository-key with --tag");
        Path to = folder.resolve("restored");
        assertDone(sites.here("restore", "vm", "--tag", "weekly", "--to", to.toString()));
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
        assertThat(sites.here("restore", "vm", "--tag", "none", "--to", to.toString(), "--force")
                        .err())
                .contains("no snapshot vm@latest has the tag 'none'");
        Sites.Result wrong = sites.here("backup", image.toString(), "--name", "vm", "--tag", "two words");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("tag 'two words' is not allowed");
    }

    @Test
    void aJobTagsItsSnapshotsAndSkipsWhatItMay() throws IOException {
        Path config = Files.writeString(
                folder.resolve("config.yaml"),
                "version: 1\nstate: " + folder.resolve("state") + "\n" + sites.agentSection()
                        + "jobs:\n  nightly:\n    on-read-error: skip\n    tags: [nightly]\n    images: {vm: {file: "
                        + image + "}}\n");
        Sites.Result run = sites.configuredUnder(badSectors(), "run", "nightly", "--config", config.toString());
        assertDone(run);
        assertThat(run.err()).contains("backup-server: warning: vm@1 has zeros in place of 12288 bytes at 1048576");
        assertThat(withKey("list", "--tag", "nightly").out()).contains("12288 bytes unreadable");
    }

    @Test
    void standardInputIsBackedUpAsItComes() throws IOException {
        List<String> pipe = List.of("sh", "-c", "cat '" + image + "' | \"$0\" \"$@\"");
        assertDone(sites.serverUnder(pipe, "backup", "-", "--name", "dump"));
        Path to = folder.resolve("restored");
        assertDone(sites.here("restore", "dump", "--to", to.toString()));
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
        Sites.Result empty =
                sites.serverUnder(List.of("sh", "-c", "\"$0\" \"$@\" </dev/null"), "backup", "-", "--name", "none");
        assertThat(empty.exitCode()).isEqualTo(1);
        assertThat(empty.err()).contains("the image was empty: there is no snapshot");
    }

    @Test
    void aCommandsOutputIsASnapshotOnlyIfItSucceeds() throws IOException {
        String command = "cat '" + image + "'";
        assertDone(sites.here("backup", "-", "--name", "dump", "--stdin-command", command));
        Sites.Result again = sites.here("backup", "-", "--name", "dump", "--stdin-command", command, "--json");
        assertThat(again.out()).as("known chunks are found again").contains("\"newChunks\":0");
        Path to = folder.resolve("restored");
        assertDone(sites.here("restore", "dump", "--to", to.toString()));
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
        Sites.Result failed = sites.here("backup", "-", "--name", "bad", "--stdin-command", command + "; exit 3");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err()).contains("ended with exit code 3 after " + BYTES + " bytes: there is no snapshot");
        assertThat(sites.here("list").out()).doesNotContain("bad");
        Sites.Result misused = sites.here("backup", image.toString(), "--name", "x", "--stdin-command", command);
        assertThat(misused.exitCode()).isEqualTo(2);
    }
}
