// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.schedule.ClockAhead;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.ImageReading;
import io.shredder.backup.server.backup.ReadReason;
import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.MachineOutcome;
import io.shredder.backup.server.job.StoreRoom;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tells people what the daemon's jobs do wrong, and when it is right again. Thread-safe; a thread of its own looks each
 * minute for what does not come.
 */
public final class Alerts implements JobEvents, Closeable {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);
    private static final Duration CERTIFICATE_NOTICE = Duration.ofDays(30);

    private final AlertBook book;
    private final HttpClient posts = WebRequest.clientOfPosts();
    private final HttpClient gets = WebRequest.clientOfGets();
    private final AlertSender toWeb;
    private final AlertSender toMail;
    /** Of its own, so that an address that has ended holds no alert up. */
    private final AlertSender pings;

    private final Clock clock;
    private final String name;
    private final Consumer<Alert> listener;
    /** When scheduled images had their last success, or since when they are scheduled; nothing before the start. */
    private final Map<String, Instant> successes = new TreeMap<>();

    private final Thread thread = new Thread(this::lookAgainAndAgain, "alerts-look");
    private Supplier<List<JobStatus>> jobs = List::of;
    private AlertSite site;

    private Alerts(
            AlertSite site, Path state, Clock clock, String name, Consumer<Alert> listener, Duration firstPause) {
        this.site = site;
        this.clock = clock;
        this.name = name;
        this.listener = listener;
        this.toWeb = AlertSender.ofAlerts(firstPause);
        this.toMail = AlertSender.ofAlerts(firstPause);
        this.pings = AlertSender.ofPings(firstPause);
        this.book = AlertBook.open(state, clock, this::tell);
    }

    /**
     * Begins.
     *
     * @param state folder in which is kept what has been told
     * @param name of this machine, for who is told
     * @param listener is told, too, in this process, and holds up who tells
     */
    public static Alerts start(AlertSite site, Path state, Clock clock, String name, Consumer<Alert> listener) {
        Alerts alerts = new Alerts(site, state, clock, name, listener, FIRST_PAUSE);
        alerts.configure(site);
        alerts.thread.setDaemon(true);
        alerts.thread.start();
        return alerts;
    }

    /** One that looks only when it is told to. */
    static Alerts quiet(AlertSite site, Path state, Clock clock, Duration firstPause) {
        Alerts alerts = new Alerts(site, state, clock, "site1", unused -> {}, firstPause);
        alerts.configure(site);
        return alerts;
    }

    /** Where jobs can be seen. */
    public synchronized void watch(Supplier<List<JobStatus>> seen) {
        jobs = seen;
    }

    /** A configuration was read. What is in it no more is nobody's matter any more. */
    public void configure(AlertSite next) {
        synchronized (this) {
            site = next;
            Set<String> scheduled = scheduled(next);
            successes.keySet().retainAll(scheduled);
            scheduled.forEach(subject -> successes.putIfAbsent(subject, clock.instant()));
        }
        Set<String> subjects = next.images().entrySet().stream()
                .flatMap(job -> job.getValue().stream().map(image -> subject(job.getKey(), image)))
                .collect(Collectors.toSet());
        subjects.addAll(next.images().keySet());
        Set<String> ofMachines = next.machines().entrySet().stream()
                .flatMap(job -> job.getValue().stream().map(machine -> subject(job.getKey(), machine) + "."))
                .collect(Collectors.toSet());
        book.forget(subject -> !subject.isEmpty()
                && !subject.startsWith("keeper ")
                && !subjects.contains(subject)
                && ofMachines.stream().noneMatch(subject::startsWith));
        book.end(AlertKind.CONFIGURATION_REFUSED, "");
    }

    /** A configuration was refused. */
    public void configurationRefused(String why) {
        book.raise(AlertKind.CONFIGURATION_REFUSED, "", why);
    }

    /** What is wrong now. */
    public List<Alert> raised() {
        return book.raised();
    }

    /** Why nothing of an image may be pruned: what stands of it, and a change as never before even if it is over. */
    public List<String> doubts(String job, String image) {
        return AlertDoubts.of(book.raised(), book.unlike(), subject(job, image), clock.instant());
    }

    private static String subject(String job, String image) {
        return job + "/" + image;
    }

    private void tell(Alert alert) {
        listener.accept(alert);
        AlertConfig targets = targets();
        targets.webhook()
                .map(URI::create)
                .ifPresent(address ->
                        toWeb.add(WebRequest.post(posts, address, AlertBody.of(targets.form(), alert, name))));
        targets.mail().ifPresent(mail -> toMail.add(AlertMail.of(mail, alert, name)));
    }

    private synchronized AlertConfig targets() {
        return site.targets();
    }

    @Override
    public void jobStarted(String job) {
        book.end(AlertKind.JOB_MISSED, job);
    }

    @Override
    public void imageEnded(String job, ImageOutcome outcome) {
        String subject = subject(job, outcome.image());
        String why = outcome.error().orElse("it does not say why");
        ended(subject, outcome.succeeded(), why);
        trust(subject, outcome.agentWentBack(), outcome.report().isPresent(), why);
        outcome.report().ifPresent(report -> {
            compare(subject, report);
            believe(subject, report.reading());
        });
    }

    private void ended(String subject, boolean ok, String why) {
        if (ok) {
            synchronized (this) {
                successes.put(subject, clock.instant());
            }
            book.end(AlertKind.IMAGE_SILENT, subject);
        }
        set(AlertKind.IMAGE_FAILED, subject, !ok, why);
    }

    /** A machine that could not be held at all is its own subject, else its disks are, those that it has now. */
    @Override
    public void machineEnded(String job, MachineOutcome outcome) {
        outcome.images().forEach(image -> imageEnded(job, image));
        String subject = subject(job, outcome.machine());
        if (outcome.images().isEmpty() || outcome.error().isPresent()) {
            String why = outcome.error().orElse("it has no disk");
            ended(subject, false, why);
            trust(subject, outcome.agentWentBack(), false, why);
            return;
        }
        Set<String> disks = outcome.images().stream()
                .map(image -> subject(job, image.image()))
                .collect(Collectors.toSet());
        book.forget(each -> each.startsWith(subject + ".") && !disks.contains(each));
        if (outcome.succeeded()) {
            ended(subject, true, "");
        } else {
            book.end(AlertKind.IMAGE_FAILED, subject);
        }
        trust(subject, outcome.agentWentBack(), true, "");
    }

    /**
     * What an agent lacks it lacks until its record was seen to be whole.
     *
     * @param wentBack whether it shows less than it had, or other than was committed
     * @param sound whether what it shows was compared, and is what it was
     */
    private void trust(String subject, boolean wentBack, boolean sound, String alarm) {
        if (wentBack || sound) {
            set(AlertKind.AGENT_WENT_BACK, subject, wentBack, alarm);
        }
    }

    /** A lie is over when everything was compared again and was as it was told. */
    private void believe(String subject, ImageReading reading) {
        if (reading.untruth().isPresent()) {
            book.raise(AlertKind.CHANGES_UNTRUE, subject, reading.untruth().get());
        } else if (reading.reason() == ReadReason.FULL_COMPARISON) {
            book.end(AlertKind.CHANGES_UNTRUE, subject);
        }
    }

    private void compare(String subject, BackupReport report) {
        long bytes = report.snapshot().imageBytes();
        if (book.isUnlikeBefore(subject, bytes, report.newBytes(), report.storedBytes())) {
            book.raise(
                    AlertKind.UNLIKE_BEFORE,
                    subject,
                    report.newBytes() + " of its " + bytes + " bytes are new, and stay " + report.storedBytes()
                            + " when compressed");
        } else {
            book.end(AlertKind.UNLIKE_BEFORE, subject);
        }
    }

    /** Each care has one kind of work, so the other kinds of alert end nothing of others. */
    @Override
    public void careEnded(String care, CareOutcome outcome) {
        String subject = outcome.image().map(image -> subject(care, image)).orElse(care);
        set(
                AlertKind.CARE_FAILED,
                subject,
                outcome.error().isPresent(),
                outcome.error().orElse(""));
        trust(
                subject,
                outcome.agentWentBack(),
                outcome.error().isEmpty(),
                outcome.error().orElse(""));
        if (outcome.error().isPresent() && outcome.problems().isEmpty()) {
            return; // Nothing was learnt of what was wrong before.
        }
        set(found(outcome.kind()), subject, !outcome.problems().isEmpty(), String.join("; ", outcome.problems()));
        if (outcome.kind() == CareOutcome.Kind.PRUNE) {
            boolean waits = outcome.figures().getOrDefault("waiting.snapshots", 0.0) > 0;
            set(AlertKind.DELETION_WAITS, subject, waits, String.join("; ", outcome.notes()));
        }
    }

    private static AlertKind found(CareOutcome.Kind kind) {
        return switch (kind) {
            case BOOT -> AlertKind.BOOT_FAILED;
            case PRUNE -> AlertKind.PRUNE_HELD;
            case VERIFY, COPY -> AlertKind.DAMAGE_FOUND;
        };
    }

    @Override
    public void jobEnded(String job, boolean ok) {
        book.end(AlertKind.JOB_STALLED, job);
        if (ok) {
            targets().ping().ifPresent(address -> pings.add(WebRequest.get(gets, URI.create(address))));
        }
    }

    @Override
    public void jobMissed(String job) {
        book.raise(AlertKind.JOB_MISSED, job, "its scheduled time is not made up for");
    }

    @Override
    public void keepersSeen(KeepersState state) {
        set(AlertKind.STORE_READ_ONLY, "", !state.writable(), "too few keepers take changes");
        for (int place = 0; place < state.keepers().size(); place++) {
            KeeperState keeper = state.keepers().get(place);
            boolean away = keeper.condition() != KeeperState.Condition.WHOLE
                    && keeper.condition() != KeeperState.Condition.FILLING;
            String subject = "keeper " + place;
            set(
                    AlertKind.KEEPER_AWAY,
                    subject,
                    away,
                    "it is " + keeper.condition().words());
            set(AlertKind.KEEPER_DAMAGED, subject, keeper.damaged() > 0, keeper.damaged() + " places are damaged");
        }
    }

    @Override
    public void roomSeen(StoreRoom room) {
        set(AlertKind.STORE_FILLS, "", book.roomSeen(room, targets().fullWithin()));
    }

    @Override
    public void clocksSeen(Instant own, Instant agents) {
        set(AlertKind.CLOCK_WRONG, "", book.clocksSeen(own, agents));
    }

    private void set(AlertKind kind, String subject, Optional<String> wrong) {
        set(kind, subject, wrong.isPresent(), wrong.orElse(""));
    }

    private void set(AlertKind kind, String subject, boolean wrong, String what) {
        if (wrong) {
            book.raise(kind, subject, what);
        } else {
            book.end(kind, subject);
        }
    }

    /** Looks for what does not come: successes, progress, new certificates; and at the clock. */
    void look() {
        AlertSite now;
        Supplier<List<JobStatus>> seen;
        synchronized (this) {
            now = site;
            seen = jobs;
        }
        now.targets().silence().ifPresent(limit -> lookForSilence(now, limit));
        set(AlertKind.CLOCK_WRONG, "", book.clockSeen());
        Duration left = Duration.between(clock.instant(), now.certificateEnds());
        set(
                AlertKind.CERTIFICATE_ENDS,
                "",
                left.compareTo(CERTIFICATE_NOTICE) < 0,
                "it ends at " + now.certificateEnds());
        for (JobStatus job : seen.get()) {
            if (job.stalledFor().isPresent()) {
                book.raise(
                        AlertKind.JOB_STALLED,
                        job.name(),
                        "since " + job.stalledFor().get().toMinutes() + " minutes");
            }
        }
    }

    private void lookForSilence(AlertSite site, Duration limit) {
        Instant now = clock.instant();
        for (String subject : scheduled(site)) {
            if (Duration.between(lastSuccess(subject, now), now).compareTo(limit) > 0) {
                book.raise(AlertKind.IMAGE_SILENT, subject, "none in " + limit.toHours() + " hours");
            }
        }
    }

    /** One that is to come was noted by a clock that was ahead, and would hide years of silence. */
    private synchronized Instant lastSuccess(String subject, Instant now) {
        return successes.merge(subject, now, (noted, other) -> ClockAhead.was(noted, now) ? now : noted);
    }

    private static Set<String> scheduled(AlertSite site) {
        return site.scheduled().stream()
                .flatMap(job ->
                        site.images().getOrDefault(job, Set.of()).stream().map(image -> subject(job, image)))
                .collect(Collectors.toSet());
    }

    private void lookAgainAndAgain() {
        try {
            while (true) {
                Thread.sleep(BETWEEN_LOOKS.toMillis());
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends what waits, if it is taken soon. */
    @Override
    public void close() throws IOException {
        thread.interrupt();
        toWeb.close();
        toMail.close();
        pings.close();
    }
}
