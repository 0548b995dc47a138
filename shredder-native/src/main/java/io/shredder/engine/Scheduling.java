// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a stream's buffers are given to several devices. */
public enum Scheduling {
    /** To the device with the fewest jobs under way. */
    SHORTEST_QUEUE(0),
    /** In turn. */
    ROUND_ROBIN(1),
    /** To a GPU while one has room left of what it told last, then to any (CROCUS, TPDS 2020). */
    LAFS(2),
    /** To the device that will be done first, by the bytes it has to do and the rate measured of it. */
    LEAST_WORK(3),
    /** The same, of two devices chosen at random. */
    TWO_CHOICES(4);

    private final int code;

    Scheduling(int code) {
        this.code = code;
    }

    /** The name that options use, such as {@code least-work}. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The policy of that {@link #optionName}.
     *
     * @throws InvalidOptionException if there is none
     */
    public static Scheduling parse(String name) {
        for (Scheduling scheduling : values()) {
            if (scheduling.optionName().equals(name)) {
                return scheduling;
            }
        }
        String names = Arrays.stream(values()).map(Scheduling::optionName).collect(Collectors.joining(", "));
        throw new InvalidOptionException("unknown scheduling '" + name + "': use one of " + names);
    }

    /** The value of {@code shredder_scheduling} in {@code shredder.h}. */
    int code() {
        return code;
    }
}
