// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.JumpingClock;
import io.shredder.backup.server.backup.ReadReason;
import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.MachineOutcome;
import io.shredder.backup.server.job.StoreRoom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Days of a daemon as its alerts are told of them, on a clock that jumps: a job each night with three images and a
 * machine, one twice a day, verification, a copy, a boot test and a prune each day, an agent with a keeper. What
 * changes, how the room shrinks until it is collected each week, and by how much clocks differ is drawn. In Berlin.
 */
final class AlertDays implements AutoCloseable {

    static final Duration SILENCE = Duration.ofHours(26);

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final List<String> IMAGES = List.of("web1", "db1", "files");
    private static final Map<String, Set<String>> SITE = Map.of(
            "nightly", Set.of("web1", "db1", "files", "host"),
            "often", Set.of("mail"),
            "proof", Set.of(),
            "elsewhere", Set.of(),
            "starts", Set.of("web1"),
            "old", Set.of("web1", "db1", "files", "host"));
    private static final long IMAGE_BYTES = 100L << 30;
    private static final long GIGABYTE = 1_000_000_000;
    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private final Path state;
    private final AlertConfig targets;
    private final Random random;
    private final JumpingClock clock;
    private final Map<String, Double> usual = new TreeMap<>();
    private LocalDate date;
    private long roomBytes = 2000 * GIGABYTE;
    private Optional<AlertKind> trouble = Optional.empty();
    private boolean agentsClockDiffers;
    private Alerts alerts;

    AlertDays(Path state, AlertConfig targets, LocalDate begin, long seed) {
        this.state = state;
        this.targets = targets;
        this.random = new Random(seed);
        this.date = begin;
        this.clock = new JumpingClock(at(0, 5));
        for (String image : List.of("web1", "db1", "files", "mail")) {
            usual.put(image, 0.01 + 0.03 * random.nextDouble());
        }
        this.alerts = Alerts.quiet(site(400), state, clock, FIRST_PAUSE);
    }

    private AlertSite site(int certificateDays) {
        Map<String, Set<String>> machines = Map.of("nightly", Set.of("host"), "old", Set.of("host"));
        Instant ends = clock.instant().plus(Duration.ofDays(certificateDays));
        return new AlertSite(targets, SITE, machines, Set.of("nightly", "often"), ends);
    }

    private Instant at(int hour, int minute) {
        return date.atTime(LocalTime.of(hour, minute)).atZone(BERLIN).toInstant();
    }

    /** A day on which all is well, and what was wrong before ends; now and then the daemon is started anew. */
    void quietDay() throws IOException {
        trouble = Optional.empty();
        agentsClockDiffers = false;
        if (random.nextInt(5) == 0) {
            alerts.close();
            alerts = Alerts.quiet(site(400), state, clock, FIRST_PAUSE);
        } else if (random.nextInt(5) == 0) {
            alerts.configure(site(400));
        }
        day();
    }

    /** A day on which this is wrong. */
    void badDay(AlertKind kind) {
        trouble = Optional.of(kind);
        agentsClockDiffers = kind == AlertKind.CLOCK_WRONG && random.nextBoolean();
        day();
    }

    private boolean has(AlertKind kind) {
        return trouble.filter(kind::equals).isPresent();
    }

    private void day() {
        clock.set(at(0, 20));
        alerts.watch(List::of);
        often();
        lookUntil(2);
        clock.set(at(3, 5)); // After the hour that summer time leaves out.
        night();
        clock.set(at(6, 0));
        care("proof", CareOutcome.Kind.VERIFY, Optional.empty(), AlertKind.DAMAGE_FOUND);
        care("elsewhere", CareOutcome.Kind.COPY, Optional.empty(), AlertKind.CARE_FAILED);
        care("starts", CareOutcome.Kind.BOOT, Optional.of("web1"), AlertKind.BOOT_FAILED);
        for (String image : IMAGES) {
            AlertKind kind = image.equals("db1") ? AlertKind.PRUNE_HELD : AlertKind.DELETION_WAITS;
            care("old", CareOutcome.Kind.PRUNE, Optional.of(image), kind);
        }
        daemon();
        lookUntil(12);
        clock.set(at(13, 0));
        midday();
        lookUntil(22);
        if (has(AlertKind.CLOCK_WRONG) && !agentsClockDiffers) {
            clock.set(at(17, 0));
            alerts.look();
        }
        date = date.plusDays(1);
    }

    private void lookUntil(int hour) {
        Instant end = at(hour, 0);
        while (clock.instant().isBefore(end)) {
            alerts.look();
            Instant next = clock.instant().plus(BETWEEN_LOOKS);
            clock.set(next.isBefore(end) ? next : end);
        }
        alerts.look();
    }

    private void often() {
        alerts.jobStarted("often");
        alerts.imageEnded("often", usualNight("mail"));
        told("often");
    }

    private void oftenInVain() {
        alerts.jobStarted("often");
        Optional<String> why = Optional.of("no route");
        boolean wentBack = has(AlertKind.AGENT_WENT_BACK);
        alerts.imageEnded("often", new ImageOutcome("mail", Optional.empty(), why, wentBack, Duration.ofSeconds(1)));
        told("often");
    }

    private void midday() {
        if (has(AlertKind.JOB_MISSED)) {
            alerts.jobMissed("often");
        } else if (has(AlertKind.IMAGE_FAILED) || has(AlertKind.AGENT_WENT_BACK)) {
            oftenInVain();
        } else if (has(AlertKind.JOB_STALLED)) {
            alerts.jobStarted("often");
            alerts.watch(() -> List.of(new JobStatus(
                    "often",
                    true,
                    Optional.of(Duration.ofMinutes(12)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())));
        } else {
            often();
        }
    }

    private void night() {
        alerts.jobStarted("nightly");
        for (String image : IMAGES) {
            clock.add(Duration.ofMinutes(1 + random.nextInt(20)));
            image(image);
        }
        ReadReason read = has(AlertKind.CHANGES_UNTRUE) ? ReadReason.LIED : ReadReason.FULL_COMPARISON;
        Optional<String> lie =
                has(AlertKind.CHANGES_UNTRUE) ? Optional.of("host.vda@3 to host.vda@5") : Optional.empty();
        List<ImageOutcome> disks = List.of(
                Outcomes.read("host.vda", read, lie), Outcomes.read("host.vdb", ReadReason.TRACKED, Optional.empty()));
        alerts.machineEnded(
                "nightly",
                new MachineOutcome("host", disks, Optional.empty(), false, List.of(), Optional.empty(), SILENCE));
        told("nightly");
    }

    private void image(String image) {
        boolean first = image.equals("web1");
        if (first && has(AlertKind.IMAGE_SILENT)) {
            return;
        }
        if (first && has(AlertKind.UNLIKE_BEFORE)) {
            long fresh = (long) (IMAGE_BYTES * (0.66 + 0.3 * random.nextDouble()));
            alerts.imageEnded("nightly", Outcomes.succeeded(image, IMAGE_BYTES, fresh, fresh));
        } else {
            alerts.imageEnded("nightly", usualNight(image));
        }
    }

    /**
     * Around one to four per cent are new, and now and then there is an update or a dump that was not there before.
     * These compress; those that don't, and so look like an encryption, are {@link UsualChangeTest}'s.
     */
    private ImageOutcome usualNight(String image) {
        boolean update = random.nextInt(20) == 0;
        double share = usual.getOrDefault(image, 0.0) * Math.exp(random.nextGaussian() * 0.6)
                + (update ? 0.05 + 0.1 * random.nextDouble() : 0);
        double stored = 0.35 + (update ? 0.55 : 0.65) * random.nextDouble();
        long fresh = (long) (IMAGE_BYTES * Math.min(1, share));
        return Outcomes.succeeded(image, IMAGE_BYTES, fresh, (long) (fresh * stored));
    }

    /** What the agent says at the end of a job. */
    private void told(String job) {
        boolean collected = date.getDayOfMonth() % 7 == 0;
        roomBytes += (collected ? 30 : -6) * GIGABYTE + random.nextInt(1 << 30);
        alerts.keepersSeen(Outcomes.keepers(
                has(AlertKind.KEEPER_AWAY) ? KeeperState.Condition.AWAY : KeeperState.Condition.WHOLE,
                has(AlertKind.KEEPER_DAMAGED) ? 3 : 0,
                !has(AlertKind.STORE_READ_ONLY)));
        alerts.roomSeen(new StoreRoom(REPOSITORY, has(AlertKind.STORE_FILLS) ? GIGABYTE / 2 : roomBytes));
        int apart = random.nextInt(240) - 120 + (agentsClockDiffers ? 1200 : 0);
        alerts.clocksSeen(clock.instant(), clock.instant().plusSeconds(apart));
        alerts.jobEnded(job, trouble.isEmpty());
    }

    private void care(String name, CareOutcome.Kind kind, Optional<String> image, AlertKind onlyHere) {
        boolean wrong = has(onlyHere);
        boolean waits = wrong && onlyHere == AlertKind.DELETION_WAITS && image.equals(Optional.of("files"));
        boolean failed = wrong && onlyHere == AlertKind.CARE_FAILED;
        boolean found = wrong && !failed && onlyHere != AlertKind.DELETION_WAITS;
        alerts.careEnded(
                name,
                new CareOutcome(
                        kind,
                        image,
                        failed ? Optional.of("no route") : Optional.empty(),
                        found ? List.of("something is wrong") : List.of(),
                        waits ? List.of("request 7 waits") : List.of(),
                        Map.of("waiting.snapshots", waits ? 2.0 : 0.0)));
    }

    private void daemon() {
        if (has(AlertKind.CERTIFICATE_ENDS)) {
            alerts.configure(site(29));
        } else if (has(AlertKind.CONFIGURATION_REFUSED)) {
            alerts.configurationRefused("line 3");
        } else {
            alerts.configure(site(400));
        }
    }

    /** What stands. */
    List<Alert> raised() {
        return alerts.raised();
    }

    @Override
    public void close() throws IOException {
        alerts.close();
    }
}
