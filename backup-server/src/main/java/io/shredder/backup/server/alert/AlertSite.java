// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What alerts know of a configuration.
 *
 * @param targets whom to tell
 * @param images of each job, by name
 * @param scheduled jobs that start by themselves
 * @param certificateEnds when this site's certificate ends
 */
public record AlertSite(
        AlertConfig targets, Map<String, Set<String>> images, Set<String> scheduled, Instant certificateEnds) {

    /** What this configuration says. A certificate that can't be read fails the backups, which is told of itself. */
    public static AlertSite of(ServerConfig config) {
        Instant ends;
        try {
            ends = config.tls().certificateEnds();
        } catch (IOException e) {
            ends = Instant.MAX;
        }
        return new AlertSite(
                config.alerts(),
                config.jobs().stream().collect(Collectors.toMap(JobConfig::name, job -> job.images().stream()
                        .map(image -> image.name().value())
                        .collect(Collectors.toSet()))),
                config.jobs().stream()
                        .filter(job -> job.timetable().isPresent())
                        .map(JobConfig::name)
                        .collect(Collectors.toSet()),
                ends);
    }

    /** What this site is called: the agent's clients have their names by their certificates. */
    public static String nameOf(ServerConfig config) {
        try {
            return config.tls().commonName();
        } catch (IOException e) {
            return "";
        }
    }
}
