// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.wire.VerifyScope;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of everything is to be verified. */
public final class ScopeOptions {

    private static final int MILLIONTHS_DIGITS = 4;

    @Option(
            names = "--sample",
            paramLabel = "PERCENT",
            description = {
                "Only a random sample: containers with at least that share of what is stored, such as 5 or 0.5, at"
                        + " least one.",
                "Its seed is printed."
            })
    private @Nullable BigDecimal percent;

    @Option(names = "--seed", paramLabel = "N", description = "The seed of a sample, to repeat it.")
    private @Nullable Long seed;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = {
                "Only what was written or received since, by the agent's clock: a length of time",
                "before now such as 36h or 7d, or 2026-05-31, 2026-05-31T03:00 (UTC), 2026-05-31T03:00+02:00."
            })
    private @Nullable String since;

    /** A scope, and in words what it leaves out. */
    public record Chosen(VerifyScope scope, Optional<BigDecimal> percent) {

        /** Empty for everything. */
        public String words() {
            List<String> words = new ArrayList<>();
            percent.ifPresent(share -> words.add(
                    "a sample of " + share.toPlainString() + " % (repeat it with --seed " + scope.seed() + ")"));
            if (!scope.since().equals(Instant.EPOCH)) {
                words.add("what was written since " + scope.since());
            }
            return String.join(" of ", words);
        }

        /** For {@code --json}: keys stay as they are. */
        public Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            percent.ifPresent(share -> {
                json.put("samplePercent", share);
                json.put("seed", scope.seed());
            });
            if (!scope.since().equals(Instant.EPOCH)) {
                json.put("since", scope.since().toString());
            }
            return json;
        }
    }

    /** Whether one of the options was given. */
    public boolean isGiven() {
        return percent != null || seed != null || since != null;
    }

    /**
     * What is chosen; a sample without a seed gets one.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public Chosen choose(Clock clock) {
        if (seed != null && percent == null) {
            throw new IllegalArgumentException("--seed goes with --sample");
        }
        Instant from = since == null ? Instant.EPOCH : instant(since, clock);
        if (percent == null) {
            return new Chosen(new VerifyScope(from, VerifyScope.ALL, 0), Optional.empty());
        }
        long drawn = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
        return new Chosen(new VerifyScope(from, millionths(percent), drawn), Optional.of(percent));
    }

    private static int millionths(BigDecimal percent) {
        try {
            int millionths = percent.movePointRight(MILLIONTHS_DIGITS).intValueExact();
            if (millionths >= 1 && millionths <= VerifyScope.ALL) {
                return millionths;
            }
        } catch (ArithmeticException e) {
            // More than four digits behind the point, or beyond all range: said below.
        }
        throw new IllegalArgumentException("--sample " + percent + " is not a share from 0.0001 to 100 percent");
    }

    private static Instant instant(String text, Clock clock) {
        Instant now = clock.instant();
        Instant from = time(text).orElseGet(() -> {
            try {
                return now.minus(TimeSpan.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "--since '" + text
                                + "' is neither a length of time such as 36h or 7d nor a time such as 2026-05-31T03:00",
                        e);
            }
        });
        if (from.isAfter(now)) {
            throw new IllegalArgumentException("--since " + text + " is in the future");
        }
        return from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
    }

    private static Optional<Instant> time(String text) {
        try {
            if (!text.contains("T")) {
                return Optional.of(LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
            }
            boolean hasOffset = text.matches(".*T.*([Zz]|[+-].+)");
            return Optional.of(
                    hasOffset
                            ? OffsetDateTime.parse(text).toInstant()
                            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
