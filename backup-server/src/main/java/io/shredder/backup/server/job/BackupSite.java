// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Pace;
import io.shredder.backup.config.ByteSize;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.config.ImageConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.source.CheckedImage;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all jobs of one configuration share: engine, way to the agent, and limits over all of them. Thread-safe. */
public final class BackupSite {

    private static final Logger LOG = LoggerFactory.getLogger(BackupSite.class);

    private final ServerConfig config;
    private final Shredder engine;
    private final Pace sendPace;
    private final Semaphore places;
    private final Cores cores = Cores.all();
    private final FairShares shares = new FairShares(cores.count());
    private final AtomicReference<Optional<KeepersState>> keepers = new AtomicReference<>(Optional.empty());

    /** The engine stays the caller's. */
    public BackupSite(ServerConfig config, Shredder engine) {
        this.config = config;
        this.engine = engine;
        this.sendPace = pace(config.bandwidth());
        this.places = new Semaphore(config.concurrency(), true);
    }

    ServerConfig config() {
        return config;
    }

    static Pace pace(Optional<ByteSize> limit) {
        return limit.map(rate -> Pace.of(rate.bytes())).orElse(Pace.unlimited());
    }

    /** Waits until one more image may be backed up; closing gives the place back, once. */
    Place enter() throws InterruptedException {
        places.acquire();
        return new Place(places);
    }

    /** A place among the images that are backed up at once. Thread-safe. */
    static final class Place implements AutoCloseable {

        private final Semaphore places;
        private final AtomicBoolean taken = new AtomicBoolean(true);

        private Place(Semaphore places) {
            this.places = places;
        }

        @Override
        public void close() {
            if (taken.getAndSet(false)) {
                places.release();
            }
        }
    }

    /** Backs an image up once, on a connection of its own; an interrupt ends it. */
    BackupReport backUp(JobConfig job, ImageConfig image, JobPaces paces, BackupProgress progress) throws IOException {
        RepositoryKey key = config.key().unlock();
        ImageAddress address = image.address();
        try (FairShares.Share share = shares.join(image.weight());
                ImageSource source =
                        new CheckedImage(address.open(), address.toString(), job.onReadError(), Remarks.MAX_SKIPPED);
                AgentClient agent = AgentClient.connect(
                        config.agent(), config.tls(), sendPace.and(paces.send()), config.timeout())) {
            BackupSession session = new BackupSession(
                    agent,
                    engine,
                    key,
                    SnapshotCaches.in(config.cache()),
                    KnownCommits.in(config.state()),
                    job.privateLists(),
                    cores(job, share));
            progress.counts(() -> session.readBytes() + agent.answers());
            Remarks remarks = Remarks.of(job.tags(), Optional.empty());
            BackupReport report;
            try {
                report = session.run(source, image.name(), job.cuts(), remarks, paces.read());
            } catch (AgentException e) {
                noteKeepers(agent); // They may be why.
                throw e;
            }
            noteKeepers(agent);
            return report;
        }
    }

    private void noteKeepers(AgentClient agent) {
        try {
            agent.keepers().ifPresent(state -> keepers.set(Optional.of(state)));
        } catch (IOException e) {
            LOG.debug("the agent doesn't say how its keepers stand", e);
        }
    }

    /** How the keepers of the agent's store stand, if that was heard since it was asked here last. */
    Optional<KeepersState> takeKeepers() {
        return keepers.getAndSet(Optional.empty());
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
