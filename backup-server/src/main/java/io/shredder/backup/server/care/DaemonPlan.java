// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.job.BackupSite;
import io.shredder.backup.server.job.ImageJob;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.SitePlaces;
import io.shredder.engine.Shredder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** All that a configuration has the daemon do. What work of one configuration and of the next shares outlives both. */
public final class DaemonPlan {

    private final Shredder engine;
    private final CareLedger ledger;
    private final Clock clock;
    private final SitePlaces places = new SitePlaces(0);
    private final AtomicReference<RatePlan> bandwidth = new AtomicReference<>(RatePlan.UNLIMITED);
    private final Pace pace;

    /**
     * With no configuration yet.
     *
     * @param engine stays the caller's
     * @param ledger how far verifications are
     * @param clock of this machine
     */
    public DaemonPlan(Shredder engine, CareLedger ledger, Clock clock) {
        this.engine = engine;
        this.ledger = ledger;
        this.clock = clock;
        this.pace = RatePlan.pace(bandwidth::get, clock);
    }

    /** Of this machine. */
    public Clock clock() {
        return clock;
    }

    /** What is under way keeps to this configuration's limits from now on, as what begins does. */
    public void limit(ServerConfig config) {
        places.limit(config.concurrency());
        bandwidth.set(config.bandwidth());
    }

    /**
     * What all work of a configuration shares, its bandwidth above all.
     *
     * @param doubts why an image is not to be pruned
     */
    public CareSite site(ServerConfig config, ImageDoubts doubts) {
        return new CareSite(config, ledger, clock, pace, doubts);
    }

    /**
     * Jobs and care of a site's configuration, whose limits hold from now on.
     *
     * @param events is told what they do
     */
    public JobScheduler.Plan of(CareSite shared, JobEvents events) {
        ServerConfig config = shared.config();
        limit(config);
        BackupSite site = new BackupSite(config, engine, shared.pace(), clock, places);
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
