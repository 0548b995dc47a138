// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.trial.TrialRun;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shredder-backup backup-machine} with a real QEMU, and all that may happen to its bitmaps. */
class RunningMachineIT {

    private static final int MIB = 1 << 20;
    private static final String ROOT = "root.qcow2";
    private static final String DATA = "data.raw";

    private final long seed = Long.getLong("shredder.seed", new Random().nextInt(1_000_000));
    private final Random random = new Random(seed);

    @TempDir
    private Path folder;

    private Sites sites;
    private RunningQemu qemu;

    @BeforeEach
    void start() throws Exception {
        System.out.println("seed " + seed + " (again with -Dshredder.seed=" + seed + ")");
        for (String program : List.of("qemu-system-x86_64", "qemu-img")) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin", program)),
                    program + " is not there: tools/packages.sh open");
        }
        sites = new Sites(folder);
        Path rights = folder.resolve("rights.yaml");
        Files.writeString(rights, "others: {rights: [append, restore, prune]}\n");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        qemu = new RunningQemu(folder).disk(ROOT, 64 * MIB, random).disk(DATA, 16 * MIB, random);
        qemu.start();
    }

    @AfterEach
    void stop() throws IOException {
        if (qemu != null) {
            qemu.close();
        }
        if (sites != null) {
            sites.close();
        }
    }

    private String[] words(String... options) {
        List<String> words = new ArrayList<>(List.of("backup-machine", "qmp:" + qemu.qmp(), "--name", "vm"));
        words.addAll(List.of("--scratch", folder.toString(), "--json"));
        words.addAll(List.of(options));
        return words.toArray(String[]::new);
    }

    /** What a backup says of each series. */
    private Map<String, JsonNode> backUp(String... options) throws IOException {
        Sites.Result result = sites.here(words(options));
        assertThat(result.exitCode()).as(result.err() + result.out()).isZero();
        return results(result.out());
    }

    private static Map<String, JsonNode> results(String out) throws IOException {
        Map<String, JsonNode> results = new LinkedHashMap<>();
        for (String line : out.split("\n")) {
            JsonNode result = new ObjectMapper().readTree(line);
            results.put(result.path("name").asText(), result);
        }
        return results;
    }

    private void assertRestores(String disk, byte[] content) throws IOException {
        Path restored = folder.resolve("restored");
        Files.deleteIfExists(restored);
        Sites.Result result = sites.here("restore", "vm." + disk, "--to", restored.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Arrays.mismatch(Files.readAllBytes(restored), content))
                .as(disk)
                .isEqualTo(-1);
    }

    private void assertRestores() throws IOException {
        for (String disk : List.of(ROOT, DATA)) {
            assertRestores(disk, qemu.content(disk));
        }
    }

    /** Nothing is left in the machine but one bitmap of each disk. */
    private void assertTidy() throws IOException {
        for (String disk : List.of(ROOT, DATA)) {
            assertThat(qemu.bitmaps(disk)).hasSize(1).allMatch(name -> name.startsWith("shredder-c"));
        }
        assertThat(qemu.ask("query-block-jobs", Map.of())).isEmpty();
        assertThat(qemu.ask("query-block-exports", Map.of())).isEmpty();
        assertThat(qemu.ask("query-named-block-nodes", Map.of("flat", true)).toString())
                .doesNotContain("\"node-name\":\"shredder-");
        try (var files = Files.list(folder)) {
            assertThat(files.filter(Files::isDirectory)
                            .map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("shredder-"));
        }
    }

    private static void assertReadWholly(JsonNode result, String why) {
        assertThat(result.path("readWholly").asText()).contains(why);
        assertThat(result.path("imageBytesRead").asLong())
                .isGreaterThanOrEqualTo(result.path("imageBytes").asLong() / 2);
    }

    private static void assertReadPartly(JsonNode result) {
        assertThat(result.path("readWholly").isMissingNode())
                .as(result.toString())
                .isTrue();
        assertThat(result.path("imageBytesRead").asLong())
                .isLessThan(result.path("imageBytes").asLong() / 3);
    }

    @Test
    void afterTheFirstBackupOnlyWhatTheMachineWroteIsRead() throws Exception {
        Map<String, JsonNode> first = backUp();
        assertThat(first).containsOnlyKeys("vm." + ROOT, "vm." + DATA);
        first.values().forEach(result -> assertReadWholly(result, "first snapshot"));
        assertRestores();
        assertTidy();
        for (int i = 0; i < 3; i++) {
            qemu.writeSome(ROOT, 5, random);
            Map<String, JsonNode> next = backUp();
            next.values().forEach(RunningMachineIT::assertReadPartly);
            assertThat(next.get("vm." + DATA).path("imageBytesRead").asLong()).isZero();
            assertRestores();
            assertTidy();
        }
    }

    @InTurn(days = 3)
    @Test
    void theSnapshotIsOfTheMomentAtWhichItBeganWhateverTheMachineWritesMeanwhile() throws Exception {
        backUp();
        qemu.writeSome(ROOT, 5, random);
        byte[] root = qemu.content(ROOT);
        byte[] data = qemu.content(DATA);
        Process backup = sites.startServer(words("--read-bandwidth", "128k"));
        TrialRun.await("a held disk", 60_000, () -> !exports().isEmpty() || !backup.isAlive());
        qemu.writeSome(ROOT, 30, random);
        qemu.writeSome(DATA, 10, random);
        assertThat(backup.isAlive()).as(log()).isTrue();
        assertThat(Sites.awaitExit(backup, 120_000)).isTrue();
        assertThat(backup.exitValue()).as(log()).isZero();
        assertRestores(ROOT, root);
        assertRestores(DATA, data);
        assertTidy();
        backUp().values().forEach(result -> assertThat(result.path("readWholly").isMissingNode())
                .isTrue());
        assertRestores();
    }

    private JsonNode exports() throws IOException {
        return qemu.ask("query-block-exports", Map.of());
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    @InTurn(days = 3)
    @Test
    void anOrderlyEndKeepsTheBitmapWhereTheFormatDoesAndAKilledMachineIsReadWholly() throws Exception {
        backUp();
        qemu.writeSome(ROOT, 3, random);
        qemu.quit();
        qemu.start();
        qemu.writeSome(ROOT, 3, random);
        Map<String, JsonNode> after = backUp();
        assertReadPartly(after.get("vm." + ROOT));
        assertReadWholly(after.get("vm." + DATA), "keeps none");
        assertRestores();
        qemu.writeSome(ROOT, 3, random);
        qemu.quit();
        qemu.start();
        qemu.kill(); // Its bitmaps are marked as in use from the first write on.
        qemu.start();
        qemu.writeSome(ROOT, 3, random);
        qemu.kill();
        qemu.start();
        assertReadWholly(backUp().get("vm." + ROOT), "inconsistent");
        assertRestores();
        assertTidy();
        qemu.writeSome(ROOT, 3, random);
        assertReadPartly(backUp().get("vm." + ROOT));
        assertRestores();
    }

    @InTurn(days = 3)
    @Test
    void aBitmapThatSomebodyTookAwayStoppedOrLeftBehindIsNotMissed() throws Exception {
        backUp();
        qemu.writeSome(ROOT, 3, random);
        qemu.ask("block-dirty-bitmap-remove", bitmap(ROOT));
        assertReadWholly(backUp().get("vm." + ROOT), "took away");
        assertRestores();
        qemu.ask("block-dirty-bitmap-disable", bitmap(ROOT));
        qemu.writeSome(ROOT, 3, random);
        assertReadWholly(backUp().get("vm." + ROOT), "not to record");
        assertRestores();
        qemu.ask(
                "blockdev-snapshot-sync",
                Map.of(
                        "device",
                        ROOT,
                        "snapshot-file",
                        folder.resolve("overlay").toString(),
                        "format",
                        "qcow2"));
        qemu.writeSome(ROOT, 3, random);
        assertReadWholly(backUp().get("vm." + ROOT), "left behind");
        assertRestores();
    }

    private Map<String, String> bitmap(String disk) throws IOException {
        return Map.of("node", qemu.node(disk), "name", qemu.bitmaps(disk).get(0));
    }

    @Test
    void aBitmapThatLiesIsFoundWhenEveryByteIsReadAndWrongSnapshotsAreNamed() throws Exception {
        backUp();
        byte[] before = qemu.content(ROOT);
        qemu.write(ROOT, 20 * MIB, 4096, 7);
        qemu.ask("block-dirty-bitmap-clear", bitmap(ROOT));
        assertReadPartly(backUp().get("vm." + ROOT));
        assertRestores(ROOT, before);
        Sites.Result found = sites.here(words("--whole-every", "1s"));
        assertThat(found.exitCode()).as(found.err()).isZero();
        assertThat(found.err()).contains("lied", "at least 4096 bytes", "vm." + ROOT + "@3");
        assertReadWholly(results(found.out()).get("vm." + ROOT), "longer ago");
        assertRestores();
    }

    @InTurn(days = 3)
    @Test
    void aDiskMayGrowAndShrink() throws Exception {
        backUp();
        qemu.resize(ROOT, 80 * MIB);
        qemu.write(ROOT, 70 * MIB, 8192, 9);
        assertReadPartly(backUp().get("vm." + ROOT));
        assertRestores();
        qemu.resize(DATA, 20 * MIB);
        qemu.write(DATA, 0, 4096, 9);
        backUp();
        assertRestores();
    }

    @Test
    void aBackupThatFailsOrIsKilledCostsNothing() throws Exception {
        backUp();
        qemu.writeSome(ROOT, 5, random);
        Process killed = sites.startServer(words("--read-bandwidth", "64k"));
        TrialRun.await("a held disk", 60_000, () -> !exports().isEmpty() || !killed.isAlive());
        assertThat(killed.isAlive()).as(log()).isTrue();
        Sites.Result second = sites.here(words());
        assertThat(second.exitCode()).isOne();
        assertThat(second.err()).contains("end that");
        killed.destroyForcibly();
        assertThat(Sites.awaitExit(killed, 30_000)).isTrue();
        qemu.writeSome(ROOT, 5, random);
        sites.killAgent();
        assertThat(sites.here(words()).exitCode()).isOne();
        sites.startAgent();
        qemu.writeSome(DATA, 2, random);
        Map<String, JsonNode> next = backUp();
        assertThat(next.get("vm." + ROOT).path("readWholly").isMissingNode())
                .as(next.toString())
                .isTrue();
        assertThat(next.get("vm." + DATA).path("readWholly").isMissingNode()).isTrue();
        assertRestores();

        qemu.writeSome(ROOT, 5, random);
        Process ended = sites.startServer(words("--read-bandwidth", "64k"));
        TrialRun.await("a held disk", 60_000, () -> !exports().isEmpty() || !ended.isAlive());
        ended.destroy();
        assertThat(Sites.awaitExit(ended, 30_000)).isTrue();
        assertThat(ended.exitValue()).isNotZero();
        assertThat(exports()).isEmpty();
        assertThat(qemu.ask("query-block-jobs", Map.of())).isEmpty();
        backUp();
        assertRestores();
    }

    @InTurn(days = 3)
    @Test
    void disksThatAreLetGoOfWhileTheyAreReadFailAndCostNothing() throws Exception {
        backUp();
        qemu.writeSome(ROOT, 5, random);
        Process backup = sites.startServer(words("--read-bandwidth", "256k"));
        TrialRun.await("a held disk", 60_000, () -> !exports().isEmpty() || !backup.isAlive());
        for (JsonNode job : qemu.ask("query-block-jobs", Map.of())) {
            qemu.ask("block-job-cancel", Map.of("device", job.path("device").asText(), "force", true));
        }
        assertThat(Sites.awaitExit(backup, 120_000)).isTrue();
        assertThat(backup.exitValue()).as(log()).isOne();
        assertThat(log()).contains("disk " + ROOT).contains("was let go of while it was read");
        backUp().values().forEach(result -> assertThat(result.path("readWholly").isMissingNode())
                .as(result.toString())
                .isTrue());
        assertRestores();
        assertTidy();
    }

    @InTurn(days = 3)
    @Test
    void eachRepositoryHasABitmapOfItsOwn() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        try (Sites elsewhere = new Sites(other)) {
            elsewhere.startAgent();
            backUp();
            qemu.writeSome(ROOT, 3, random);
            assertThat(elsewhere.here(words()).exitCode()).isZero();
            assertThat(qemu.bitmaps(ROOT)).hasSize(2);
            qemu.writeSome(ROOT, 3, random);
            assertReadPartly(backUp().get("vm." + ROOT));
            assertRestores();
            Sites.Result second = elsewhere.here(words());
            assertReadPartly(results(second.out()).get("vm." + ROOT));
            assertThat(qemu.bitmaps(ROOT)).hasSize(2);
        }
    }

    @Test
    void withoutThePreviousSnapshotOrItsCacheEverythingIsRead() throws Exception {
        backUp();
        backUp();
        Sites.Result pruned = sites.here("prune", "--id", "3");
        assertThat(pruned.exitCode()).as(pruned.err() + pruned.out()).isZero();
        assertThat(sites.here("accept", "vm." + ROOT).exitCode()).isZero();
        qemu.writeSome(ROOT, 3, random);
        assertReadWholly(backUp().get("vm." + ROOT), "only of others");
        assertRestores();
        assertTidy();
        backUp("--no-cache").values().forEach(result -> assertReadWholly(result, "no cache"));
        assertRestores();
    }

    @Test
    void onlyTheDisksThatAreWantedAreHeld() throws Exception {
        assertThat(backUp("--except", DATA)).containsOnlyKeys("vm." + ROOT);
        assertThat(backUp("--disk", DATA)).containsOnlyKeys("vm." + DATA);
        Sites.Result unknown = sites.here(words("--disk", "vdz"));
        assertThat(unknown.exitCode()).isOne();
        assertThat(unknown.err()).contains("no disk vdz", ROOT);
    }
}
