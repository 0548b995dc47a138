// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.schedule.JobControl;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.history.DaemonHistory;
import io.shredder.backup.server.recovery.Recovery;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where the console looks; all of it may be asked from any thread.
 *
 * @param care what the configuration that is used now says
 * @param jobs how they stand, and who has them start
 * @param history of years
 * @param alerts what is wrong now
 * @param recovery what is shown of the agent's snapshots
 * @param site what this machine is called
 * @param started when the daemon was
 */
public record ConsoleSources(
        Supplier<CareSite> care,
        JobControl jobs,
        DaemonHistory history,
        Supplier<List<Alert>> alerts,
        Recovery recovery,
        String site,
        Instant started) {

    ServerConfig config() {
        return care.get().config();
    }

    CareLedger ledger() {
        return care.get().ledger();
    }

    Instant now() {
        return care.get().now();
    }
}
