// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one operation cost.
 *
 * @param contender who did it
 * @param operation what it did
 * @param round which time, from 1
 * @param seconds by the clock on the wall
 * @param sourceBytes length of the image
 * @param peakBytes most memory resident, of all its processes together
 * @param repositoryBytes what the repository takes afterwards
 * @param costs what it took of the processors
 */
public record Measured(
        String contender,
        Operation operation,
        int round,
        double seconds,
        long sourceBytes,
        long peakBytes,
        long repositoryBytes,
        Costs costs) {
    /** Source bytes a second, in millions. */
    public double megabytesPerSecond() {
        return sourceBytes / 1e6 / seconds;
    }

    /** For a line of JSON. */
    Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("name", contender);
        json.put("operation", operation.title());
        json.put("round", round);
        json.put("seconds", seconds);
        json.put("megabytesPerSecond", megabytesPerSecond());
        json.put("sourceBytes", sourceBytes);
        json.put("peakBytes", peakBytes);
        json.put("repositoryBytes", repositoryBytes);
        json.put("commandCpuSeconds", costs.commandCpuSeconds());
        json.put("daemonCpuSeconds", costs.daemonCpuSeconds());
        return json;
    }
}
