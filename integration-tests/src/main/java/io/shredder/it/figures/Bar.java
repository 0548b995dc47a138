// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.util.List;
import java.util.Locale;

/**
 * One measured promise.
 *
 * @param name what was measured
 * @param figure what came out, with its unit
 * @param needed what must come out
 * @param verdict whether it did
 */
public record Bar(String name, String figure, String needed, Verdict verdict) {
    /** What became of a bar. */
    public enum Verdict {
        PASSED("pass"),
        FAILED("FAIL"),
        /** A figure that is told for what it is, with nothing promised. */
        REPORTED("reported"),
        /** Can't be measured on this machine, and counts neither way. */
        NOT_RUN("not run here"),
        /** Measured, but not on what it is promised for; counts neither way. */
        NOT_JUDGED("not judged");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        public static Verdict of(boolean passed) {
            return passed ? PASSED : FAILED;
        }
    }

    /** A figure that must not be below a limit. */
    public static Bar atLeast(String name, double figure, double limit, String unit) {
        return new Bar(name, number(figure) + unit, "at least " + number(limit) + unit, Verdict.of(figure >= limit));
    }

    /** A figure that must not be above a limit. */
    public static Bar atMost(String name, double figure, double limit, String unit) {
        return new Bar(name, number(figure) + unit, "at most " + number(limit) + unit, Verdict.of(figure <= limit));
    }

    /**
     * A figure that must not be below a limit.
     *
     * @param beside what else was measured in the same run, for comparison
     */
    public static Bar atLeast(String name, double figure, double limit, String unit, String beside) {
        Bar bar = atLeast(name, figure, limit, unit);
        return new Bar(name, bar.figure + "; " + beside, bar.needed, bar.verdict);
    }

    /**
     * A figure that must not be above a limit.
     *
     * @param beside what else was measured in the same run, for comparison
     */
    public static Bar atMost(String name, double figure, double limit, String unit, String beside) {
        Bar bar = atMost(name, figure, limit, unit);
        return new Bar(name, bar.figure + "; " + beside, bar.needed, bar.verdict);
    }

    /**
     * A figure as a multiple of a peer or a limit measured in the same run.
     *
     * @param beside what it is a multiple of, and both figures
     */
    public static Bar atLeastTimes(String name, double times, double needed, String beside) {
        return new Bar(
                name,
                String.format(Locale.ROOT, "%.2f x %s", times, beside),
                String.format(Locale.ROOT, "at least %.2f x", needed),
                Verdict.of(times >= needed));
    }

    /** A figure with nothing promised. */
    public static Bar reported(String name, String figure) {
        return new Bar(name, figure, "", Verdict.REPORTED);
    }

    /** Something that holds or doesn't, with what was seen. */
    public static Bar holds(String name, boolean passed, String seen, String needed) {
        return new Bar(name, seen, needed, Verdict.of(passed));
    }

    /** A bar that this machine can't measure, and why. */
    public static Bar notRun(String name, String why) {
        return new Bar(name, why, "", Verdict.NOT_RUN);
    }

    /** The same bar on a machine, or of an input, that it is not promised for. */
    public Bar notJudged(String why) {
        return new Bar(name, figure + " (" + why + ")", needed, Verdict.NOT_JUDGED);
    }

    public boolean failed() {
        return verdict == Verdict.FAILED;
    }

    /** One line for people: name, figure, needed, verdict in columns. */
    public String line() {
        return String.format(Locale.ROOT, "%-44s %-44s %-22s %s", name, figure, needed, verdict.word)
                .stripTrailing();
    }

    /** The line that closes a list of bars; those not run here, not judged or only reported count neither way. */
    public static String closingLine(List<Bar> bars) {
        long passed = bars.stream().filter(bar -> bar.verdict == Verdict.PASSED).count();
        long failed = bars.stream().filter(Bar::failed).count();
        return passed + " passed, " + failed + " failed";
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
