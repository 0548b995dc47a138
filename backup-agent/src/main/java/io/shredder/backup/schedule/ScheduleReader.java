// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads from a section of a configuration when its work is done and how fast. */
public final class ScheduleReader {

    private static final String QUIET = "quiet";
    private static final String QUIET_BEGINS = "when-quiet-begins";
    private static final String OTHERWISE = "otherwise";
    /** From when on a schedule's times are compared with quiet times: the same answer every day. */
    private static final Instant SOME_TIME = Instant.parse("2026-01-01T00:00:00Z");

    private final ConfigSection section;
    private final ZoneId zone;
    private final QuietTimes usual;

    private ScheduleReader(ConfigSection section, ZoneId zone, QuietTimes usual) {
        this.section = section;
        this.zone = zone;
        this.usual = usual;
    }

    /** Of the whole configuration: what it says holds for all sections that don't. */
    public static ScheduleReader ofAll(ConfigSection root) {
        ZoneId zone = zone(root, ZoneId.systemDefault());
        return new ScheduleReader(root, zone, new ScheduleReader(root, zone, QuietTimes.NONE).quiet());
    }

    /** Of a section of it. */
    public ScheduleReader below(ConfigSection below) {
        return new ScheduleReader(below, zone(below, zone), usual);
    }

    private static ZoneId zone(ConfigSection section, ZoneId usual) {
        return section.value("time-zone", ScheduleReader::zoneNamed, usual);
    }

    private static ZoneId zoneNamed(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time zone: use one such as Europe/Berlin or UTC", e);
        }
    }

    /** When the section's work is to be done, and when not; without a schedule if it doesn't say. */
    public RunTimes times() {
        Duration jitter = section.value("jitter", TimeSpan::parse, Duration.ZERO);
        MissedRun missed = section.value("missed", MissedRun::parse, MissedRun.RUN);
        Optional<Timetable> timetable = section.optional("schedule", text -> Timetable.of(text, zone, jitter, missed));
        QuietTimes quiet = quiet();
        if (!section.has("schedule")) {
            meaningless().forEach(key -> section.problem(key, "'" + key + "' means nothing without 'schedule'"));
        }
        if (timetable.isPresent() && quiet.coverAll(timetable.get(), SOME_TIME)) {
            section.problem(
                    section.has(QUIET) ? QUIET : "schedule",
                    "all times of '" + section.text("schedule") + "' are quiet (" + quiet
                            + "): choose other times, or quiet: none");
        }
        return new RunTimes(timetable, quiet);
    }

    private Stream<String> meaningless() {
        boolean hasRates =
                Stream.of("bandwidth", "read-bandwidth").anyMatch(key -> section.has(key) && !section.isWord(key));
        return Stream.concat(
                        Stream.of("jitter", "missed", QUIET, QUIET_BEGINS),
                        hasRates ? Stream.empty() : Stream.of("time-zone"))
                .filter(section::has);
    }

    /** Times in which the section's work does not start. */
    private QuietTimes quiet() {
        QuietTimes.UnderWay underWay = section.value(QUIET_BEGINS, QuietTimes.UnderWay::parse, usual.underWay());
        List<WeekWindow> windows = usual.windows();
        ZoneId theirs = usual.zone();
        if (section.isWord(QUIET)) {
            windows = section.optional(QUIET, ScheduleReader::none).orElse(windows);
        } else if (section.has(QUIET)) {
            windows = section.list(QUIET, WeekWindow::parse, "Mon-Fri 08:00-18:00")
                    .orElse(List.of());
            theirs = zone;
        }
        if (windows.isEmpty() && section.has(QUIET_BEGINS)) {
            section.problem(QUIET_BEGINS, "'" + QUIET_BEGINS + "' means nothing without 'quiet'");
        }
        try {
            return new QuietTimes(windows, theirs, underWay);
        } catch (IllegalArgumentException e) {
            section.problem(QUIET, String.valueOf(e.getMessage()));
            return QuietTimes.NONE;
        }
    }

    private static List<WeekWindow> none(String text) {
        if (!text.equals("none")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither none nor a list of times such as [Mon-Fri 08:00-18:00]");
        }
        return List.of();
    }

    /** How fast bytes may go: one rate, or rates by the time of the week; unlimited if it isn't said. */
    public RatePlan rate(String key) {
        if (section.isWord(key)) {
            return section.optional(key, RatePlan.Rate::parse)
                    .map(RatePlan::always)
                    .orElse(RatePlan.UNLIMITED);
        }
        return section.section(key, false).map(this::plan).orElse(RatePlan.UNLIMITED);
    }

    private RatePlan plan(ConfigSection rates) {
        List<RatePlan.Window> windows = new ArrayList<>();
        for (String key : rates.keys()) {
            Optional<RatePlan.Rate> rate = rates.optional(key, RatePlan.Rate::parse);
            if (!key.equals(OTHERWISE) && rate.isPresent()) {
                try {
                    windows.add(new RatePlan.Window(WeekWindow.parse(key), rate.get()));
                } catch (IllegalArgumentException e) {
                    rates.problem(key, String.valueOf(e.getMessage()));
                }
            }
        }
        RatePlan.Rate otherwise = rates.required(OTHERWISE, RatePlan.Rate::parse, RatePlan.Rate.UNLIMITED);
        rates.finish();
        return new RatePlan(windows, otherwise, zone);
    }
}
