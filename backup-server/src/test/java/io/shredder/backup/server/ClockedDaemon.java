// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.care.AgentCareConfig;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.JumpingClock;
import io.shredder.backup.server.care.DaemonPlan;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.StoreRoom;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What a daemon does by its configuration, with a real agent, on a clock that jumps. Image: {@code vm.img}. */
final class ClockedDaemon implements AutoCloseable {

    final JumpingClock clock = new JumpingClock(Instant.parse("2026-03-01T00:00:00Z"));
    final BlockingQueue<ImageOutcome> images = new LinkedBlockingQueue<>();
    final BlockingQueue<CareOutcome> care = new LinkedBlockingQueue<>();
    final BlockingQueue<StoreRoom> rooms = new LinkedBlockingQueue<>();
    final BlockingQueue<Duration> apart = new LinkedBlockingQueue<>();

    private final Path folder;
    private final Sites sites;
    private final YearAgent agent;
    private final ServerConfig config;
    private final Shredder engine;

    /** @param text of the configuration from {@code jobs} on; CERTS stands for the folder of certificates */
    ClockedDaemon(Path folder, String text) throws IOException {
        this.folder = folder;
        this.sites = new Sites(folder);
        Path certs = folder.resolve("certs");
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                "clients: {site1: {rights: [append, restore]},"
                        + " site1-admin: {namespace: site1, rights: [restore, prune]}}\n");
        this.agent = new YearAgent(folder.resolve("agent"), certs, rights, AgentCareConfig.NONE, clock);
        this.config = ServerConfigReader.read(Files.writeString(
                folder.resolve("server.yaml"),
                "version: 1\nstate: daemon\ntime-zone: UTC\n"
                        + "agent: {address: '127.0.0.1:" + agent.port() + "', certificate: " + certs
                        + "/client-site1.crt, key: " + certs + "/client-site1.key, authority: " + certs + "/ca.crt}\n"
                        + "repository-key: {file: site.key, secret-file: site.secret}\n"
                        + text.replace("CERTS", certs.toString())));
        Files.createDirectories(config.state());
        this.engine = Shredder.open(config.engine());
    }

    private final class Told implements JobEvents {
        @Override
        public void jobStarted(String job) {}

        @Override
        public void jobEnded(String job, boolean ok) {}

        @Override
        public void jobMissed(String job) {}

        @Override
        public void keepersSeen(KeepersState state) {}

        @Override
        public void roomSeen(StoreRoom room) {
            rooms.add(room);
        }

        @Override
        public void clocksSeen(Instant own, Instant agents) {
            apart.add(Duration.between(own, agents));
        }

        @Override
        public void imageEnded(String job, ImageOutcome outcome) {
            images.add(outcome);
        }

        @Override
        public void careEnded(String name, CareOutcome outcome) {
            care.add(outcome);
        }
    }

    JobEvents events() {
        return new Told();
    }

    JobScheduler.Plan plan() throws IOException {
        DaemonPlan plan = new DaemonPlan(engine, CareLedger.open(config.state()), clock);
        return plan.of(plan.site(config, (job, image) -> List.of()), new Told());
    }

    /** What runs at a moment, whatever the schedule says, in this thread. */
    boolean run(String name, String time) throws IOException {
        clock.set(Instant.parse(time));
        return plan().all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .begin()
                .run();
    }

    /** The image has other bytes throughout. */
    void changeImage(int bytes) throws IOException {
        Sites.random(folder.resolve("vm.img"), new Random(), bytes);
    }

    YearAgent agent() {
        return agent;
    }

    ServerConfig config() {
        return config;
    }

    @Override
    public void close() throws IOException {
        engine.close();
        agent.close();
        sites.close();
    }
}
