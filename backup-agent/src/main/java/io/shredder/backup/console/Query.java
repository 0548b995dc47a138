// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.snapshot.SnapshotName;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a request asks for. Each method refuses a bad value by an {@link IllegalArgumentException} that names it.
 *
 * @param request that is read
 */
public record Query(PageRequest request) {

    private static final int MOST_SEARCHED = 100;

    /** A whole number between two, or what it is without one. */
    public long number(String name, long least, long most, long otherwise) {
        Optional<String> given = request.parameter(name);
        if (given.isEmpty()) {
            return otherwise;
        }
        if (!given.get().matches("[0-9]{1,18}")
                || Long.parseLong(given.get()) < least
                || Long.parseLong(given.get()) > most) {
            throw new IllegalArgumentException(
                    "'" + name + "' is '" + shown(given.get()) + "': give a number from " + least + " to " + most);
        }
        return Long.parseLong(given.get());
    }

    /** How many rows are wanted. */
    public int limit(int otherwise) {
        return (int) number("limit", 1, 500, otherwise);
    }

    /** One of some words; the first if it isn't given. */
    public String word(String name, List<String> known) {
        String given = request.parameter(name).orElse(known.get(0));
        if (!known.contains(given)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is '" + shown(given) + "': give one of " + String.join(", ", known));
        }
        return given;
    }

    /** A day, or what it is without one. */
    public LocalDate day(String name, LocalDate otherwise) {
        try {
            return request.parameter(name).map(LocalDate::parse).orElse(otherwise);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is '" + shown(request.parameter(name).orElse("")) + "': give a day as 2026-01-31",
                    e);
        }
    }

    /** A name of an image or a job. */
    public Optional<String> name(String parameter) {
        return request.parameter(parameter).map(given -> new SnapshotName(given).value());
    }

    /** What names are to contain, in lower case. */
    public String searched() {
        String text = request.parameter("q").orElse("");
        if (text.length() > MOST_SEARCHED) {
            throw new IllegalArgumentException("'q' is longer than " + MOST_SEARCHED + " characters");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static String shown(String text) {
        String head = text.length() > MOST_SEARCHED ? text.substring(0, MOST_SEARCHED) + "..." : text;
        return head.replaceAll("\\p{Cntrl}", "?");
    }
}
