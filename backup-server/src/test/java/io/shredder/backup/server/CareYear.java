// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.care.AgentCareConfig;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.JumpingClock;
import io.shredder.backup.schedule.RunHistory;
import io.shredder.backup.server.alert.AlertSite;
import io.shredder.backup.server.alert.Alerts;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.care.CareWork;
import io.shredder.backup.server.care.DaemonPlan;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Days of a daemon and its agents in seconds: the daemon's own scheduler, jobs, care and alerts, two real agents with
 * their own care, and one clock that jumps from one due time to the next. Images change; agents and the daemon are down
 * for days, images can't be read, an image is encrypted, the clock is set back, summer time begins and ends, containers
 * rot and are lost ({@link YearDamage}). What must hold is watched by {@link YearWatch}.
 */
public final class CareYear implements AutoCloseable {

    static final List<String> IMAGES = List.of("a", "b", "weekly", "often");

    private static final int IMAGE_BYTES = 2 << 20;
    private static final int CHANGES = 6;
    private static final int CHANGE_BYTES = 20_000;
    private static final int LOW_BITS = 0x0F;
    private static final double MOST_OVER = 1.05;
    private static final double GARBAGE = 0.2;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration SET_BACK = Duration.ofHours(5);

    private final Path folder;
    private final Sites sites;
    private final JumpingClock clock;
    private final Random random;
    private final YearAgent first;
    private final YearAgent second;
    private final YearAgent third;
    private final ServerConfig config;
    private final Shredder engine;
    private final YearWatch watch;
    private final YearDamage damage;
    private Alerts alerts;
    private JobScheduler scheduler;
    private boolean daemonUp;

    /**
     * What came of it.
     *
     * @param counts of what happened, by name
     * @param broken what should have held and didn't
     * @param storeBytes of the first agent
     * @param liveBytes of an agent that got nothing but what the first one still has
     */
    public record Result(Map<String, Integer> counts, List<String> broken, long storeBytes, long liveBytes) {

        /** Keeps copies. */
        public Result {
            counts = Map.copyOf(counts);
            broken = List.copyOf(broken);
        }
    }

    /** What a store may take that holds so much: containers with less than a fifth of garbage are left alone. */
    public static long mostBytes(long liveBytes) {
        return (long) (liveBytes * MOST_OVER / (1 - GARBAGE));
    }

    /** Begins, in an empty folder. */
    public CareYear(Path folder, Instant begin, long seed) throws IOException {
        NativeCryptography.install();
        this.folder = folder;
        this.clock = new JumpingClock(begin);
        this.random = new Random(seed);
        this.sites = new Sites(folder);
        Path certificates = folder.resolve("certs");
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                "clients:\n  site1: {rights: [append, restore]}\n"
                        + "  site1-admin: {namespace: site1, rights: [restore, prune]}\n");
        Path care = Files.writeString(
                folder.resolve("care.yaml"),
                "version: 1\ntime-zone: Europe/Berlin\nquiet: ['00:00-06:00']\n"
                        + "gc: {schedule: '0 14 * * *'}\nverify: {schedule: '0 15 * * *', all-in: 10d}\n");
        this.first = new YearAgent(folder.resolve("first"), certificates, rights, AgentCareConfig.read(care), clock);
        this.second = new YearAgent(folder.resolve("second"), certificates, rights, AgentCareConfig.read(care), clock);
        this.third = new YearAgent(folder.resolve("third"), certificates, rights, AgentCareConfig.NONE, clock);
        this.config = ServerConfigReader.read(Files.writeString(folder.resolve("server.yaml"), configuration()));
        for (String image : IMAGES) {
            Files.write(file(image), content(IMAGE_BYTES, true));
        }
        this.engine = Shredder.open(config.engine());
        this.watch = new YearWatch(clock, first, second, this::file, () -> daemonUp && first.isUp());
        this.damage = new YearDamage(clock, new Random(~seed), sites, watch, first, second);
        watch.damagedBy(damage, () -> alerts.raised());
        startDaemon();
    }

    private String configuration() {
        Path certs = folder.resolve("certs");
        return "version: 1\nstate: daemon\nmonitoring: 127.0.0.1:0\ntime-zone: Europe/Berlin\n"
                + "agent: {address: '127.0.0.1:" + first.port() + "', certificate: " + certs
                + "/client-site1.crt, key: " + certs + "/client-site1.key, authority: " + certs + "/ca.crt}\n"
                + "repository-key: {file: site.key, secret-file: site.secret}\n"
                + "jobs:\n"
                + "  nightly:\n    schedule: '30 2 * * *'\n    retry: {times: 0}\n    chunk: {average: 16k}\n"
                + "    keep: {last: 3, daily: 7, weekly: 4, monthly: 6, time-zone: Europe/Berlin}\n"
                + "    images: {a: {file: a.img}, b: {file: b.img}}\n"
                + "  weekends:\n    schedule: '0 4 * * 0'\n    retry: {times: 0}\n    chunk: {average: 16k}\n"
                + "    keep: {within: 30d, yearly: 2}\n    images: {weekly: {file: weekly.img}}\n"
                + "  busy:\n    schedule: '0 1,13 * * *'\n    quiet: ['Mon-Fri 08:00-18:00']\n"
                + "    retry: {times: 0}\n    chunk: {average: 16k}\n    keep: {last: 6, daily: 3}\n"
                + "    images: {often: {file: often.img}}\n"
                + "care:\n"
                + "  proof: {schedule: '0 6 * * *', verify: {all-in: 10d}}\n"
                + "  elsewhere: {schedule: '0 8 * * *', copy: {to: '127.0.0.1:" + second.port() + "'}}\n"
                + "  old: {schedule: '0 12 * * *', prune: {certificate: " + certs + "/client-site1-admin.crt, key: "
                + certs + "/client-site1-admin.key}}\n"
                + "  fresh: {copy: {to: '127.0.0.1:" + third.port() + "'}}\n";
    }

    private Path file(String image) {
        return folder.resolve(image + ".img");
    }

    private void startDaemon() throws IOException {
        Path state = Files.createDirectories(config.state());
        alerts = Alerts.start(AlertSite.of(config), state, clock, "site1", unused -> {});
        JobEvents events = JobEvents.both(alerts, watch);
        DaemonPlan plan = new DaemonPlan(engine, CareLedger.open(state), clock);
        scheduler = JobScheduler.start(
                plan.of(plan.site(config, alerts::doubts), events), RunHistory.open(state), events, clock);
        daemonUp = true;
    }

    private void stopDaemon() throws IOException {
        if (daemonUp) {
            daemonUp = false;
            scheduler.close();
            alerts.close();
        }
    }

    /** Goes on for so many days, then restores everything that is there. */
    public Result live(int days) throws IOException, InterruptedException {
        Troubles troubles = new Troubles(random, days);
        for (int day = 0; day < days; day++) {
            apply(troubles, day);
            runUntil(clock.instant().plus(DAY));
        }
        first.set(true);
        second.set(true);
        startAgain(true);
        makeFilesReadable();
        damage.end();
        runUntil(clock.instant().plus(DAY.multipliedBy(3)));
        long live = copyAll();
        watch.restoreAll(sites, first);
        watch.restoreAll(sites, second);
        return new Result(watch.counts(), watch.broken(), bytes(first), live);
    }

    private void apply(Troubles troubles, int day) throws IOException {
        damage.night(); // Nothing runs: what starts again may have something to make up for.
        first.set(!troubles.agentIsDown(day));
        second.set(!troubles.secondIsDown(day));
        startAgain(!troubles.daemonIsDown(day));
        makeFilesReadable();
        for (String image : IMAGES) {
            change(image, CHANGES, CHANGE_BYTES);
        }
        if (troubles.imageIsUnreadable(day)) {
            Files.move(file("a"), folder.resolve("a.away"));
        }
        if (troubles.imageIsEncrypted(day)) {
            change("b", 1, IMAGE_BYTES);
            watch.encrypted("b");
        }
        if (troubles.clockIsSetBack(day)) {
            clock.add(SET_BACK.negated());
            watch.clockSetBack();
        }
    }

    private void startAgain(boolean wanted) throws IOException {
        if (wanted && !daemonUp) {
            startDaemon();
        } else if (!wanted) {
            stopDaemon();
        }
    }

    private void makeFilesReadable() throws IOException {
        if (Files.exists(folder.resolve("a.away"))) {
            Files.move(folder.resolve("a.away"), file("a"));
        }
    }

    private void change(String image, int changes, int bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(image).toFile(), "rw")) {
            for (int i = 0; i < changes; i++) {
                boolean all = bytes == IMAGE_BYTES;
                file.seek(all ? 0 : random.nextInt(IMAGE_BYTES - bytes));
                file.write(content(bytes, !all));
            }
        }
    }

    /** What is not encrypted compresses: else several days that come at once look like an encryption. */
    private byte[] content(int count, boolean compressible) {
        byte[] data = new byte[count];
        random.nextBytes(data);
        for (int i = 0; compressible && i < count; i++) {
            data[i] = (byte) (data[i] & LOW_BITS);
        }
        return data;
    }

    /** Jumps from one due time to the next. */
    private void runUntil(Instant end) throws InterruptedException {
        while (true) {
            Instant now = clock.instant();
            Instant next = statuses()
                    .flatMap(job -> job.nextStart().stream())
                    .filter(time -> time.isAfter(now))
                    .min(Instant::compareTo)
                    .orElse(Instant.MAX);
            clock.set(next.isBefore(end) ? next : end);
            watch.day(daemonUp, first.isUp());
            awaitIdle();
            if (!next.isBefore(end)) {
                return;
            }
        }
    }

    private Stream<JobStatus> statuses() {
        return Stream.of(
                        daemonUp ? scheduler.status().stream() : Stream.<JobStatus>empty(),
                        first.status().stream(),
                        second.status().stream())
                .flatMap(all -> all);
    }

    /** Until nothing runs, and nothing is due any more: a run may owe another. */
    private void awaitIdle() throws InterruptedException {
        while (true) {
            boolean wasIdle = isIdle();
            boolean more = (daemonUp && scheduler.look()) | first.look() | second.look();
            if (wasIdle && !more && isIdle()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private boolean isIdle() {
        return statuses().noneMatch(JobStatus::running);
    }

    /** To an agent that has nothing yet. Returns the length of what it has then. */
    private long copyAll() throws IOException {
        CareConfig fresh = config.care().stream()
                .filter(care -> care.name().equals("fresh"))
                .findFirst()
                .orElseThrow();
        CareSite site = new CareSite(
                config, CareLedger.open(config.state()), clock, Pace.unlimited(), (job, image) -> List.of());
        new CareWork(site, fresh).take(outcome -> watch.careEnded("fresh", outcome));
        return bytes(third);
    }

    private long bytes(YearAgent agent) throws IOException {
        try (AgentClient client = sites.connect(agent.port())) {
            return client.statistics().containerBytes();
        }
    }

    @Override
    public void close() throws IOException {
        stopDaemon();
        engine.close();
        first.close();
        second.close();
        third.close();
        sites.close();
    }
}
