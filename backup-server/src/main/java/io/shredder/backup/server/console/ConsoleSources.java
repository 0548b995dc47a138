// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.schedule.JobControl;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.history.DaemonHistory;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where the console looks; all of it may be asked from any thread.
 *
 * @param config that is used now
 * @param jobs how they stand, and who has them start
 * @param history of years
 * @param ledger how far verifications are
 * @param alerts what is wrong now
 * @param site what this machine is called
 * @param started when the daemon was
 * @param clock of this machine
 */
public record ConsoleSources(
        Supplier<ServerConfig> config,
        JobControl jobs,
        DaemonHistory history,
        CareLedger ledger,
        Supplier<List<Alert>> alerts,
        String site,
        Instant started,
        Clock clock) {}
