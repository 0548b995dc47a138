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
    private static final int MOST = 4096;

    private final Map<Refusal, Instant> last = new LinkedHashMap<>();

    private record Refusal(String client, String request) {}

    /** Whether a refusal is to be written down: none like it was within a minute. It counts as written then. */
    boolean isDue(String client, String request, Instant now) {
        Refusal refusal = new Refusal(client, request);
        Instant before = last.get(refusal);
        if (before != null && Duration.between(before, now).abs().compareTo(BETWEEN) < 0) {
            return false;
        }
        last.remove(refusal);
        last.put(refusal, now);
        if (last.size() > MOST) {
            Iterator<Refusal> eldest = last.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
        return true;
    }
}
