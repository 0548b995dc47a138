// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.care.CareLedger;
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
     * What all work of a configuration shares, its bandwidth above all.
     *
     * @param doubts why an image is not to be pruned
     */
    public CareSite site(ServerConfig config, ImageDoubts doubts) {
        return new CareSite(config, ledger, clock, config.bandwidth().pace(clock), doubts);
    }

    /**
     * Jobs and care of a site's configuration.
     *
     * @param events is told what they do
     */
    public JobScheduler.Plan of(CareSite shared, JobEvents events) {
        ServerConfig config = shared.config();
        BackupSite site = new BackupSite(config, engine, shared.pace(), clock);
        List<Planned> all = new ArrayList<>();
        for (JobConfig job : config.jobs()) {
            all.add(new ImageJob(site, job, events));
        }
        for (CareConfig care : config.care()) {
            all.add(new CareJob(new CareWork(shared.at(care.bandwidth()), care), care, events));
        }
        return new JobScheduler.Plan(all, config.stalledAfter());
    }
}
