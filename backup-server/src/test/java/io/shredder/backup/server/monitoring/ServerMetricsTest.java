// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.server.job.StoreRoom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {

    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

    private static KeeperState keeper(Condition condition, long lacking, long filled) {
        return new KeeperState(condition, "/secret/folder", "why", Optional.empty(), lacking, 2, filled, 9 * filled);
    }

    @Test
    void theRoomThatIsLeftIsShownWhereThereIsALimit() {
        try (ServerMetrics metrics = new ServerMetrics(CLOCK)) {
            metrics.roomSeen(new StoreRoom(new UUID(1, 2), Long.MAX_VALUE));
            assertThat(metrics.text()).doesNotContain("usable");
            metrics.roomSeen(new StoreRoom(new UUID(1, 2), 5_000));
            assertThat(metrics.text()).contains("shredder_backup_store_usable_bytes 5000.0");
        }
    }

    @Test
    void theStateOfKeepersIsShownByPlaceAndOutlivesAConfiguration() {
        try (ServerMetrics metrics = new ServerMetrics(CLOCK)) {
            assertThat(metrics.text()).doesNotContain("keeper");
            metrics.jobStarted("old");
            metrics.jobStarted("new");
            metrics.keepersSeen(new KeepersState(
                    1,
                    1,
                    7,
                    true,
                    true,
                    0,
                    1,
                    3,
                    List.of(keeper(Condition.WHOLE, 0, 0), keeper(Condition.FILLING, 5, 4))));
            metrics.keepOnly(Set.of("new"));
            assertThat(metrics.text())
                    .contains(
                            "shredder_backup_job_running{job=\"new\"} 1.0",
                            "shredder_backup_store_seen_timestamp_seconds 1.7E9",
                            "shredder_backup_store_epoch 7.0",
                            "shredder_backup_store_writable 1.0",
                            "shredder_backup_store_readable 1.0",
                            "shredder_backup_store_spare_to_write 0.0",
                            "shredder_backup_store_spare_to_read 1.0",
                            "shredder_backup_store_undecided_files 3.0",
                            "shredder_backup_keeper_state{keeper=\"0\",state=\"whole\"} 1.0",
                            "shredder_backup_keeper_state{keeper=\"0\",state=\"away\"} 0.0",
                            "shredder_backup_keeper_state{keeper=\"1\",state=\"being-filled\"} 1.0",
                            "shredder_backup_keeper_lacking_files{keeper=\"1\"} 5.0",
                            "shredder_backup_keeper_damaged_places{keeper=\"1\"} 2.0",
                            "shredder_backup_keeper_filled_bytes{keeper=\"1\"} 4.0",
                            "shredder_backup_keeper_to_fill_bytes{keeper=\"1\"} 36.0")
                    .doesNotContain("job=\"old\"", "secret", "why");
            metrics.keepersSeen(new KeepersState(
                    1,
                    1,
                    8,
                    false,
                    true,
                    0,
                    0,
                    0,
                    List.of(keeper(Condition.WHOLE, 0, 0), keeper(Condition.AWAY, 5, 0))));
            assertThat(metrics.text())
                    .contains(
                            "shredder_backup_store_writable 0.0",
                            "shredder_backup_keeper_state{keeper=\"1\",state=\"being-filled\"} 0.0",
                            "shredder_backup_keeper_state{keeper=\"1\",state=\"away\"} 1.0");
        }
    }
}
