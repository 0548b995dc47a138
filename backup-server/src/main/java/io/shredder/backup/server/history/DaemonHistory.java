// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Throwables;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.MachineOutcome;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the daemon has done. Each outcome is a forced line of the journal of runs, then counts in its image's day; what
 * a crash leaves between the two is made up for at the next opening. What can't be kept is logged and named, and holds
 * up no backup. Thread-safe; one process a state folder. A thread {@code history} writes while its caller waits: runs
 * end by interrupts, which would close the files of a thread that writes to them.
 */
public final class DaemonHistory implements JobEvents, Closeable {

    /** Lines that name damage, at most. */
    static final int MOST_DAMAGE = 100;

    private static final Logger LOG = LoggerFactory.getLogger(DaemonHistory.class);
    private static final Journal.Limits LIMITS = new Journal.Limits(1 << 20, 256, 8);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path days;
    private final Clock clock;
    private final Journal runs;
    private final Journal alerts;
    private final LastOutcomes last;
    private final Map<String, ImageDays> images = new TreeMap<>();
    private final Set<String> running = new TreeSet<>();
    private final Set<String> damage = new LinkedHashSet<>();
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            new ThreadFactoryBuilder().setNameFormat("history").setDaemon(true).build());
    private Optional<KeepersState> keepers = Optional.empty();

    /**
     * Some lines, newest first.
     *
     * @param lines that were looked for
     * @param before where the next page begins; empty if there is nothing older
     */
    public record Lines(List<JournalLine> lines, OptionalLong before) {

        /** Keeps a copy. */
        public Lines {
            lines = List.copyOf(lines);
        }
    }

    private DaemonHistory(Path folder, Clock clock, Journal.Limits limits) throws IOException {
        this.days = Files.createDirectories(folder.resolve("days"));
        this.clock = clock;
        this.last = LastOutcomes.open(folder);
        openDays();
        this.runs = Journal.open(folder, "runs", limits, this::replay);
        this.alerts = Journal.open(folder, "alerts", limits, unused -> {});
    }

    /**
     * Opens the history of a state folder, or begins one. Runs that a crash ended are noted as interrupted.
     *
     * @param state whose lock the caller has
     */
    public static DaemonHistory open(Path state, Clock clock) throws IOException {
        return open(state, clock, LIMITS);
    }

    static DaemonHistory open(Path state, Clock clock, Journal.Limits limits) throws IOException {
        DaemonHistory history = new DaemonHistory(Files.createDirectories(state.resolve("history")), clock, limits);
        for (String job : List.copyOf(history.running)) {
            history.jobLine(job, "interrupted");
        }
        return history;
    }

    private void openDays() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(days, "*" + ImageDays.END)) {
            for (Path file : files) {
                String image = file.getFileName().toString();
                try {
                    images.put(image.substring(0, image.length() - ImageDays.END.length()), ImageDays.open(file));
                } catch (IOException e) {
                    noteDamage(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private void noteDamage(String text) {
        if (damage.size() < MOST_DAMAGE && damage.add(text)) {
            LOG.error("{}", text);
        }
    }

    /** Takes a line of before; what has it already doesn't change. */
    private void replay(JournalLine line) {
        note(line);
        try {
            if (line.body().path("what").asText().equals("backup")) {
                countDay(line.number(), BackupOutcome.read(line.body()));
            }
        } catch (IOException | RuntimeException e) {
            noteDamage("line " + line.number() + " of the journal of runs can't be counted: " + e.getMessage());
        }
    }

    /** Keeps the last outcomes' memory up to date; whether it changed. */
    private boolean note(JournalLine line) {
        ObjectNode body = line.body();
        String job = body.path("job").asText();
        switch (body.path("what").asText()) {
            case "job" -> {
                boolean begins = body.path("result").asText().equals("started");
                if (begins) {
                    running.add(job);
                } else {
                    running.remove(job);
                }
                return !begins && last.note("job " + job, line);
            }
            case "care" -> {
                return last.note(careKey(job, body.path("image").asText()), line);
            }
            case "backup" -> {
                return !body.path("ok").asBoolean()
                        && last.note("failure " + body.path("image").asText(), line);
            }
            default -> {
                return false;
            }
        }
    }

    private static String careKey(String care, String image) {
        return "care " + care + " " + image;
    }

    private void countDay(long number, BackupOutcome outcome) throws IOException {
        SnapshotName image = new SnapshotName(outcome.image());
        ImageDays file = images.get(image.value());
        if (file == null) {
            if (Files.exists(ImageDays.fileOf(days, image))) {
                return; // It is damaged, and named.
            }
            file = ImageDays.of(days, image);
            images.put(image.value(), file);
        }
        file.add(number, outcome);
    }

    /** Something to be written. */
    private interface Writing {
        void run() throws IOException;
    }

    /** Returns once it is written, or named as missing. */
    private void write(Writing what) {
        try {
            writeOrFail(what);
        } catch (ExecutionException | RejectedExecutionException e) {
            LOG.error("the history lacks a line", e);
            synchronized (this) {
                noteDamage("at " + now() + " a line could not be kept: " + Throwables.getRootCause(e));
            }
        }
    }

    private void writeOrFail(Writing what) throws ExecutionException {
        var unused = Uninterruptibles.getUninterruptibly(writer.submit(() -> {
            what.run();
            return true;
        }));
    }

    private synchronized void keep(ObjectNode body) throws IOException {
        JournalLine line = new JournalLine(runs.append(body), body);
        if (note(line)) {
            last.write();
        }
        if (body.path("what").asText().equals("backup")) {
            countDay(line.number(), BackupOutcome.read(body));
        }
    }

    /** Days keep no more of a time. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private ObjectNode line(String what) {
        return JSON.createObjectNode().put("what", what).put("at", now().toString());
    }

    private ObjectNode line(String what, String job) {
        return line(what).put("job", job);
    }

    private void jobLine(String job, String result) {
        ObjectNode line = line("job", job).put("result", result);
        write(() -> keep(line));
    }

    @Override
    public void jobStarted(String job) {
        jobLine(job, "started");
    }

    @Override
    public void jobEnded(String job, boolean ok) {
        jobLine(job, ok ? "ok" : "failed");
    }

    @Override
    public void jobMissed(String job) {
        jobLine(job, "missed");
    }

    @Override
    public void imageEnded(String job, ImageOutcome outcome) {
        ObjectNode line = line("backup", job);
        BackupOutcome.of(outcome, Instant.parse(line.path("at").asText())).write(line);
        outcome.report()
                .ifPresent(report -> line.put("snapshotId", report.snapshot().id()));
        outcome.error().ifPresent(error -> line.put("error", JournalLine.shortened(error)));
        write(() -> keep(line));
    }

    /** What a machine that could not be held suffered, each of its images did; before its first backup, it itself. */
    @Override
    public void machineEnded(String job, MachineOutcome outcome) {
        outcome.images().forEach(image -> imageEnded(job, image));
        if (outcome.images().isEmpty()) {
            imagesOf(outcome.machine())
                    .forEach(image -> imageEnded(
                            job, new ImageOutcome(image, Optional.empty(), outcome.error(), outcome.elapsed())));
        }
    }

    @Override
    public void careEnded(String care, CareOutcome outcome) {
        ObjectNode line = line("care", care);
        CareEntry.write(outcome, line);
        write(() -> keep(line));
    }

    @Override
    public synchronized void keepersSeen(KeepersState state) {
        keepers = Optional.of(state);
    }

    /**
     * Something was told to people.
     *
     * @param over whether it is the end of the matter
     */
    public void alert(String kind, String subject, String text, boolean over) {
        ObjectNode line = JSON.createObjectNode()
                .put("at", now().toString())
                .put("state", over ? "recovered" : "raised")
                .put("kind", kind)
                .put("subject", subject)
                .put("text", JournalLine.shortened(text));
        write(() -> alerts.append(line));
    }

    /**
     * A person is about to have the daemon do something.
     *
     * @throws IOException if that can't be kept: then it must not be done
     */
    public void action(PersonAction action) throws IOException {
        ObjectNode line = line("action");
        action.write(line);
        try {
            writeOrFail(() -> keep(line));
        } catch (ExecutionException | RejectedExecutionException e) {
            throw new IOException("the history can't keep who did it: " + Throwables.getRootCause(e), e);
        }
    }

    /** A restore has ended. */
    public void restored(RestoreOutcome outcome) {
        ObjectNode line = line("restore");
        outcome.write(line);
        write(() -> keep(line));
    }

    /** The newest day of an image that has an outcome. */
    public synchronized Optional<ImageDay> newest(String image) {
        return Optional.ofNullable(images.get(image)).flatMap(ImageDays::last);
    }

    /** The images of a machine's last backup, disks and definition; before the first, the machine's own name. */
    public synchronized List<String> imagesOf(String machine) {
        return ImageDays.ofMachine(images, machine);
    }

    /** The days of an image that have outcomes, in their order. */
    public synchronized List<ImageDay> days(String image, LocalDate from, LocalDate to) throws IOException {
        ImageDays file = images.get(image);
        if (file == null) {
            return List.of();
        }
        ImageDays.Days read = file.read(from, to);
        read.damage().forEach(this::noteDamage);
        return read.days();
    }

    /** The last end of a job's run, a line of the journal: {@code at}, {@code result}. */
    public synchronized Optional<ObjectNode> lastRun(String job) {
        return last.of("job " + job);
    }

    /** The last outcome of care, or of one image of it, a line of the journal. */
    public synchronized Optional<ObjectNode> lastCare(String care, Optional<String> image) {
        return last.of(careKey(care, image.orElse("")));
    }

    /** The last backup of an image that failed, a line of the journal. */
    public synchronized Optional<ObjectNode> lastFailure(String image) {
        return last.of("failure " + image);
    }

    /** How the keepers of the agent's store stand, as it said last to this daemon. */
    public synchronized Optional<KeepersState> keepers() {
        return keepers;
    }

    /**
     * Backups, care and runs of jobs, newest first.
     *
     * @param before only lines with a lower number
     * @param most how many at most; fewer may come although there are more
     */
    public Lines runs(long before, int most, Predicate<ObjectNode> wanted) throws IOException {
        return runs.newest(before, most, line -> wanted.test(line.body()));
    }

    /** What people were told, newest first; as {@link #runs}. */
    public Lines alerts(long before, int most) throws IOException {
        return alerts.newest(before, most, unused -> true);
    }

    /** What is damaged or missing, a line each. */
    public synchronized List<String> damage() {
        List<String> all = new ArrayList<>(damage);
        all.addAll(runs.damage());
        all.addAll(alerts.damage());
        return all;
    }

    @Override
    public void close() throws IOException {
        boolean unused = MoreExecutors.shutdownAndAwaitTermination(writer, Duration.ofMinutes(1));
        runs.close();
        alerts.close();
    }
}
