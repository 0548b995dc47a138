// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent's store over three keepers, each a process of {@code backup-agent keep}: all by the real programs. */
class RemoteKeepersIT {

    private static final int KEEPERS = 3;
    private static final int KILLS = 3;
    private static final int MOST_WAIT_MS = 500;
    private static final long TIMEOUT_S = 150;

    @TempDir
    private Path folder;

    private final Map<Integer, Process> running = new TreeMap<>();
    private final Map<Integer, Integer> ports = new TreeMap<>();
    private final Random random = new Random(Samples.seed());
    private Sites sites;
    private Path list;
    private Path image;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        Files.writeString(folder.resolve("keeper-rights.yaml"), "clients: {agent1: {rights: [keep]}}\n");
        for (int i = 0; i < KEEPERS; i++) {
            Files.createDirectory(keeper(i));
            startKeeper(i);
        }
        list = folder.resolve("keepers.yaml");
        Files.writeString(list, "data: 2\nparity: 1\nkeepers: " + addresses() + "\n");
        List<String> options = new ArrayList<>(List.of("--store", "disperse:" + list));
        options.addAll(keeperTls());
        sites.serveWith(options.toArray(String[]::new));
        sites.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), 3 << 20);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
        running.values().forEach(Process::destroyForcibly);
    }

    private Path keeper(int place) {
        return folder.resolve("keeper" + place);
    }

    private String certificate(String name) {
        return folder.resolve("certs").resolve(name).toString();
    }

    private List<String> addresses() {
        return ports.values().stream().map(port -> "keep://127.0.0.1:" + port).toList();
    }

    private List<String> keeperTls() {
        return List.of(
                "--keeper-cert", certificate("client-agent1.crt"),
                "--keeper-key", certificate("client-agent1.key"),
                "--keeper-ca", certificate("ca.crt"));
    }

    private void startKeeper(int place) throws IOException {
        Path portFile = folder.resolve("port" + place);
        Files.deleteIfExists(portFile);
        Process process = sites.startAgentProgram(
                folder.resolve("keeper" + place + ".log"),
                "keep",
                "--folder",
                keeper(place).toString(),
                "--listen",
                "127.0.0.1:" + ports.getOrDefault(place, 0),
                "--port-file",
                portFile.toString(),
                "--rights",
                folder.resolve("keeper-rights.yaml").toString(),
                "--cert",
                certificate("keeper-127.0.0.1.crt"),
                "--key",
                certificate("keeper-127.0.0.1.key"),
                "--ca",
                certificate("ca.crt"));
        running.put(place, process);
        while (!Files.exists(portFile)) {
            assertThat(Sites.awaitExit(process, 20))
                    .as("keeper %s ended", place)
                    .isFalse();
        }
        ports.put(place, Integer.parseInt(Files.readString(portFile).strip()));
    }

    /** {@code kill -9}. */
    private void killKeeper(int place) throws IOException {
        Process process = running.remove(place);
        process.destroyForcibly();
        assertThat(Sites.awaitExit(process, 60_000)).isTrue();
    }

    private Sites.Result command(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of("--keepers", list.toString()));
        words.addAll(keeperTls());
        return sites.agentCommand(words.toArray(String[]::new));
    }

    private void assertRestores() throws IOException {
        Path restored = folder.resolve("restored");
        Files.deleteIfExists(restored);
        Sites.Result result = sites.here("restore", "vm", "--to", restored.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Files.mismatch(image, restored)).isEqualTo(-1);
    }

    @Test
    void aStoreOverThreeMachinesOutlivesEachOfThemAndAnyOfThemIsReplaced() throws IOException {
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
        Sites.Result held = command("check-keepers");
        assertThat(held.exitCode()).isEqualTo(1);
        assertThat(held.err()).contains("is held by agent1 (client /127.0.0.1:").contains("stop that one first");
        Sites.Result unknown = sites.agentCommand("check-keepers", "--keepers", list.toString());
        assertThat(unknown.err()).contains("keepers.yaml:3:").contains("--keeper-cert, --keeper-key and --keeper-ca");
        killKeeper(1);
        assertRestores();
        Sites.Result refused = sites.here("backup", image.toString(), "--name", "vm");
        assertThat(refused.exitCode()).isEqualTo(1);
        sites.stopAgent();
        Files.move(keeper(1), folder.resolve("lost"));
        Files.createDirectory(keeper(1));
        startKeeper(1);
        Sites.Result replaced = command("replace-keeper", "--place", "1");
        assertThat(replaced.exitCode()).as(replaced.err()).isZero();
        assertThat(replaced.out()).contains("keeper 1 (keep://127.0.0.1:" + ports.get(1) + ") has everything; wrote");
        Sites.Result checked = command("check-keepers");
        assertThat(checked.exitCode()).as(checked.out() + checked.err()).isZero();
        assertThat(checked.out()).contains("keeper 2 (keep://127.0.0.1:" + ports.get(2) + "): sound");
        killKeeper(0);
        startKeeper(0);
        sites.startAgent();
        Sites.random(image, new Random(2), 3 << 20);
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
        killKeeper(2);
        assertRestores();
        Process last = running.get(0);
        last.destroy();
        assertThat(Sites.awaitExit(last, 60_000)).isTrue();
        assertThat(last.exitValue()).as("a keeper that is stopped in use").isZero();
    }

    private static void signal(String name, Process process) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
        assertThat(Sites.awaitExit(kill, 10_000)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** Begins a restore while a keeper answers nothing, so that another is asked for each of its cells. */
    private CompletableFuture<Sites.Result> restoreHedged(Path restored) throws Exception {
        signal("STOP", running.get(1));
        CompletableFuture<Sites.Result> restore =
                CompletableFuture.supplyAsync(() -> sites.here("restore", "vm", "--to", restored.toString()));
        Thread.sleep(random.nextInt(MOST_WAIT_MS));
        return restore;
    }

    @Test
    @InTurn(days = 3)
    void killsDuringHedgedReadsGiveNobodyOtherBytesAndLeaveAllSound() throws Exception {
        Sites.random(image, random, 24 << 20);
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
        for (int round = 0; round < KILLS; round++) {
            Path first = folder.resolve("first" + round);
            CompletableFuture<Sites.Result> restore = restoreHedged(first);
            sites.killAgent();
            if (restore.get(TIMEOUT_S, TimeUnit.SECONDS).exitCode() == 0) {
                assertThat(Files.mismatch(image, first)).isEqualTo(-1);
            }
            signal("CONT", running.get(1));
            sites.startAgent();
            Path second = folder.resolve("second" + round);
            restore = restoreHedged(second);
            killKeeper(1);
            Sites.Result result = restore.get(TIMEOUT_S, TimeUnit.SECONDS);
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(Files.mismatch(image, second)).isEqualTo(-1);
            startKeeper(1);
            sites.stopAgent();
            sites.startAgent();
        }
        sites.stopAgent();
        Sites.Result checked = command("check-keepers");
        assertThat(checked.exitCode()).as(checked.out() + checked.err()).isZero();
    }
}
