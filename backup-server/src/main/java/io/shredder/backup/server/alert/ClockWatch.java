// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether this machine's clock can be right: not if it shows less than it did, and either it or the agent's is wrong if
 * they differ. An agent that shows the same proves it right, whatever it showed before. Not thread-safe.
 */
final class ClockWatch {

    /** NTP sets a clock by less. */
    private static final Duration MOST_APART = Duration.ofMinutes(5);

    private Instant latest = Instant.EPOCH;
    private String apart = "";

    /** What is wrong with a clock that shows this, in words. */
    Optional<String> look(Instant now) {
        if (now.isAfter(latest)) {
            latest = now;
        }
        if (!apart.isEmpty()) {
            return Optional.of(apart);
        }
        return Duration.between(now, latest).compareTo(MOST_APART) > 0
                ? Optional.of("this machine's shows " + now + ", and showed " + latest + " before")
                : Optional.empty();
    }

    /** Both were read at one time. */
    void compare(Instant own, Instant agents) {
        if (Duration.between(own, agents).abs().compareTo(MOST_APART) > 0) {
            apart = "this machine's shows " + own + ", the agent's " + agents;
        } else {
            apart = "";
            latest = own;
        }
    }

    void write(ObjectNode target) {
        target.put("latest", latest.toString()).put("apart", apart);
    }

    /** What was written; nothing is known if nothing was. */
    static ClockWatch read(JsonNode source) {
        ClockWatch watch = new ClockWatch();
        if (source.has("latest")) {
            watch.latest = Instant.parse(source.path("latest").asText());
            watch.apart = source.path("apart").asText();
        }
        return watch;
    }
}
