// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Map;

/**
 * What an operation took of the processors, and what its command said of it.
 *
 * @param commandCpuSeconds of the commands that were timed
 * @param daemonCpuSeconds of the processes that ran beside, meanwhile
 * @param stageCpuSeconds of the threads of each stage, of both; empty if nobody looked
 * @param summary the command's last line of JSON; missing if it printed none
 */
public record Costs(
        double commandCpuSeconds, double daemonCpuSeconds, Map<String, Double> stageCpuSeconds, JsonNode summary) {
    /** Of what nobody looked at. */
    public static final Costs NONE = new Costs(0, 0, Map.of(), MissingNode.getInstance());

    /** Of both sides. */
    public double cpuSeconds() {
        return commandCpuSeconds + daemonCpuSeconds;
    }

    /** Until the command began with its work, as it says; 0 if it doesn't. */
    public double startSeconds() {
        return summary.path("startMilliseconds").asDouble() / 1e3;
    }
}
