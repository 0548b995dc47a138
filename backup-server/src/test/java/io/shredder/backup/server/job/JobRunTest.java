// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose images are not there, so that nothing but the way around a backup happens. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class JobRunTest {

    private static final String NONE = "file: none.img";

    @TempDir
    private Path folder;

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private Shredder engine;

    @AfterEach
    void stop() {
        if (engine != null) {
            engine.close();
        }
    }

    /** Of a job with these images, in YAML. */
    private JobRun run(String images, boolean listenerFails) throws IOException {
        TlsFiles tls = new TestCertificates(folder.resolve("certs")).client("site1");
        Files.createFile(folder.resolve("site.key"));
        Files.createFile(folder.resolve("site.secret"));
        Path file = Files.writeString(
                folder.resolve("server.yaml"),
                "version: 1\nstate: state\nagent: {address: 'localhost:1', certificate: " + tls.certificate()
                        + ", key: " + tls.key() + ", authority: " + tls.authority() + "}\n"
                        + "repository-key: {file: site.key, secret-file: site.secret}\n"
                        + "jobs: {nightly: {retry: {times: 0, after: 1s}, images: {" + images + "}}}\n");
        ServerConfig config = ServerConfigReader.read(file);
        engine = Shredder.open(config.engine());
        BackupSite site = new BackupSite(config, engine, Pace.unlimited(), Clock.systemUTC());
        return new JobRun(site, config.jobs().get(0), outcome -> {
            told.add(outcome.images().get(0).image());
            if (listenerFails) {
                throw new IllegalStateException("a page can't be made");
            }
        });
    }

    @Test
    void whatBecameOfEachIsToldWhateverBecomesOfWhoIsTold() throws IOException {
        JobRun run = run("a: {" + NONE + "}, b: {" + NONE + "}, c: {" + NONE + "}", true);
        assertThatThrownBy(run::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was not told everybody");
        assertThat(told).containsExactly("a", "b", "c");
        assertThat(run.progress().done()).isEqualTo(3);
    }

    @Test
    void aRunThatIsEndedWhileItsHookThawsWaitsForThat() throws Exception {
        Path begun = folder.resolve("begun");
        Path done = folder.resolve("done");
        JobRun run = run(
                "a: {" + NONE + ", before: [/bin/true], after: [/bin/sh, -c, 'touch " + begun + "; sleep 2; touch "
                        + done + "']}",
                false);
        Thread runner = new Thread(run::run, "job-nightly");
        runner.start();
        while (!Files.exists(begun)) {
            Thread.sleep(10);
        }
        runner.interrupt();
        runner.join();
        assertThat(done).exists();
        assertThat(told).containsExactly("a");
    }
}
