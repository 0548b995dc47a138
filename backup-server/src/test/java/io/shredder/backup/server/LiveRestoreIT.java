// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.trial.TrialRun;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shredder-backup restore --live} as a process: with clients of others, killed, and with damage. */
class LiveRestoreIT {

    private static final long SEED = new Random().nextInt(1_000_000);
    private static final int MOST_WRITE = 20_000;

    @TempDir
    private Path folder;

    private Sites sites;
    private byte[] model;
    private Path target;
    private Path socket;

    @BeforeEach
    void backUp() throws IOException {
        System.out.println("seed " + SEED);
        sites = new Sites(folder);
        sites.startAgent();
        Path image = OpenedImage.write(folder.resolve("image"), new Random(SEED));
        Sites.Result result = sites.here("backup", image.toString(), "--name", "vm");
        assertThat(result.exitCode()).as(result.err()).isZero();
        model = Files.readAllBytes(image);
        target = folder.resolve("target.img");
        socket = folder.resolve("nbd");
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    private Process restore(String... options) throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("server.log"));
        List<String> words = new ArrayList<>(List.of("restore", "vm", "--to", target.toString(), "--live", "--socket"));
        words.add(socket.toString());
        words.addAll(List.of(options));
        Process process = sites.startServer(words.toArray(String[]::new));
        TrialRun.await(
                "the export",
                60_000,
                () -> !process.isAlive() || (Files.exists(folder.resolve("server.log")) && log().contains("try: ")));
        assertThat(process.isAlive()).as(log()).isTrue();
        return process;
    }

    private void end(Process process) throws IOException {
        process.destroy();
        assertThat(Sites.awaitExit(process, 30_000)).isTrue();
        assertThat(socket).doesNotExist();
    }

    private void run(String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(Sites.awaitExit(process, 60_000)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    @Test
    void othersWriteAndReadItAndTheTargetIsWhole() throws Exception {
        for (String program : List.of("nbdcopy", "qemu-io", "qemu-img")) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin", program)),
                    program + " is not there: tools/packages.sh open");
        }
        Process process = restore("--fill-rate", "2m");
        String uri = "nbd+unix:///vm@1?socket=" + socket;
        assertThat(log()).contains(uri);
        run(
                "qemu-io",
                "-f",
                "raw",
                "-c",
                "write -P 0x55 1000k 64k",
                "-c",
                "write -f -P 0x66 3001k 1k",
                "-c",
                "flush",
                "-c",
                "write -z 1500k 100k",
                "-c",
                "discard 1700k 64k",
                uri);
        Arrays.fill(model, 1000 << 10, 1064 << 10, (byte) 0x55);
        Arrays.fill(model, 3001 << 10, 3002 << 10, (byte) 0x66);
        Arrays.fill(model, 1500 << 10, 1600 << 10, (byte) 0);
        Arrays.fill(model, 1700 << 10, 1764 << 10, (byte) 0);
        Path copy = folder.resolve("copy");
        run("nbdcopy", uri, copy.toString());
        assertThat(Arrays.mismatch(Files.readAllBytes(copy), model)).isNegative();
        assertThat(target).doesNotExist();
        TrialRun.await("all", 60_000, () -> log().contains("is whole"));
        assertThat(Arrays.mismatch(Files.readAllBytes(target), model)).isNegative();
        run("qemu-io", "-f", "raw", "-c", "write -P 0x77 0 4k", "-c", "flush", uri);
        run("qemu-img", "compare", "-f", "raw", "-F", "raw", uri, target.toString());
        end(process);
        Arrays.fill(model, 0, 4096, (byte) 0x77);
        assertThat(Arrays.mismatch(Files.readAllBytes(target), model)).isNegative();
        Sites.Result again = sites.here("restore", "vm", "--to", target.toString(), "--live");
        assertThat(again.err()).contains(target + " exists: name another file");
    }

    /**
     * What was acknowledged is there after each {@code kill -9}, whether it was flushed or not; also where that is just
     * when the target gets its name. A target that is whole is begun anew.
     */
    @Test
    void killedAtAnyMomentItGoesOn() throws Exception {
        Random random = new Random(SEED);
        int kills = LongTests.count("live.kills", 4, 100);
        int whole = 0;
        for (int kill = 0; kill < kills; kill++) {
            Process process = restore("--fill-rate", random.nextInt(8) == 0 ? "30m" : "100k");
            int[] unsure = new int[2];
            int pauseMs = random.nextInt(400);
            Thread killer = new Thread(() -> {
                try {
                    Thread.sleep(pauseMs);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                process.destroyForcibly();
            });
            try (NbdTester client = new NbdTester(socket).go()) {
                killer.start();
                writeUntilKilled(client, new Random(random.nextLong()), unsure);
            } catch (IOException e) {
                // Killed.
            }
            killer.join();
            process.waitFor();
            check(Files.exists(target) ? Files.readAllBytes(target) : readAgain(), unsure);
            if (Files.exists(target)) {
                whole++;
                Files.delete(target);
                Files.deleteIfExists(folder.resolve("target.img.shredder-live-map"));
                model = Files.readAllBytes(folder.resolve("image"));
            }
        }
        System.out.println(kills + " kills, " + whole + " times a target was whole meanwhile");
        Process last = restore("--once");
        assertThat(last.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(last.exitValue()).as(log()).isZero();
        assertThat(Arrays.mismatch(Files.readAllBytes(target), model)).isNegative();
    }

    /** The model has all that was acknowledged; the range of the last is unsure. */
    private void writeUntilKilled(NbdTester client, Random random, int[] unsure) throws IOException {
        while (true) {
            int offset = random.nextInt(model.length);
            int length = Math.min(model.length - offset, 1 + random.nextInt(MOST_WRITE));
            unsure[0] = offset;
            unsure[1] = offset + length;
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            client.request(random.nextInt(10) == 0 ? 1 : 0, 1, 5, offset, length);
            client.send(ByteBuffer.wrap(bytes));
            if (client.simple(5) != 0) {
                throw new AssertionError("a write was refused");
            }
            System.arraycopy(bytes, 0, model, offset, length);
        }
    }

    /** Opens it again, and reads all. */
    private byte[] readAgain() throws Exception {
        Process process = restore("--fill-rate", "100k");
        byte[] there = new byte[model.length];
        try (NbdTester client = new NbdTester(socket).go()) {
            for (int at = 0; at < there.length; at += 1 << 20) {
                int bytes = Math.min(1 << 20, there.length - at);
                client.request(4, 0, 6, at, bytes);
                NbdTester.Part part = client.part();
                assertThat(part.type()).isEqualTo(1);
                System.arraycopy(part.data(), 8, there, at, bytes);
            }
        }
        end(process);
        return there;
    }

    /** Where it is unsure the model takes what is there. */
    private void check(byte[] there, int[] unsure) {
        for (int at = 0; at < there.length; at++) {
            if (there[at] != model[at] && (at < unsure[0] || at >= unsure[1])) {
                throw new AssertionError("byte " + at + " is " + there[at] + ", not " + model[at] + "; unsure are "
                        + Arrays.toString(unsure));
            }
        }
        System.arraycopy(there, unsure[0], model, unsure[0], unsure[1] - unsure[0]);
    }

    @InTurn(days = 3)
    @Test
    void anAgentThatIsAwayIsWaitedForAndDamageIsNamed() throws Exception {
        sites.killAgent();
        try (var files = Files.walk(sites.repository().resolve("containers"))) {
            Path first = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            try (FileChannel file = FileChannel.open(first, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), file.size() / 2);
            }
        }
        sites.stayAtPort();
        sites.startAgent();
        Process process = restore("--fill-rate", "1m");
        sites.killAgent();
        try (NbdTester client = new NbdTester(socket).go()) {
            byte[] bytes = new byte[8192];
            client.request(0, 1, 1, 4096, bytes.length);
            client.send(ByteBuffer.wrap(bytes));
            assertThat(client.simple(1)).as("a write needs no agent").isZero();
        }
        sites.startAgent();
        TrialRun.await("the end", 60_000, () -> log().contains("all but what is damaged"));
        assertThat(log()).contains("can't be read: ").contains("damaged at offset");
        assertThat(target).doesNotExist();
        end(process);
        assertThat(log()).contains("is not whole");
    }

    @Test
    void whatGoesNotTogetherIsSaidBeforeAnythingIsMade() throws IOException {
        String to = target.toString();
        assertThat(sites.here("restore", "vm", "--to", to, "--once").err()).contains("are for --live");
        assertThat(sites.here("restore", "vm", "--to", "-", "--live").err()).contains("--live goes to a new file");
        assertThat(sites.here("restore", "vm", "--to", to, "--live", "--no-tls").exitCode())
                .isEqualTo(2);
        assertThat(sites.here("restore", "vm", "--to", folder + "/none/x", "--live")
                        .err())
                .contains("make it first");
        try (var left = Files.list(folder)) {
            assertThat(left.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.contains("target"));
        }
    }
}
