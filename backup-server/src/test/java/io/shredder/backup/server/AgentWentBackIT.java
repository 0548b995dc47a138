// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.alert.AlertKind;
import io.shredder.backup.server.alert.AlertSite;
import io.shredder.backup.server.alert.Alerts;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What backups and care tell of the agent's machine: a real agent whose disk is put back, a jumping clock. */
class AgentWentBackIT {

    @TempDir
    private Path folder;

    private ClockedDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        daemon = new ClockedDaemon(
                folder,
                "jobs: {nightly: {retry: {times: 0}, keep: {last: 1}, images: {vm: {file: vm.img}}}}\n"
                        + "care: {starts: {boot: {images: [vm]}}, old: {prune: {certificate:"
                        + " CERTS/client-site1-admin.crt, key: CERTS/client-site1-admin.key}}}\n");
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
    }

    private ImageOutcome backUp(int day) throws IOException {
        daemon.changeImage(1 << 20);
        daemon.images.clear();
        boolean unused = daemon.run("nightly", "2026-03-0" + day + "T02:30:00Z");
        return daemon.images.remove();
    }

    private void putBack(Map<String, byte[]> files) throws IOException {
        daemon.agent().set(false);
        FileTree.write(folder.resolve("agent"), files);
        daemon.agent().set(true);
    }

    private Map<String, byte[]> files() throws IOException {
        daemon.agent().set(false);
        Map<String, byte[]> files = FileTree.read(folder.resolve("agent"));
        daemon.agent().set(true);
        return files;
    }

    @Test
    void anAgentWhoseDiskWasPutBackIsToldOfUntilItShowsAllAgain() throws IOException {
        assertThat(backUp(1).succeeded()).isTrue();
        Map<String, byte[]> before = files();
        assertThat(backUp(2).succeeded()).isTrue();
        Map<String, byte[]> all = files();
        try (Alerts alerts = Alerts.start(
                AlertSite.of(daemon.config()), daemon.config().state(), daemon.clock, "site1", unused -> {})) {
            putBack(before);
            ImageOutcome lost = backUp(3);
            assertThat(lost.agentWentBack()).isTrue();
            alerts.imageEnded("nightly", lost);
            assertThat(alerts.raised())
                    .filteredOn(alert -> alert.kind() == AlertKind.AGENT_WENT_BACK)
                    .singleElement()
                    .extracting(Alert::what)
                    .asString()
                    .startsWith("ALARM: the agent shows less of 'vm' than it had: vm@");
            assertThat(alerts.doubts("nightly", "vm")).isNotEmpty();

            assertThat(daemon.run("starts", "2026-03-03T03:00:00Z")).isFalse();
            CareOutcome notStarted = daemon.care.remove();
            assertThat(notStarted.agentWentBack()).isTrue();
            assertThat(notStarted.error().orElseThrow()).startsWith("ALARM: ");

            daemon.agent().set(false);
            ImageOutcome away = backUp(4);
            assertThat(away.succeeded()).isFalse();
            assertThat(away.agentWentBack()).as("nothing was seen").isFalse();
            alerts.imageEnded("nightly", away);
            assertThat(alerts.raised()).extracting(Alert::kind).contains(AlertKind.AGENT_WENT_BACK);

            putBack(all);
            alerts.imageEnded("nightly", backUp(5));
            assertThat(alerts.raised()).isEmpty();
            assertThat(alerts.doubts("nightly", "vm")).isEmpty();
        }
    }

    @Test
    void nothingIsPrunedOfWhatTheAgentShowsLessOf() throws IOException {
        assertThat(backUp(1).succeeded()).isTrue();
        assertThat(backUp(2).succeeded()).isTrue();
        Map<String, byte[]> before = files();
        assertThat(daemon.run("nightly", "2026-03-03T02:30:00Z")).isTrue();
        putBack(before);
        assertThat(daemon.run("old", "2026-03-03T02:40:00Z")).isFalse();
        assertThat(daemon.care)
                .filteredOn(outcome -> outcome.image().isPresent())
                .singleElement()
                .satisfies(outcome -> {
                    assertThat(outcome.agentWentBack()).isTrue();
                    assertThat(outcome.error().orElseThrow()).startsWith("ALARM: the agent shows less of");
                });
        assertThat(daemon.agent().names()).as("the snapshots of two days").hasSize(2);
    }

    @Test
    void eachBackupHearsWhatRoomIsLeftAndWhatTheAgentsClockShows() throws IOException {
        assertThat(backUp(1).succeeded()).isTrue();
        assertThat(daemon.rooms).singleElement().satisfies(room -> assertThat(room.usableBytes())
                .isBetween(1L, folder.toFile().getTotalSpace()));
        assertThat(daemon.apart).containsExactly(Duration.ZERO);
        daemon.agent().set(false);
        assertThat(backUp(2).succeeded()).isFalse();
        assertThat(daemon.rooms).hasSize(1);
        assertThat(daemon.apart).hasSize(1);
    }
}
