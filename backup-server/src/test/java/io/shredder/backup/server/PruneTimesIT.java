// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the daemon prunes by what its clock, the schedule and the agent's clock say: a real agent, a jumping clock. */
class PruneTimesIT {

    @TempDir
    private Path folder;

    private ClockedDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        daemon = new ClockedDaemon(
                folder,
                "jobs: {nightly: {schedule: '30 2 * * *', quiet: ['Mon-Sat 02:00-04:00'], keep: {last: 1},"
                        + " retry: {times: 0}, images: {vm: {file: vm.img}}}}\n"
                        + "care: {old: {prune: {certificate: CERTS/client-site1-admin.crt,"
                        + " key: CERTS/client-site1-admin.key, gc: true}}}\n");
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
    }

    private void run(String name, String time) throws IOException {
        daemon.changeImage(1 << 20);
        daemon.care.clear();
        boolean unused = daemon.run(name, time);
        assertThat(daemon.images).allMatch(ImageOutcome::succeeded);
    }

    private CareOutcome ofImage() {
        return daemon.care.stream()
                .filter(outcome -> outcome.image().isPresent())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingGoesOfAnImageWhoseBackupIsOverdueOrIsOfATimeToCome() throws IOException {
        for (int day = 1; day <= 3; day++) {
            run("nightly", "2026-03-0" + day + "T04:00:00Z");
        }
        run("old", "2026-03-03T12:00:00Z");
        assertThat(ofImage().figures()).containsEntry("deleted.snapshots", 2.0);
        assertThat(daemon.care.stream()
                        .filter(outcome -> outcome.figures().containsKey("freed.bytes"))
                        .mapToDouble(outcome -> outcome.figures().get("freed.bytes")))
                .singleElement()
                .satisfies(freed -> assertThat(freed).isGreaterThan(1.5e6));
        run("nightly", "2026-03-04T04:00:00Z");
        run("old", "2026-03-05T04:59:00Z");
        assertThat(ofImage().figures())
                .as("it has an hour after its quiet times")
                .containsEntry("held", 0.0);
        run("nightly", "2026-03-05T04:59:30Z");
        run("old", "2026-03-06T05:00:00Z");
        assertThat(ofImage().figures()).containsEntry("held", 1.0).containsEntry("deleted.snapshots", 0.0);
        assertThat(ofImage().problems())
                .singleElement()
                .asString()
                .contains("its backup is overdue; one was due at 2026-03-06T02:30:00Z")
                .contains("2026-03-05T04:59:30Z");
        assertThat(daemon.agent().received("vm")).hasSize(2);
        run("old", "2026-03-04T12:00:00Z");
        assertThat(ofImage().problems()).singleElement().asString().contains("which is to come: set the clock");
        run("nightly", "2026-03-06T05:00:00Z");
        run("old", "2026-03-06T05:00:00Z");
        assertThat(ofImage().figures()).containsEntry("deleted.snapshots", 2.0);
        assertThat(daemon.agent().received("vm")).hasSize(1);
    }
}
