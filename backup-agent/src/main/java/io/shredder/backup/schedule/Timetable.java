// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * When a job runs: cron's five fields in a time zone, each run put off by a jitter, so that many sites don't call at
 * once. A time that a clock change skips comes as much later as is skipped, one that comes twice comes once. Immutable.
 */
public final class Timetable {

    /** A run that begins up to this late was not missed. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    private static final CronDefinition FIELDS = CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
    private static final Map<String, String> NAMES =
            Map.of("@hourly", "0 * * * *", "@daily", "0 0 * * *", "@weekly", "0 0 * * 0", "@monthly", "0 0 1 * *");

    private final String text;
    private final ExecutionTime times;
    private final ZoneId zone;
    private final Duration jitter;
    private final MissedRun missed;

    private Timetable(String text, ExecutionTime times, ZoneId zone, Duration jitter, MissedRun missed) {
        this.text = text;
        this.times = times;
        this.zone = zone;
        this.jitter = jitter;
        this.missed = missed;
    }

    /**
     * A timetable.
     *
     * @param text minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly
     * @param jitter the most by which a run is put off
     * @throws IllegalArgumentException if it isn't one, or never comes
     */
    public static Timetable of(String text, ZoneId zone, Duration jitter, MissedRun missed) {
        ExecutionTime times;
        try {
            times = ExecutionTime.forCron(new CronParser(FIELDS).parse(oneSchedule(NAMES.getOrDefault(text, text))));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a schedule: "
                            + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ")
                            + "; use five fields, such as '30 2 * * *', or @hourly, @daily, @weekly, @monthly",
                    e);
        }
        if (times.nextExecution(ZonedDateTime.of(2000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC))
                .isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' never comes");
        }
        return new Timetable(text, times, zone, jitter, missed);
    }

    /** The parser takes '|' for a separator of schedules; one by itself would give another error than a bad text's. */
    private static String oneSchedule(String text) {
        if (text.indexOf('|') >= 0) {
            throw new IllegalArgumentException("it has a '|'");
        }
        return text;
    }

    /** The first scheduled time after this one, without jitter. */
    public Instant next(Instant after) {
        ZonedDateTime local = onTheWall(after);
        while (true) {
            Optional<ZonedDateTime> next = times.nextExecution(local);
            if (next.isEmpty()) {
                return Instant.MAX;
            }
            local = next.get();
            if (onTheClock(local).isAfter(after)) {
                return onTheClock(local);
            }
        }
    }

    /** Whether a time that passed is made up for. */
    boolean isMadeUpFor() {
        return missed == MissedRun.RUN;
    }

    /** The longest by which a run is put off. */
    public Duration jitter() {
        return jitter;
    }

    /** The last scheduled time up to this one, without jitter; empty if there is none. */
    public Optional<Instant> latest(Instant upTo) {
        ZonedDateTime local = onTheWall(upTo).plusNanos(1);
        while (true) {
            Optional<ZonedDateTime> last = times.lastExecution(local);
            if (last.isEmpty() || !onTheClock(last.get()).isAfter(upTo)) {
                return last.map(this::onTheClock);
            }
            local = last.get();
        }
    }

    /** What a clock on the wall shows, in a zone whose clocks never change, so that no time is missing there. */
    private ZonedDateTime onTheWall(Instant time) {
        return time.atZone(zone).toLocalDateTime().atZone(ZoneOffset.UTC);
    }

    /** A time that is skipped is later by as much as is skipped, one that comes twice is the first. */
    private Instant onTheClock(ZonedDateTime wall) {
        return wall.toLocalDateTime().atZone(zone).toInstant();
    }

    /**
     * What to do.
     *
     * @param handled the latest scheduled time that was seen to, or when the job became known
     * @param now not before {@code handled} unless the clock was set back: then the job waits
     * @param seed of the site, so that sites put off differently, and each the same after a restart
     */
    public Turn turn(Instant handled, Instant now, long seed) {
        Instant next = next(handled);
        Instant start = next.equals(Instant.MAX) ? next : next.plus(putOff(next, seed));
        if (start.isAfter(now)) {
            return new Turn(Turn.What.WAIT, start);
        }
        Instant latest = latest(now).filter(last -> last.isAfter(next)).orElse(next);
        boolean late = start.plus(GRACE).isBefore(now);
        return new Turn(late && missed == MissedRun.SKIP ? Turn.What.SKIP : Turn.What.RUN, latest);
    }

    /** Less than the jitter; depends on nothing but the arguments. */
    private Duration putOff(Instant scheduled, long seed) {
        long jitterMs = jitter.toMillis();
        if (jitterMs == 0) {
            return Duration.ZERO;
        }
        long mixed = new java.util.SplittableRandom(seed ^ scheduled.getEpochSecond()).nextLong(jitterMs);
        return Duration.ofMillis(mixed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Timetable that
                && text.equals(that.text)
                && zone.equals(that.zone)
                && jitter.equals(that.jitter)
                && missed == that.missed;
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, zone, jitter, missed);
    }

    @Override
    public String toString() {
        return text + " " + zone + (jitter.isZero() ? "" : " put off by up to " + jitter.toSeconds() + " s")
                + ", missed: " + missed.name().toLowerCase(java.util.Locale.ROOT);
    }
}
