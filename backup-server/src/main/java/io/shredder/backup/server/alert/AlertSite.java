// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What alerts know of a configuration.
 *
 * @param targets whom to tell
 * @param images of each job and of care for single images, and machines, by name
 * @param machines of each job and of care that prunes, by name
 * @param scheduled jobs that start by themselves
 * @param certificateEnds when this site's certificate ends
 */
public record AlertSite(
        AlertConfig targets,
        Map<String, Set<String>> images,
        Map<String, Set<String>> machines,
        Set<String> scheduled,
        Instant certificateEnds) {

    /** What this configuration says. A certificate that can't be read fails the backups, which is told of itself. */
    public static AlertSite of(ServerConfig config) {
        Instant ends;
        try {
            ends = config.tls().certificateEnds();
        } catch (IOException e) {
            ends = Instant.MAX;
        }
        Map<String, Set<String>> images = new TreeMap<>();
        Map<String, Set<String>> machines = new TreeMap<>();
        for (JobConfig job : config.jobs()) {
            images.put(job.name(), names(job.sources()));
            machines.put(job.name(), names(job.machines()));
        }
        for (CareConfig care : config.care()) {
            images.put(care.name(), Set.of());
            if (care.work() instanceof CareConfig.Boot boot) {
                images.put(
                        care.name(),
                        boot.images().stream().map(SnapshotName::value).collect(Collectors.toSet()));
            } else if (care.work() instanceof CareConfig.Prune prune) {
                images.put(care.name(), namesOf(prune.jobs(), JobConfig::sources));
                machines.put(care.name(), namesOf(prune.jobs(), JobConfig::machines));
            }
        }
        return new AlertSite(
                config.alerts(),
                images,
                machines,
                config.jobs().stream()
                        .filter(job -> job.timetable().isPresent())
                        .map(JobConfig::name)
                        .collect(Collectors.toSet()),
                ends);
    }

    private static Set<String> namesOf(
            List<JobConfig> jobs, Function<JobConfig, List<? extends SourceConfig>> sources) {
        return jobs.stream().flatMap(job -> names(sources.apply(job)).stream()).collect(Collectors.toSet());
    }

    private static Set<String> names(List<? extends SourceConfig> sources) {
        return sources.stream().map(source -> source.name().value()).collect(Collectors.toSet());
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
