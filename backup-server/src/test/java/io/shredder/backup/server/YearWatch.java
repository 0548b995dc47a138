// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.alert.AlertKind;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What must hold in a {@link CareYear}, by what its jobs are seen to do and what the agents' catalogues have: rules of
 * retention by {@link RetentionOracle}, nothing deleted of an image that stands ill, everything read in its time, all
 * copied, quiet times kept, each night once.
 */
final class YearWatch implements JobEvents {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration AFTER_TROUBLE = Duration.ofDays(9);
    private static final Duration AFTER_ENCRYPTION = Duration.ofDays(14);
    private static final Duration ALL_IN = Duration.ofDays(10);

    private final Clock clock;
    private final YearAgent first;
    private final YearAgent second;
    private final Function<String, Path> files;
    private final BooleanSupplier isUp;

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();
    private final Set<String> running = new HashSet<>();
    /** Of those the one that has run by itself so far. */
    private Optional<String> alone = Optional.empty();

    /** Of each image all snapshots that should be there, by id. */
    private final Map<String, Map<Long, Instant>> present = new HashMap<>();

    /** Of each image that was backed up, by the digest of the snapshot's list. */
    private final Map<Fingerprint, String> sha256 = new HashMap<>();

    private final Map<String, Boolean> lastOk = new HashMap<>();
    private final Set<String> toBeNoticed = new HashSet<>();
    private final Map<String, Instant> noticed = new HashMap<>();
    private final Map<LocalDate, Integer> nights = new TreeMap<>();
    private final Set<LocalDate> excused = new HashSet<>();
    private Instant lastTrouble;
    private Supplier<Optional<String>> damagedFile = Optional::empty;
    private Supplier<List<Alert>> alerts = List::of;
    private boolean knowsDamage;

    YearWatch(Clock clock, YearAgent first, YearAgent second, Function<String, Path> files, BooleanSupplier isUp) {
        this.clock = clock;
        this.first = first;
        this.second = second;
        this.files = files;
        this.isUp = isUp;
        this.lastTrouble = clock.instant();
        CareYear.IMAGES.forEach(image -> present.put(image, new TreeMap<>()));
    }

    synchronized Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    synchronized List<String> broken() {
        List<String> all = new ArrayList<>(broken);
        if (!nights.isEmpty()) {
            LocalDate begin = nights.keySet().iterator().next();
            LocalDate last = LocalDate.ofInstant(clock.instant(), BERLIN).minusDays(1);
            for (LocalDate date = begin; date.isBefore(last); date = date.plusDays(1)) {
                if (!excused.contains(date) && nights.getOrDefault(date, 0) != 1) {
                    all.add("the night of " + date + " had " + nights.getOrDefault(date, 0) + " runs");
                }
            }
        }
        return all;
    }

    synchronized void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    synchronized void breaks(String what) {
        broken.add(clock.instant() + ": " + what);
    }

    /** Damage is to be found, and alerts told of it. */
    synchronized void damagedBy(YearDamage damage, Supplier<List<Alert>> raised) {
        damagedFile = damage::ofFirst;
        alerts = raised;
    }

    /** Whether the daemon's last verification found something. */
    synchronized boolean knowsDamage() {
        return knowsDamage;
    }

    /** How things stand as the clock jumps. */
    synchronized void day(boolean daemonUp, boolean agentUp) {
        if (!daemonUp || !agentUp) {
            lastTrouble = clock.instant();
        }
        if (!daemonUp) {
            excuse();
        }
    }

    private void excuse() {
        LocalDate today = LocalDate.ofInstant(clock.instant(), BERLIN);
        excused.addAll(List.of(today.minusDays(1), today, today.plusDays(1)));
    }

    synchronized void clockSetBack() {
        count("clock set back");
        lastTrouble = clock.instant();
        excuse();
    }

    synchronized void encrypted(String image) {
        count("images encrypted");
        toBeNoticed.add(image);
    }

    @Override
    public synchronized void jobStarted(String job) {
        alone = running.isEmpty() ? Optional.of(job) : Optional.empty();
        running.add(job);
        count("runs of " + job);
        ZonedDateTime now = clock.instant().atZone(BERLIN);
        boolean working = now.getDayOfWeek() != DayOfWeek.SATURDAY
                && now.getDayOfWeek() != DayOfWeek.SUNDAY
                && !now.toLocalTime().isBefore(LocalTime.of(8, 0))
                && now.toLocalTime().isBefore(LocalTime.of(18, 0));
        if (job.equals("busy") && working) {
            breaks("busy began in its quiet times");
        }
        if (job.equals("nightly")) {
            nights.merge(now.toLocalDate(), 1, Integer::sum);
        }
    }

    @Override
    public synchronized void jobEnded(String job, boolean ok) {
        running.remove(job);
    }

    @Override
    public synchronized void jobMissed(String job) {
        breaks(job + " missed its time, and was to make up for it");
    }

    @Override
    public void keepersSeen(KeepersState state) {}

    @Override
    public synchronized void imageEnded(String job, ImageOutcome outcome) {
        String image = outcome.image();
        boolean ok = outcome.succeeded();
        count(ok ? "backups" : "backups that failed");
        lastOk.put(image, ok);
        if (!ok && isUp.getAsBoolean() && Files.exists(files.apply(image))) {
            breaks("the backup of " + image + " failed: " + outcome.error().orElse(""));
        }
        if (outcome.report().isPresent()) {
            long id = outcome.report().get().snapshot().id();
            present.get(image).put(id, outcome.report().get().snapshot().received());
            try {
                sha256.put(first.content(image + "@" + id), Sites.sha256(files.apply(image)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (toBeNoticed.remove(image)) {
                noticed.put(image, clock.instant());
            }
        }
    }

    @Override
    public synchronized void careEnded(String care, CareOutcome outcome) {
        boolean calm = isUp.getAsBoolean();
        String what =
                outcome.kind() + outcome.image().map(image -> " of " + image).orElse("");
        if (outcome.error().isPresent() && calm && second.isUp() && !isLate(outcome)) {
            breaks(what + " failed: " + outcome.error().get());
        }
        switch (outcome.kind()) {
            case VERIFY -> verified(outcome);
            case COPY -> copied(care, outcome);
            case PRUNE -> outcome.image().ifPresent(image -> pruned(image, outcome));
            case BOOT -> breaks("nothing is to be started");
        }
    }

    private static boolean isLate(CareOutcome outcome) {
        return outcome.error()
                .filter(error -> error.contains("should be read in"))
                .isPresent();
    }

    private void verified(CareOutcome outcome) {
        compareWithDamage(outcome);
        if (isLate(outcome)) {
            count("passes that downtime made late");
            if (Duration.between(lastTrouble, clock.instant()).compareTo(ALL_IN) > 0) {
                breaks("not all was read in its time: " + outcome.error().orElse(""));
            }
        } else if (outcome.succeeded()) {
            count("verifications in time");
        }
    }

    /** What was damaged is named, and an alert stands for just so long. */
    private void compareWithDamage(CareOutcome outcome) {
        if (outcome.error().isPresent() && !isLate(outcome)) {
            return;
        }
        boolean found = !outcome.problems().isEmpty();
        Optional<String> file = damagedFile.get();
        if (found && file.isEmpty()) {
            breaks("verification found what is not damaged: " + outcome.problems());
        } else if (found && outcome.problems().stream().noneMatch(line -> line.contains(file.get()))) {
            breaks("verification does not name " + file.get() + ": " + outcome.problems());
        }
        if (knowsDamage != found) {
            count(found ? "alerts of damage" : "alerts of damage that ended");
        }
        knowsDamage = found;
        boolean alarmed = alerts.get().stream().anyMatch(alert -> alert.kind() == AlertKind.DAMAGE_FOUND);
        if (alarmed != found) {
            breaks("verification found " + outcome.problems() + ", and " + (alarmed ? "an" : "no") + " alert stands");
        }
    }

    private void copied(String care, CareOutcome outcome) {
        if (!care.equals("elsewhere") || !outcome.succeeded() || !alone.equals(Optional.of(care))) {
            return;
        }
        count("copies");
        for (String image : CareYear.IMAGES) {
            Set<Fingerprint> missing = new HashSet<>(first.contents(image));
            missing.removeAll(second.contents(image));
            if (!missing.isEmpty()) {
                breaks("the second agent lacks " + missing.size() + " snapshots of " + image);
                return;
            }
        }
        try {
            first.noteCopied();
            second.noteCopied();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pruned(String image, CareOutcome outcome) {
        if (!alone.equals(Optional.of("old")) || !outcome.error().isEmpty()) {
            present.put(image, first.received(image));
            return;
        }
        Map<Long, Instant> before = present.get(image);
        Map<Long, Instant> after = first.received(image);
        boolean held = outcome.figures().get("held") > 0;
        Set<Long> expected = held ? before.keySet() : rules(image, before);
        count(held ? "prunes held" : "prunes checked");
        counts.merge("snapshots deleted", before.size() - after.size(), Integer::sum);
        if (!new TreeSet<>(expected).equals(new TreeSet<>(after.keySet()))) {
            breaks("of " + image + " " + before + " the rules keep " + new TreeSet<>(expected) + ", and there is "
                    + after.keySet() + (held ? " (held)" : ""));
        }
        checkHeld(image, held, outcome);
        present.put(image, new TreeMap<>(after));
    }

    private void checkHeld(String image, boolean held, CareOutcome outcome) {
        Instant now = clock.instant();
        Instant seen = noticed.get(image);
        boolean encrypted = seen != null && now.isBefore(seen.plus(AFTER_ENCRYPTION));
        boolean ill = encrypted || knowsDamage || !lastOk.getOrDefault(image, true);
        boolean troubled = Duration.between(lastTrouble, now).compareTo(AFTER_TROUBLE) < 0;
        if (ill && !held) {
            breaks(image + " was pruned though its last backup failed, it was encrypted, or damage is known");
        } else if (held && !ill && !troubled) {
            breaks(image + " was held for nothing: " + outcome.problems() + outcome.notes());
        }
    }

    private static Set<Long> rules(String image, Map<Long, Instant> before) {
        RetentionOracle oracle =
                new RetentionOracle(before, image.equals("a") || image.equals("b") ? BERLIN : ZoneId.of("UTC"));
        return switch (image) {
            case "weekly" -> oracle.within(Duration.ofDays(30)).yearly(2).kept();
            case "often" -> oracle.last(6).daily(3).kept();
            default -> oracle.last(3).daily(7).weekly(4).monthly(6).kept();
        };
    }

    /** Each snapshot that is there gives its image as it was. */
    void restoreAll(Sites sites, YearAgent agent) throws IOException {
        for (String name : agent.names()) {
            if (!isRestored(sites, agent, name)) {
                breaks(name + " is not restored as it was");
            }
            count("snapshots restored" + (agent == first ? ", first agent" : ", second agent"));
        }
    }

    /** Whether a snapshot gives its image as it was; never may it give another. */
    boolean isRestored(Sites sites, YearAgent agent, String name) throws IOException {
        Path out = files.apply("restored");
        Files.deleteIfExists(out);
        Sites.Result result = sites.through(agent.port(), "restore", name, "--to", out.toString());
        if (result.exitCode() != 0) {
            return false;
        }
        if (!Sites.sha256(out).equals(sumOf(agent.content(name)))) {
            breaks(name + " is restored to something else");
        }
        return true;
    }

    private synchronized String sumOf(Fingerprint content) {
        return sha256.getOrDefault(content, "an image that was never backed up");
    }
}
