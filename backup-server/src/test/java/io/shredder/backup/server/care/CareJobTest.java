// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.Secret;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Care that a bug ends: of a site whose certificates lie where nothing can be read in a way that is foreseen. */
class CareJobTest {

    @TempDir
    private Path folder;

    private final List<CareOutcome> told = new ArrayList<>();
    private ServerConfig config;

    @BeforeEach
    void configure() throws IOException {
        TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
        TlsFiles tls = certificates.client("site1");
        TlsFiles admin = certificates.client("site1-admin");
        SecureRandom random = new SecureRandom();
        Secret secret = SecretFile.create(folder.resolve("site.secret"), random);
        KeyFile.of(RepositoryKey.generate(random), secret, random).create(folder.resolve("site.key"));
        String way = "certificate: " + tls.certificate() + ", key: " + tls.key() + ", authority: " + tls.authority();
        Path file = Files.writeString(
                folder.resolve("server.yaml"),
                "version: 1\nstate: state\nagent: {address: 'localhost:1', " + way + "}\n"
                        + "repository-key: {file: site.key, secret-file: site.secret}\n"
                        + "jobs: {nightly: {keep: {daily: 7}, images: {a: {file: a.img}, b: {file: b.img}}}}\n"
                        + "care:\n  proof: {verify: {all-in: 7d}}\n"
                        + "  elsewhere: {copy: {to: 'localhost:2', " + way + "}}\n"
                        + "  starts: {boot: {images: [a, b], expect: 'login:'}}\n"
                        + "  old: {prune: {certificate: " + admin.certificate() + ", key: " + admin.key() + "}}\n");
        config = ServerConfigReader.read(file);
    }

    /** In an archive that was closed. */
    private TlsFiles unreadable() throws IOException {
        URI archive = URI.create("jar:" + folder.resolve("certs.zip").toUri());
        try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Path nothing = files.getPath("a");
            return new TlsFiles(nothing, nothing, nothing);
        }
    }

    private CareSite site(TlsFiles tls) throws IOException {
        ServerConfig broken = new ServerConfig(
                config.agent(),
                config.timeout(),
                tls,
                config.key(),
                config.state(),
                config.cache(),
                config.monitoring(),
                config.console(),
                config.backend(),
                config.concurrency(),
                config.stalledAfter(),
                config.bandwidth(),
                config.alerts(),
                config.jobs(),
                config.care());
        return new CareSite(
                broken, CareLedger.open(folder), Clock.systemUTC(), Pace.unlimited(), (job, image) -> List.of());
    }

    private boolean run(String name, boolean listenerFails) throws IOException {
        JobEvents events = new JobEvents() {
            @Override
            public void imageEnded(String job, ImageOutcome outcome) {}

            @Override
            public void careEnded(String care, CareOutcome outcome) {
                told.add(outcome);
                if (listenerFails) {
                    throw new IllegalStateException("a page can't be made");
                }
            }

            @Override
            public void keepersSeen(KeepersState state) {}

            @Override
            public void jobStarted(String job) {}

            @Override
            public void jobEnded(String job, boolean ok) {}

            @Override
            public void jobMissed(String job) {}
        };
        TlsFiles tls = unreadable();
        CareConfig care = config.care().stream()
                .filter(each -> each.name().equals(name))
                .map(each -> each.work() instanceof CareConfig.Prune prune
                        ? new CareConfig(
                                name,
                                each.times(),
                                each.bandwidth(),
                                new CareConfig.Prune(tls, prune.jobs(), prune.mostNew(), prune.collect()))
                        : each)
                .findFirst()
                .orElseThrow();
        return new CareJob(new CareWork(site(tls), care), care, events).begin().run();
    }

    @Test
    void careThatABugEndsHasFailedWhateverItIs() throws IOException {
        for (String name : List.of("proof", "elsewhere", "old")) {
            told.clear();
            assertThat(run(name, false)).as(name).isFalse();
            assertThat(told).as(name).hasSize(1);
            assertThat(told.get(0).error()).as(name).hasValueSatisfying(why -> assertThat(why)
                    .contains("ClosedFileSystemException"));
        }
    }

    @Test
    void anImageThatABugEndsKeepsNoneFromItsTurn() throws IOException {
        assertThat(run("starts", false)).isFalse();
        assertThat(told.stream().map(CareOutcome::image).map(image -> image.orElse("")))
                .containsExactly("a", "b");
        assertThat(told).allMatch(outcome -> outcome.error().isPresent());
    }

    @Test
    void whoFailsToHearOfOneImageHearsOfTheNext() throws IOException {
        assertThat(run("starts", true)).isFalse();
        assertThat(told).hasSize(2);
    }

    @Test
    void whatIsReadAgainSharesItsLimitWithRunsOfBefore() throws IOException {
        try (Shredder engine = Shredder.open(config.engine())) {
            DaemonPlan plan = new DaemonPlan(engine, CareLedger.open(folder), Clock.systemUTC());
            CareSite before = plan.site(config, (job, image) -> List.of());
            CareSite after = plan.site(config.keeping(config), (job, image) -> List.of());
            assertThat(after.pace()).isSameAs(before.pace());
        }
    }
}
