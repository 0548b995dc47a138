// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process of {@code backup-agent replace-keeper} is ended by signals while it fills the keeper. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplaceKeeperSignalIT {

    private static final int FILES = 200;
    private static final int FILE_BYTES = 300_000;
    private static final int PLACE = 1;

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private final Map<String, ByteBuffer> kept = new TreeMap<>();
    private RemovableFolders folders;

    @BeforeEach
    void loseAKeeper() throws IOException {
        folders = RemovableFolders.make(folder, 2, 2);
        try (DispersedStorage storage = folders.open()) {
            for (int i = 1; i <= FILES; i++) {
                String name = String.format(Locale.ROOT, "snapshots/site1/vm/%016d.snapshot", i);
                kept.put(name, ByteBuffer.wrap(Samples.randomBytes(random, FILE_BYTES)));
                storage.publish(
                        Files.write(folder.resolve("draft"), kept.get(name).array()), name);
            }
        }
        folders.exchange(PLACE, "old");
        List<KeeperHome> keepers = folders.config().keepers();
        Files.writeString(folder.resolve("keepers.yaml"), "data: 2\nparity: 2\nkeepers: " + keepers + "\n");
    }

    private Process start() throws IOException {
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,TERM"));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp"));
        words.addAll(List.of(System.getProperty("java.class.path"), AgentMain.class.getName(), "replace-keeper"));
        words.addAll(List.of("--keepers", folder.resolve("keepers.yaml").toString()));
        words.addAll(List.of("--place", String.valueOf(PLACE)));
        return new ProcessBuilder(words)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** How many files the new keeper has whole. Parts come and go meanwhile. */
    private long given() {
        String[] files = folders.keeper(PLACE)
                .resolve("files/snapshots/site1/vm")
                .toFile()
                .list((parent, name) -> name.endsWith(".coded"));
        return files == null ? 0 : files.length;
    }

    /** Stops it, once it has given some more files, so that the next signal comes in mid-run. */
    private void stopInMidRun(Process process, long before) throws IOException, InterruptedException {
        while (given() < before + 10) {
            assertThat(process.isAlive()).as("it should be filling: %s", err()).isTrue();
            TimeUnit.MILLISECONDS.sleep(2);
        }
        signal(process, "STOP");
        assertThat(given()).as("too quick to be ended in mid-run").isBetween(before + 10, (long) FILES - 1);
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    private void assertReads() throws IOException {
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.list("")).hasSize(FILES);
            for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
                assertThat(storage.read(file.getKey())).as(file.getKey()).contains(file.getValue());
            }
        }
    }

    @InTurn(days = 3)
    @Test
    void aSignalEndsItAtOnceWithTheStoreAsItWasAndTheNextRunGoesOn() throws Exception {
        Map<String, Integer> exitCodes = Map.of("INT", 130, "TERM", 143, "KILL", 137);
        long before = 0;
        for (String signal : List.of("INT", "TERM", "KILL")) {
            Process process = start();
            stopInMidRun(process, before);
            signal(process, signal);
            signal(process, "CONT");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(signal).isEqualTo(exitCodes.get(signal));
            assertThat(err().lines().filter(line -> !line.startsWith("wrote ")))
                    .as(signal)
                    .allMatch(line -> line.matches("\\S+ (INFO|WARN) .*"));
            assertThat(Files.readString(folder.resolve("out"))).as(signal).isEmpty();
            long given = given();
            assertThat(given).as(signal).isGreaterThan(before).isLessThan(FILES);
            assertThat(Keeper.identityOf(new LocalHome(folders.keeper(PLACE)))
                            .orElseThrow()
                            .whole())
                    .as(signal)
                    .isFalse();
            assertReads();
            assertThat(given()).as("what was given stays").isEqualTo(given);
            before = given;
        }
        Process last = start();
        assertThat(last.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(last.exitValue()).as(err()).isZero();
        assertThat(Files.readString(folder.resolve("out")))
                .contains("has everything; wrote " + (FILES - before) + " files");
        try (Scrub scrub = Scrub.open(folders.config(), false)) {
            assertThat(scrub.run((done, total) -> {}).isSound()).isTrue();
        }
        folders.takeAway(0);
        folders.takeAway(2);
        assertReads();
    }
}
