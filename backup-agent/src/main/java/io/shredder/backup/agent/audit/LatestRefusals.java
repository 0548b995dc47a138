// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** When clients were refused last, of those that were so of late. Not safe for several threads. */
final class LatestRefusals {

    private static final Duration BETWEEN = Duration.ofMinutes(1);
    private static final int MOST_CLIENTS = 1024;

    private final Map<String, Instant> last = new LinkedHashMap<>();

    /** Whether a refusal is to be written down: none of this client was within a minute. It counts as written then. */
    boolean isDue(String client, Instant now) {
        Instant before = last.get(client);
        if (before != null && Duration.between(before, now).abs().compareTo(BETWEEN) < 0) {
            return false;
        }
        last.remove(client);
        last.put(client, now);
        if (last.size() > MOST_CLIENTS) {
            Iterator<String> eldest = last.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
        return true;
    }
}
