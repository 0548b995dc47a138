// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.pace.Pace;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How many bytes a second may go, by the time of the week. Immutable.
 *
 * @param windows the first that holds counts
 * @param otherwise outside of all windows
 * @param zone whose clock on the wall counts
 */
public record RatePlan(List<Window> windows, Rate otherwise, ZoneId zone) {

    /** As fast as it goes, always. */
    public static final RatePlan UNLIMITED = always(Rate.UNLIMITED);

    private static final String UNITS = "kmgt";

    /**
     * A rate.
     *
     * @param bytes a second; empty for as fast as it goes
     */
    public record Rate(Optional<ByteSize> bytes) {

        /** As fast as it goes. */
        public static final Rate UNLIMITED = new Rate(Optional.empty());

        /**
         * Reads a size, or {@code unlimited}.
         *
         * @throws IllegalArgumentException if it is neither, or too slow
         */
        public static Rate parse(String text) {
            if (text.equals("unlimited")) {
                return UNLIMITED;
            }
            ByteSize size = ByteSize.parse(text);
            Pace.check(size.bytes());
            return new Rate(Optional.of(size));
        }

        /** For a {@link Pace}. */
        long bytesPerSecond() {
            return bytes.map(ByteSize::bytes).orElse(Pace.NO_LIMIT);
        }

        /** As {@link #parse} reads it. */
        @Override
        public String toString() {
            if (bytes.isEmpty()) {
                return "unlimited";
            }
            long size = bytes.get().bytes();
            int power = 0;
            while (power < UNITS.length() && size % 1024 == 0) {
                size /= 1024;
                power++;
            }
            return power == 0 ? String.valueOf(size) : String.valueOf(size) + UNITS.charAt(power - 1);
        }
    }

    /**
     * A rate of some time of the week.
     *
     * @param time when
     * @param rate how fast then
     */
    public record Window(WeekWindow time, Rate rate) {}

    /** Keeps a copy. */
    public RatePlan {
        windows = List.copyOf(windows);
    }

    /** The same at all times. */
    public static RatePlan always(Rate rate) {
        return new RatePlan(List.of(), rate, ZoneOffset.UTC);
    }

    /** The rate of a moment. */
    public Rate at(Instant time) {
        LocalDateTime wall = time.atZone(zone).toLocalDateTime();
        return windows.stream()
                .filter(window -> window.time().contains(wall))
                .findFirst()
                .map(Window::rate)
                .orElse(otherwise);
    }

    /** Whether there is any limit at any time. */
    public boolean isLimited() {
        return otherwise.bytes().isPresent()
                || windows.stream().anyMatch(window -> window.rate().bytes().isPresent());
    }

    /** A pace of its own that keeps to the plan as time goes on. */
    public Pace pace(Clock clock) {
        if (!isLimited()) {
            return Pace.unlimited();
        }
        return windows.isEmpty() ? Pace.of(otherwise.bytesPerSecond()) : pace(() -> this, clock);
    }

    /** The same of a plan in whose place another one may come. */
    public static Pace pace(Supplier<RatePlan> plan, Clock clock) {
        return Pace.varying(supplier(plan, clock));
    }

    /** Looks at the windows once a minute of the clock: they begin and end with minutes. */
    private static LongSupplier supplier(Supplier<RatePlan> plan, Clock clock) {
        AtomicReference<Optional<Minute>> seen = new AtomicReference<>(Optional.empty());
        return () -> {
            RatePlan rates = plan.get();
            Instant now = clock.instant();
            long minute = Math.floorDiv(now.getEpochSecond(), 60L);
            return seen.updateAndGet(last -> last.filter(known -> known.number() == minute)
                            .filter(known -> known.of().equals(rates))
                            .or(() -> Optional.of(
                                    new Minute(rates, minute, rates.at(now).bytesPerSecond()))))
                    .map(Minute::bytesPerSecond)
                    .orElse(Pace.NO_LIMIT);
        };
    }

    private record Minute(RatePlan of, long number, long bytesPerSecond) {}

    @Override
    public String toString() {
        if (windows.isEmpty()) {
            return otherwise.toString();
        }
        StringBuilder text = new StringBuilder();
        windows.forEach(window ->
                text.append(window.rate()).append(' ').append(window.time()).append(", "));
        return text + "otherwise " + otherwise + " (" + zone + ")";
    }
}
