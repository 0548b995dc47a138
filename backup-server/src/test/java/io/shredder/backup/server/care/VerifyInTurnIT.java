// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.Sites;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.transfer.DamageSearch;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A part each day, by a real agent, on days of an injected clock. */
class VerifyInTurnIT {

    private static final int MIB = 1 << 20;
    private static final int CONTAINERS = 5;
    private static final int CONTAINER_BYTES = 64 * MIB;
    private static final Instant START = Instant.parse("2026-03-01T05:00:00Z");

    @TempDir
    private Path folder;

    private Sites sites;
    private ServerConfig config;
    private Instant now = START;

    @BeforeEach
    void start() throws Exception {
        sites = new Sites(folder);
        Path rights = folder.resolve("rights.yaml");
        Files.writeString(rights, "clients: {site1: {rights: [append, restore, prune]}}\n");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        sites.stayAtPort();
        Path image = folder.resolve("vm.img");
        Sites.random(image, new Random(1), CONTAINERS * CONTAINER_BYTES - CONTAINER_BYTES / 2);
        Sites.Result result = sites.server("backup", image.toString(), "--name", "vm");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Path file = folder.resolve("server.yaml");
        Files.writeString(
                file,
                "version: 1\nstate: " + Files.createDirectories(folder.resolve("state")) + "\n" + sites.agentSection()
                        + "jobs: {one: {images: {vm: {file: vm.img}}}}\n");
        config = ServerConfigReader.read(file);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private List<Path> containers() throws IOException {
        try (Stream<Path> files = Files.walk(sites.repository().resolve("containers"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Each run reads the ledger anew, as after a restart of the daemon. */
    private CareOutcome run(int days) throws IOException {
        CareSite site = new CareSite(
                config,
                CareLedger.open(folder.resolve("state")),
                Clock.fixed(now, ZoneOffset.UTC),
                Pace.unlimited(),
                (job, image) -> List.of());
        try (AgentClient agent = sites.connect(sites.port())) {
            return new VerifyInTurn(site, "proof", new CareConfig.Verify(Duration.ofDays(days))).run(agent);
        }
    }

    private CareOutcome nextDay(int days) throws IOException {
        now = now.plus(Duration.ofDays(1));
        return run(days);
    }

    private static double chunks(CareOutcome outcome) {
        return outcome.figures().get("verified.chunks");
    }

    @Test
    void allIsReadInItsTimeAPartADay() throws IOException {
        assertThat(containers()).hasSize(CONTAINERS);
        double all;
        try (AgentClient agent = sites.connect(sites.port())) {
            all = agent.statistics().chunks();
        }
        double read = 0;
        double most = 0;
        CareOutcome first = run(CONTAINERS);
        for (int day = 1; day < CONTAINERS; day++) {
            CareOutcome outcome = day == 1 ? first : nextDay(CONTAINERS);
            assertThat(outcome.succeeded()).isTrue();
            read += chunks(outcome);
            most = Math.max(most, chunks(outcome));
        }
        read += chunks(nextDay(CONTAINERS));
        assertThat(most).isLessThan(all * 0.75);
        assertThat(read).isGreaterThanOrEqualTo(all);
        // The pass is over, so its beginning moves on.
        double began = nextDay(CONTAINERS).figures().get("pass.began.timestamp.seconds");
        assertThat(Instant.ofEpochSecond((long) began)).isAfter(START);
    }

    @Test
    void damageIsFoundInItsTimeStaysKnownAndIsSeenToBeMended() throws IOException {
        Path hurt = containers().get(3);
        byte[] sound = Files.readAllBytes(hurt);
        try (RandomAccessFile file = new RandomAccessFile(hurt.toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write(sound[sound.length / 2] ^ 1);
        }
        CareOutcome found = run(CONTAINERS);
        int days = 1;
        while (found.problems().isEmpty() && days < CONTAINERS) {
            found = nextDay(CONTAINERS);
            days++;
        }
        assertThat(found.problems())
                .as("after %d days", days)
                .anyMatch(line -> line.contains(hurt.getFileName().toString()))
                .first()
                .asString()
                .startsWith("vm");
        for (int day = 0; day < 3; day++) {
            assertThat(nextDay(CONTAINERS).problems()).isEqualTo(found.problems());
        }
        Files.write(hurt, sound);
        assertThat(nextDay(CONTAINERS).problems()).isEmpty();
    }

    @Test
    void snapshotsThatArePrunedWhileHurtOnesAreSearchedForAreNotMissed() throws Exception {
        Sites.Result again = sites.server("backup", folder.resolve("vm.img").toString(), "--name", "vm");
        assertThat(again.exitCode()).as(again.err()).isZero();
        try (AgentClient agent = sites.connect(sites.port())) {
            List<SnapshotInfo> listed = AgentSeries.listAll(agent).snapshots();
            assertThat(listed).hasSize(2);
            Sites.Result pruned = sites.server("prune", "vm", "--keep-last", "1");
            assertThat(pruned.exitCode()).as(pruned.err()).isZero();
            assertThat(new DamageSearch(agent, Optional.empty(), Set.of()).among(listed))
                    .isEmpty();
        }
    }

    @Test
    void aRunThatCameLateMakesUpForTheDaysBetweenAndSaysThatItTookTooLong() throws IOException {
        CareOutcome first = run(100);
        now = now.plus(Duration.ofDays(70));
        assertThat(chunks(run(100))).isGreaterThan(2 * chunks(first));
        now = now.plus(Duration.ofDays(40));
        assertThat(run(100).error()).hasValueSatisfying(text -> assertThat(text).contains("100 days"));
    }

    @Test
    void aLedgerThatIsDamagedCostsNoMoreThanToBeginAgain() throws IOException {
        run(CONTAINERS);
        Path ledger = folder.resolve("state/care.json");
        byte[] whole = Files.readAllBytes(ledger);
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            byte[] broken = java.util.Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
            broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            Files.write(ledger, broken);
            assertThat(CareLedger.open(folder.resolve("state"))).isNotNull();
        }
        Files.writeString(ledger, "{");
        assertThat(nextDay(CONTAINERS).succeeded()).isTrue();
    }
}
