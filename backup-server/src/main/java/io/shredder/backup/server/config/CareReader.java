// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.schedule.ScheduleReader;
import io.shredder.backup.server.machine.BootTest;
import io.shredder.backup.server.machine.MachineOptions;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the configuration's section {@code care}. */
final class CareReader {

    private static final Duration ALL_IN = Duration.ofDays(30);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int MEMORY_MIB = 1024;
    private static final int MOST_PORT = 65_535;
    private static final int MOST_CORES = 64;
    private static final int MOST_NEW = 99_999;

    private final Path folder;
    private final TlsFiles tls;

    private CareReader(Path folder, TlsFiles tls) {
        this.folder = folder;
        this.tls = tls;
    }

    /**
     * All of it; none if there is no such section.
     *
     * @param tls who this site is at its agent, and at others unless it is said
     * @param jobs whose names care can't have, and whose images are started or pruned unless it says which
     * @param schedules of the whole configuration
     */
    static List<CareConfig> read(
            ConfigSection root, Path folder, TlsFiles tls, List<JobConfig> jobs, ScheduleReader schedules) {
        List<CareConfig> all = new ArrayList<>();
        root.section("care", false).ifPresent(section -> {
            CareReader reader = new CareReader(folder, tls);
            section.sections().forEach((name, care) -> {
                if (jobs.stream().anyMatch(job -> job.name().equals(name))) {
                    care.problem("a job has the name '" + name + "', too: give this another");
                }
                reader.care(name, care, jobs, schedules.below(care)).ifPresent(all::add);
            });
            if (all.isEmpty()) {
                section.problem(
                        "'care' has nothing to do: name 'verify', 'copy', 'boot' or 'prune', each with a 'schedule'");
            }
        });
        return all;
    }

    private Optional<CareConfig> care(String name, ConfigSection care, List<JobConfig> jobs, ScheduleReader schedule) {
        try {
            SnapshotName unused = new SnapshotName(name);
        } catch (IllegalArgumentException e) {
            care.problem("care's " + e.getMessage());
        }
        RunTimes times = schedule.times();
        RatePlan bandwidth = schedule.rate("bandwidth");
        List<CareConfig.Work> work = new ArrayList<>();
        care.section("verify", false).map(CareReader::verify).ifPresent(work::add);
        care.section("copy", false).map(this::copy).ifPresent(work::add);
        care.section("boot", false).map(section -> boot(section, jobs)).ifPresent(work::add);
        care.section("prune", false).map(section -> prune(section, jobs)).ifPresent(work::add);
        care.finish();
        if (work.size() != 1) {
            care.problem("care needs one of 'verify', 'copy', 'boot' and 'prune'; here are " + work.size());
            return Optional.empty();
        }
        return Optional.of(new CareConfig(name, times, bandwidth, work.get(0)));
    }

    private static CareConfig.Work verify(ConfigSection section) {
        Duration allIn = section.value("all-in", TimeSpan::positive, ALL_IN);
        section.finish();
        return new CareConfig.Verify(allIn);
    }

    private CareConfig.Work copy(ConfigSection section) {
        CareConfig.Copy copy = new CareConfig.Copy(
                section.required("to", HostPort::parse, new HostPort("localhost", 1)),
                new TlsFiles(
                        section.value("certificate", folder::resolve, tls.certificate()),
                        section.value("key", folder::resolve, tls.key()),
                        section.value("authority", folder::resolve, tls.authority())));
        section.finish();
        return copy;
    }

    /** Who may delete is named apart: the certificate that backs up is on this machine for every thief of it. */
    private CareConfig.Work prune(ConfigSection section, List<JobConfig> jobs) {
        TlsFiles theirs = new TlsFiles(
                section.required("certificate", folder::resolve, folder),
                section.required("key", folder::resolve, folder),
                section.value("authority", folder::resolve, tls.authority()));
        if (theirs.certificate().equals(tls.certificate())) {
            section.problem(
                    "certificate",
                    "the certificate of the backups must not be able to delete: name another's, such as"
                            + " 'backup-agent invite site1-admin --namespace site1 --rights restore,prune' lets in");
        }
        List<String> wanted = section.list("jobs", Function.identity(), "nightly")
                .orElse(jobs.stream()
                        .filter(job -> job.keep().isPresent())
                        .map(JobConfig::name)
                        .toList());
        for (String name : wanted) {
            if (jobs.stream()
                    .noneMatch(job -> job.name().equals(name) && job.keep().isPresent())) {
                section.problem("jobs", "there is no job '" + name + "' that says what to 'keep'");
            }
        }
        if (wanted.isEmpty()) {
            section.problem("no job says what to 'keep', so nothing may be deleted: give one rules such as"
                    + " keep: {daily: 14, weekly: 8}");
        }
        CareConfig.Prune prune = new CareConfig.Prune(
                theirs,
                jobs.stream().filter(job -> wanted.contains(job.name())).toList(),
                section.value("max-new", text -> number(text, MOST_NEW), CareConfig.Prune.USUAL_MOST_NEW),
                section.value("gc", JobReader::yesOrNo, false));
        section.finish();
        return prune;
    }

    private CareConfig.Work boot(ConfigSection section, List<JobConfig> jobs) {
        List<SnapshotName> all = jobs.stream()
                .flatMap(job -> job.images().stream())
                .map(ImageConfig::name)
                .toList();
        List<SnapshotName> images =
                section.list("images", SnapshotName::new, "web1, db1").orElse(all);
        List<MachineConfig> machines =
                jobs.stream().flatMap(job -> job.machines().stream()).toList();
        for (SnapshotName image : images) {
            if (!all.contains(image) && machines.stream().noneMatch(machine -> machine.owns(image))) {
                section.problem("images", "no job has an image '" + image.value() + "'");
            }
        }
        if (images.isEmpty()) {
            section.problem("no job has an image: say which of a machine's disks starts, such as images: [web1.vda]");
        }
        CareConfig.Boot boot = new CareConfig.Boot(
                images, machine(section), signs(section), section.optional("pictures", folder::resolve));
        section.finish();
        return boot;
    }

    private static MachineOptions machine(ConfigSection section) {
        return new MachineOptions(
                section.value("memory", CareReader::mebibytes, MEMORY_MIB),
                section.value("cpus", text -> number(text, MOST_CORES), 2),
                MachineOptions.Network.NONE,
                section.value("disk", word(MachineOptions.Disk.class), MachineOptions.Disk.VIRTIO),
                section.value("accelerator", word(MachineOptions.Accelerator.class), MachineOptions.Accelerator.AUTO),
                section.value("firmware", word(MachineOptions.Firmware.class), MachineOptions.Firmware.AUTO),
                section.value("wait", TimeSpan::positive, PATIENCE));
    }

    private static <E extends Enum<E>> Function<String, E> word(Class<E> kind) {
        return text -> MachineOptions.parse(kind, "the value", text);
    }

    private static int mebibytes(String text) {
        long mib = ByteSize.parse(text).bytes() >> 20;
        if (mib < 32 || mib > 1 << 20) {
            throw new IllegalArgumentException("'" + text + "': give a machine 32m to 1t");
        }
        return (int) mib;
    }

    private static int number(String text, int most) {
        if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + most);
        }
        return Integer.parseInt(text);
    }

    private static BootTest.Signs signs(ConfigSection section) {
        Optional<Pattern> console = section.optional("expect", CareReader::pattern);
        Optional<Integer> port = section.optional("expect-port", text -> number(text, MOST_PORT));
        boolean agent = section.value("expect-guest-agent", JobReader::yesOrNo, false);
        boolean usual = console.isEmpty() && port.isEmpty() && !agent;
        return new BootTest.Signs(
                usual ? Optional.of(Pattern.compile("login:")) : console,
                port.map(OptionalInt::of).orElse(OptionalInt.empty()),
                agent);
    }

    private static Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is no regular expression: " + e.getDescription(), e);
        }
    }
}
