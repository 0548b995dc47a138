// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.config.ConfigReader;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.ScheduleReader;
import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the configuration's file and checks it whole. Opens nothing that it names, so it can be checked anywhere;
 * {@code docs/OPERATING-BACKUP.md} lists the keys.
 */
public final class ServerConfigReader {

    private static final int VERSION = 1;
    private static final int MAX_CONCURRENCY = 64;
    private static final Duration STALLED_AFTER = Duration.ofMinutes(10);
    private static final int MAX_FILE_BYTES = 4 << 20;

    private ServerConfigReader() {}

    /**
     * Reads a configuration.
     *
     * @throws ConfigException naming every problem and its line
     * @throws IOException if the file can't be read
     */
    public static ServerConfig read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("configuration " + file + " doesn't exist or is no file");
        } else if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException("configuration " + file + " is longer than " + MAX_FILE_BYTES + " bytes");
        }
        return parse(file, Files.readString(file, StandardCharsets.UTF_8));
    }

    /** The same for a text; the file is for errors, and relative paths begin at its folder. */
    static ServerConfig parse(Path file, String text) throws ConfigException {
        return ConfigReader.read(file, text, root -> config(file, root));
    }

    private static ServerConfig config(Path file, ConfigSection root) {
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
        root.required("version", ServerConfigReader::version, VERSION);
        Optional<ConfigSection> agent = root.section("agent", true);
        Path state = root.required("state", folder::resolve, folder);
        TlsFiles tls = agent.map(section -> tls(section, folder)).orElse(new TlsFiles(folder, folder, folder));
        ScheduleReader schedules = ScheduleReader.ofAll(root);
        List<JobConfig> jobs = jobs(root, folder, schedules);
        ServerConfig config = new ServerConfig(
                agent.map(section -> section.required("address", HostPort::parse, new HostPort("localhost", 1)))
                        .orElse(new HostPort("localhost", 1)),
                agent.map(section -> section.value("timeout", TimeSpan::positive, AgentClient.USUAL_SILENCE))
                        .orElse(AgentClient.USUAL_SILENCE),
                tls,
                key(root, folder),
                state,
                root.value("cache", folder::resolve, ServerConfig.usualCache(state)),
                root.value("monitoring", HostPort::parse, new HostPort("127.0.0.1", 7421)),
                root.section("console", false).map(section -> ConsoleConfig.read(section, folder)),
                root.value("backend", ShredderOptions.Devices::parse, ShredderOptions.Devices.AUTO),
                root.value("concurrency", ServerConfigReader::concurrency, 1),
                root.value("stalled-after", TimeSpan::positive, STALLED_AFTER),
                schedules.rate("bandwidth"),
                alerts(root, folder),
                jobs,
                CareReader.read(root, folder, tls, jobs, schedules));
        agent.ifPresent(ConfigSection::finish);
        root.finish();
        return config;
    }

    private static int version(String text) {
        if (!text.equals(Integer.toString(VERSION))) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a version of the configuration that is known here:"
                            + " use 1, or the program that it was written for");
        }
        return VERSION;
    }

    private static TlsFiles tls(ConfigSection agent, Path folder) {
        return new TlsFiles(
                agent.required("certificate", folder::resolve, folder),
                agent.required("key", folder::resolve, folder),
                agent.required("authority", folder::resolve, folder));
    }

    private static KeySource key(ConfigSection root, Path folder) {
        Optional<ConfigSection> section = root.section("repository-key", true);
        KeySource key = new KeySource(
                section.map(named -> named.required("file", folder::resolve, folder))
                        .orElse(folder),
                section.flatMap(named -> named.optional("passphrase-file", folder::resolve)),
                section.flatMap(named -> named.optional("secret-file", folder::resolve)));
        section.ifPresent(named -> {
            if (key.passphraseFile().isPresent() && key.secretFile().isPresent()) {
                named.problem("'passphrase-file' and 'secret-file' are both given: name one");
            }
            named.finish();
        });
        return key;
    }

    private static AlertConfig alerts(ConfigSection root, Path folder) {
        Optional<ConfigSection> section = root.section("alerts", false);
        AlertConfig alerts = section.map(named -> new AlertConfig(
                        named.optional("webhook", AlertConfig::address),
                        named.value("form", AlertForm::parse, AlertForm.JSON),
                        named.section("mail", false).map(mail -> MailConfig.read(mail, folder)),
                        named.optional("ping", AlertConfig::address),
                        named.optional("silence", TimeSpan::positive),
                        named.value("full-within", TimeSpan::positive, AlertConfig.USUAL_FULL_WITHIN)))
                .orElse(AlertConfig.NONE);
        section.ifPresent(named -> {
            boolean tells = alerts.webhook().isPresent() || alerts.mail().isPresent();
            if (!tells && alerts.ping().isEmpty()) {
                named.problem("'alerts' tells nobody: name a 'webhook', 'mail', a 'ping' or several");
            }
            if (alerts.silence().isPresent() && !tells) {
                named.problem("silence", "'silence' tells nobody without 'webhook' or 'mail'");
            }
            named.finish();
        });
        return alerts;
    }

    static int concurrency(String text) {
        if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_CONCURRENCY) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + MAX_CONCURRENCY);
        }
        return Integer.parseInt(text);
    }

    static ByteSize rate(String text) {
        ByteSize rate = ByteSize.parse(text);
        Pace.of(rate.bytes());
        return rate;
    }

    private static List<JobConfig> jobs(ConfigSection root, Path folder, ScheduleReader schedules) {
        List<JobConfig> jobs = new ArrayList<>();
        root.section("jobs", true).ifPresent(section -> {
            section.sections()
                    .forEach((name, job) -> jobs.add(JobReader.read(name, job, folder, schedules.below(job))));
            if (jobs.isEmpty()) {
                section.problem("'jobs' has no job");
            }
            checkNames(section, jobs);
        });
        return jobs;
    }

    /** Two that write the same series would mix two images in it. */
    private static void checkNames(ConfigSection section, List<JobConfig> jobs) {
        Map<String, String> jobOfName = new HashMap<>();
        for (JobConfig job : jobs) {
            for (SourceConfig source : job.sources()) {
                String other = jobOfName.putIfAbsent(source.name().value(), job.name());
                if (other != null) {
                    section.problem("images of jobs '" + other + "' and '" + job.name() + "' have the same name '"
                            + source.name() + "', which names their series of snapshots");
                }
            }
        }
        for (JobConfig job : jobs) {
            for (MachineConfig machine : job.machines()) {
                jobs.stream()
                        .flatMap(each -> each.sources().stream())
                        .map(SourceConfig::name)
                        .filter(machine::owns)
                        .forEach(name -> section.problem("'" + name + "' may be a disk of machine '" + machine.name()
                                + "' of job '" + job.name() + "', whose series are named so: give one another name"));
            }
        }
    }
}
