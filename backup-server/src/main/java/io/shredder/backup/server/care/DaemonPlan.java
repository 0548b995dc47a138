// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.Planned;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.job.BackupSite;
import io.shredder.backup.server.job.ImageJob;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.engine.Shredder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a configuration has the daemon do.
 *
 * @param engine stays the caller's
 * @param ledger how far verifications are
 * @param clock of this machine
 */
public record DaemonPlan(Shredder engine, CareLedger ledger, Clock clock) {

    /**
     * Jobs and care of this configuration, which share its bandwidth.
     *
     * @param events is told what they do
     * @param doubts why an image is not to be pruned
     */
    public JobScheduler.Plan of(ServerConfig config, JobEvents events, ImageDoubts doubts) {
        Pace together = config.bandwidth().pace(clock);
        BackupSite site = new BackupSite(config, engine, together, clock);
        List<Planned> all = new ArrayList<>();
        for (JobConfig job : config.jobs()) {
            all.add(new ImageJob(site, job, events));
        }
        for (CareConfig care : config.care()) {
            CareSite careSite = new CareSite(
                    config, ledger, clock, together.and(care.bandwidth().pace(clock)), doubts);
            all.add(new CareJob(new CareWork(careSite, care), care, events));
        }
        return new JobScheduler.Plan(all, config.stalledAfter());
    }
}
