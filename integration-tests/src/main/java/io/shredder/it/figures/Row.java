// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One line of JSON that a measuring program printed: a figure with what it was measured under. */
public record Row(JsonNode json) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Reads a line. */
    public static Row parse(String line) throws IOException {
        try {
            return new Row(MAPPER.readTree(line));
        } catch (JsonProcessingException e) {
            throw new IOException("not a line of JSON: " + line, e);
        }
    }

    /** What was measured. */
    public String name() {
        return text("name");
    }

    /** Why there is no figure; empty if there is one. */
    public Optional<String> error() {
        return json.has("error") ? Optional.of(text("error")) : Optional.empty();
    }

    /** A member's text, empty if it isn't there. */
    public String text(String key) {
        return json.path(key).asText();
    }

    /** A member's number, 0 if it isn't there. */
    public double number(String key) {
        return json.path(key).asDouble();
    }

    /** 10^9 bytes a second; of rounds their median. 0 if the measurement failed. */
    public double rate() {
        return json.has("gbPerSecond") || !json.has("roundSeconds")
                ? number("gbPerSecond")
                : number("bytes") / Medians.of(rounds()) / 1e9;
    }

    /** Seconds of each round, in the order they were run. */
    public List<Double> rounds() {
        var rounds = new ArrayList<Double>();
        json.path("roundSeconds").forEach(round -> rounds.add(round.asDouble()));
        return rounds;
    }

    /**
     * How many times faster than another row of the same run, byte for byte: the median of the rounds' ratios, so that
     * what the machine did besides in one round falls on both.
     */
    public double timesFasterThan(Row other) {
        List<Double> mine = rounds();
        List<Double> theirs = other.rounds();
        double bytes = number("bytes") / other.number("bytes");
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
            ratios.add(theirs.get(i) / mine.get(i) * bytes);
        }
        return Medians.of(ratios);
    }
}
