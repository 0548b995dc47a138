// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.config.ImageConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.MachineConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.source.CheckedImage;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** What all jobs of one configuration share: engine, way to the agent, and limits over all of them. Thread-safe. */
public final class BackupSite {

    private final ServerConfig config;
    private final Shredder engine;
    private final Pace sendPace;
    private final Clock clock;
    private final SitePlaces places;
    private final Cores cores = Cores.all();
    private final FairShares shares = new FairShares(cores.count());
    private final AgentNews news;

    /**
     * The engine stays the caller's.
     *
     * @param sendPace of all that goes to the agent and comes from it
     * @param clock of this machine
     */
    public BackupSite(ServerConfig config, Shredder engine, Pace sendPace, Clock clock) {
        this(config, engine, sendPace, clock, new SitePlaces(config.concurrency()));
    }

    /** The same with places that others share. */
    public BackupSite(ServerConfig config, Shredder engine, Pace sendPace, Clock clock, SitePlaces places) {
        this.config = config;
        this.engine = engine;
        this.sendPace = sendPace;
        this.clock = clock;
        this.news = new AgentNews(clock);
        this.places = places;
    }

    /** What a run of a job holds its bytes back to. */
    JobPaces paces(JobConfig job) {
        return new JobPaces(job.bandwidth().pace(clock), job.readBandwidth().pace(clock));
    }

    /** Waits until one more image may be backed up; closing gives the place back, once. */
    SitePlaces.Place enter() throws InterruptedException {
        return places.enter();
    }

    /** Backs an image or a machine up once; an interrupt ends it. */
    SourceReport backUp(JobConfig job, SourceConfig source, JobPaces paces, BackupProgress progress)
            throws IOException {
        if (source instanceof ImageConfig image) {
            return SourceReport.of(backUpImage(job, image, paces, progress));
        }
        try (FairShares.Share share = shares.join(source.weight())) {
            MachineConfig machine = (MachineConfig) source;
            return SourceReport.of(new MachineWork(this, job, machine, paces, progress, share).run());
        }
    }

    /** Has a connection of its own. */
    private BackupReport backUpImage(JobConfig job, ImageConfig image, JobPaces paces, BackupProgress progress)
            throws IOException {
        RepositoryKey key = key();
        ImageAddress address = image.address();
        try (FairShares.Share share = shares.join(image.weight());
                ImageSource source =
                        new CheckedImage(address.open(), address.toString(), job.onReadError(), Remarks.MAX_SKIPPED);
                AgentClient agent = connect(paces)) {
            BackupSession session = session(agent, key, job, share);
            progress.begins(source.imageBytes(), session::readBytes, () -> session.readBytes() + agent.answers());
            Remarks remarks = Remarks.of(job.tags(), Optional.empty());
            BackupReport report;
            try {
                report = session.run(source, image.name(), job.cuts(), remarks, paces.read());
                news.committed(report.snapshot());
            } catch (AgentException e) {
                news.ask(agent); // Its keepers may be why.
                throw e;
            }
            news.ask(agent);
            return report;
        }
    }

    /** The daemon's folder. */
    Path state() {
        return config.state();
    }

    /** The key that seals. */
    RepositoryKey key() throws IOException {
        return config.key().unlock();
    }

    /** What this site has seen of the agent. */
    KnownCommits known() {
        return KnownCommits.in(config.state());
    }

    /** A new connection, which the caller closes. */
    AgentClient connect(JobPaces paces) throws IOException {
        return AgentClient.connect(config.agent(), config.tls(), sendPace.and(paces.send()), config.timeout());
    }

    /** A session on a connection, which stays the caller's. */
    BackupSession session(AgentClient agent, RepositoryKey key, JobConfig job, FairShares.Share share) {
        return new BackupSession(
                agent, engine, key, SnapshotCaches.in(config.cache()), known(), job.privateLists(), cores(job, share));
    }

    /** What is heard of the agent. */
    AgentNews news() {
        return news;
    }

    /** All of the machine, of which the images at once have their shares, unless the job allows each less. */
    private CoresShare cores(JobConfig job, FairShares.Share share) {
        Cores all = cores.among(config.concurrency());
        return job.cpuThreads().isEmpty()
                ? CoresShare.beside(all, share)
                : CoresShare.capped(all, job.cpuThreads().getAsInt(), share);
    }

    /** What one job holds its bytes back to. */
    record JobPaces(Pace send, Pace read) {}
}
