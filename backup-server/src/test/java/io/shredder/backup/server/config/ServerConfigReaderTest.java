// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.server.running.DiskChoice;
import io.shredder.backup.server.running.Freezing;
import io.shredder.backup.server.running.MachineAccess;
import io.shredder.backup.server.running.MachineAddress;
import io.shredder.backup.server.running.MachineTask;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.NbdUri;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerConfigReaderTest {

    private static final Path FILE = Path.of("/etc/shredder/backup-server.yaml");

    private static final String HEAD =
            """
            version: 1
            agent:
              address: backup.example.org:7420
              certificate: client.crt
              key: /keys/client.key
              authority: ca.crt
            state: /var/lib/shredder
            repository-key: {file: backup.key, secret-file: /keys/secret}
            """;

    private static final String FULL = HEAD
            + """
            monitoring: 127.0.0.1:9999
            backend: cpu
            concurrency: 3
            stalled-after: 5m
            bandwidth: 100m
            jobs:
              nightly:
                schedule: "30 2 * * *"
                time-zone: Europe/Berlin
                jitter: 10m
                missed: skip
                concurrency: 2
                cpu-threads: 5
                weight: 200
                bandwidth: 50m
                read-bandwidth: 1g
                retry: {times: 5, after: 30s}
                time-limit: 6h
                chunk: {average: 32k, min: 16k, max: 64k, digest: sha256}
                on-read-error: skip
                tags: [nightly, os=debian]
                images:
                  web1: {file: images/web1.raw}
                  db1:
                    device: /dev/vg/db1-snapshot
                    before: [/usr/local/bin/snapshot, create, db1]
                    after: [/usr/local/bin/snapshot, drop, db1]
                    hook-time-limit: 90s
                    weight: 1000
                  app1: {qcow2: /vm/app1.qcow2}
              by-hand:
                images:
                  vda: {nbd: "nbd+unix:///vda?socket=/run/vm.sock"}
            """;

    private static List<String> problems(String text) {
        ConfigException error = catchThrowableOfType(ConfigException.class, () -> ServerConfigReader.parse(FILE, text));
        assertThat(error).as(text).isNotNull();
        return error.problems();
    }

    @Test
    void everythingThatMayBeSaidIsRead() throws IOException {
        ServerConfig config = ServerConfigReader.parse(FILE, FULL);
        assertThat(config.agent()).hasToString("backup.example.org:7420");
        assertThat(config.tls().certificate()).isEqualTo(Path.of("/etc/shredder/client.crt"));
        assertThat(config.tls().key()).isEqualTo(Path.of("/keys/client.key"));
        assertThat(config.monitoring()).hasToString("127.0.0.1:9999");
        assertThat(config.backend()).isEqualTo(ShredderOptions.Devices.parse("cpu"));
        assertThat(config.concurrency()).isEqualTo(3);
        assertThat(config.bandwidth()).hasToString("100m");
        JobConfig job = config.jobs().get(0);
        assertThat(job.timetable().orElseThrow())
                .hasToString("30 2 * * * Europe/Berlin put off by up to 600 s, missed: skip");
        assertThat(job.readBandwidth()).hasToString("1g");
        assertThat(job.cpuThreads()).hasValue(5);
        assertThat(job.images().stream().map(ImageConfig::weight)).containsExactly(200, 1000, 200);
        assertThat(config.jobs().get(1).images().get(0).weight()).isEqualTo(100);
        assertThat(config.timeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.stalledAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(job.timeLimit()).contains(Duration.ofHours(6));
        assertThat(job.retry()).isEqualTo(new JobConfig.Retry(5, Duration.ofSeconds(30)));
        assertThat(job.cuts().lengths().averageBytes()).isEqualTo(32 << 10);
        assertThat(job.cuts().lengths().maxBytes()).isEqualTo(64 << 10);
        assertThat(job.cuts().digest()).contains(DigestAlgorithm.SHA_256);
        assertThat(job.onReadError()).isEqualTo(OnReadError.SKIP);
        assertThat(job.tags()).containsExactly("nightly", "os=debian");
        assertThat(job.images().stream().map(ImageConfig::address))
                .containsExactly(
                        new ImageAddress.RawFile(Path.of("/etc/shredder/images/web1.raw")),
                        new ImageAddress.Device(Path.of("/dev/vg/db1-snapshot")),
                        new ImageAddress.Qcow2(Path.of("/vm/app1.qcow2")));
        assertThat(job.images().get(1).hooks())
                .isEqualTo(new HookConfig(
                        List.of("/usr/local/bin/snapshot", "create", "db1"),
                        List.of("/usr/local/bin/snapshot", "drop", "db1"),
                        Duration.ofSeconds(90)));
        JobConfig byHand = config.jobs().get(1);
        assertThat(byHand.timetable()).isEmpty();
        assertThat(byHand.onReadError()).isEqualTo(OnReadError.FAIL);
        assertThat(byHand.images().get(0).address())
                .isEqualTo(new ImageAddress.Nbd(NbdUri.parse("nbd+unix:///vda?socket=/run/vm.sock")));
    }

    @Test
    void machinesThatRunAreReadByTheWordsOfTheCommand() throws IOException {
        ServerConfig config = ServerConfigReader.parse(
                FILE,
                HEAD
                        + """
                jobs:
                  nightly:
                    weight: 200
                    machines:
                      vm1:
                        libvirt: web1
                        uri: qemu:///system
                        disks: [vda, vdb]
                        freeze: required
                        whole-every: 30d
                        read-bandwidth: 50m
                        scratch: scratch
                        before: [/usr/local/bin/quiesce]
                        hook-time-limit: 5m
                        weight: 300
                      vm2: {qmp: /run/vm2/qmp.sock, except: [swap], guest-agent: /run/vm2/ga.sock}
                care:
                  starts: {schedule: "@weekly", boot: {images: [vm1.vda]}}
                """);
        JobConfig job = config.jobs().get(0);
        assertThat(job.images()).isEmpty();
        MachineConfig first = job.machines().get(0);
        assertThat(first.name()).isEqualTo(new SnapshotName("vm1"));
        assertThat(first.weight()).isEqualTo(300);
        assertThat(first.hooks().before()).containsExactly("/usr/local/bin/quiesce");
        assertThat(first.task())
                .isEqualTo(new MachineTask(
                        new MachineAddress.Libvirt("web1", Optional.of("qemu:///system")),
                        new DiskChoice(Set.of("vda", "vdb"), Set.of()),
                        new MachineAccess(Optional.empty(), Freezing.REQUIRED, Path.of("/etc/shredder/scratch")),
                        Duration.ofDays(30),
                        Optional.of(new ByteSize(50 << 20))));
        MachineConfig second = job.machines().get(1);
        assertThat(second.weight()).isEqualTo(200);
        assertThat(second.task())
                .isEqualTo(new MachineTask(
                        new MachineAddress.Qmp(Path.of("/run/vm2/qmp.sock")),
                        new DiskChoice(Set.of(), Set.of("swap")),
                        new MachineAccess(Optional.of(Path.of("/run/vm2/ga.sock")), Freezing.AUTO, Path.of("/var/tmp")),
                        Duration.ofDays(7),
                        Optional.empty()));
    }

    @Test
    void whatIsWrongWithMachinesIsNamedByItsLine() {
        String text = HEAD
                + """
                jobs:
                  nightly:
                    tags: [a, b, c, d, e, f, g]
                    images:
                      vm1.vda: {file: x}
                    machines:
                      vm1: {libvirt: web1, qmp: /run/q}
                      vm2: {qmp: /run/q, uri: qemu:///system, freeze: required}
                      vm3: {libvirt: web3, guest-agent: /run/g, freeze: sometimes}
                      vm4: {qmp: /run/q, disks: [vda], except: [vda], whole-every: 0s, read-bandwidth: 1k}
                      vm5: {libvirt: web5, include: [vda], disks: []}
                      "vm 6": {}
                  other:
                    machines:
                      vm1: {libvirt: web1}
                  empty: {machines: {}}
                care:
                  starts: {boot: {images: [vm7.vda]}}
                """;
        int head = HEAD.split("\n").length;
        assertThat(problems(text).stream().map(line -> line.replace(FILE.toString(), "")))
                .anyMatch(line -> line.startsWith(":" + (head + 3) + ":") && line.contains("use at most 6"))
                .anyMatch(
                        line -> line.startsWith(":" + (head + 7) + ":") && line.contains("one of 'libvirt' and 'qmp'"))
                .anyMatch(line -> line.startsWith(":" + (head + 8) + ":") && line.contains("nothing with 'qmp'"))
                .anyMatch(line -> line.startsWith(":" + (head + 8) + ":") && line.contains("no guest agent's socket"))
                .anyMatch(line -> line.startsWith(":" + (head + 9) + ":") && line.contains("auto, required or never"))
                .anyMatch(line -> line.startsWith(":" + (head + 9) + ":") && line.contains("goes with qmp"))
                .anyMatch(line -> line.startsWith(":" + (head + 10) + ":") && line.contains("both wanted and left out"))
                .anyMatch(line -> line.startsWith(":" + (head + 10) + ":") && line.contains("no time at all"))
                .anyMatch(line -> line.startsWith(":" + (head + 10) + ":") && line.contains("at least 65536"))
                .anyMatch(line -> line.startsWith(":" + (head + 11) + ":") && line.contains("unknown key"))
                .anyMatch(line -> line.startsWith(":" + (head + 11) + ":") && line.contains("empty list"))
                .anyMatch(line -> line.contains("a machine's name 'vm 6' is not allowed"))
                .anyMatch(line -> line.contains("images of jobs 'nightly' and 'other' have the same name 'vm1'"))
                .anyMatch(line -> line.contains("'vm1.vda' may be a disk of machine 'vm1'"))
                .anyMatch(line -> line.contains("a job needs an image or a machine"))
                .anyMatch(line -> line.contains("no job has an image 'vm7.vda'"));
        assertThat(problems(HEAD + "jobs: {n: {machines: {vm: {libvirt: x}}}}\ncare: {s: {boot: {}}}\n"))
                .singleElement()
                .asString()
                .contains("say which of a machine's disks starts");
    }

    @Test
    void everyProblemIsNamedAtOnceWithItsLineAndColumn() {
        String text =
                """
                version: 2
                agent:
                  address: nowhere
                  certificat: client.crt
                  key: k
                state: /s
                concurrency: 0
                bandwidth: 1k
                jobs:
                  nightly:
                    schedule: "61 2 * * *"
                    jitter: soon
                    missed: later
                    chunk: {average: 1000, digest: md5}
                    images:
                      "../x": {file: a}
                      web1: {file: a, qcow2: b}
                      web2: {before: freeze, weight: 0}
                  empty:
                    weight: 1001
                    time-zone: Mars/Olympus
                    images: {}
                repository-key: {file: k, secret-file: s, passphrase-file: p}
                """;
        List<String> problems = problems(text);
        assertThat(problems).allMatch(problem -> problem.startsWith(FILE + ":"));
        assertContains(problems, ":1:10: 'version': '2' is not a version of the configuration");
        assertContains(problems, ":3:12: 'agent.address': 'nowhere' is not HOST:PORT");
        assertContains(problems, ":3:3: 'agent.certificate' is missing");
        assertContains(problems, ":3:3: 'agent.authority' is missing");
        assertContains(problems, ":4:3: unknown key 'agent.certificat': did you mean 'certificate'?");
        assertContains(problems, ":7:14: 'concurrency': '0' is not a number from 1 to 64");
        assertContains(problems, ":8:12: 'bandwidth': a rate of 1024 bytes a second is too slow");
        assertContains(problems, ":11:15: 'jobs.nightly.schedule': '61 2 * * *' is not a schedule");
        assertContains(problems, ":12:13: 'jobs.nightly.jitter': 'soon' is not a length of time");
        assertContains(problems, ":13:13: 'jobs.nightly.missed': 'later' is not what to do with a missed run");
        assertContains(problems, ":14:12: chunk lengths: average 1000 is not a power of two");
        assertContains(
                problems, ":14:36: 'jobs.nightly.chunk.digest': unknown digest 'md5': use one of sha256, blake3");
        assertContains(problems, ":16:15: an image's name '../x' is not allowed");
        assertContains(problems, ":17:13: an image needs one of 'file', 'device', 'qcow2' and 'nbd'; here are 2");
        assertContains(problems, ":18:13: an image needs one of");
        assertContains(problems, ":18:22: 'jobs.nightly.images.web2.before' should be a list of words");
        assertContains(problems, ":20:13: 'jobs.empty.weight': '1001' is not a number from 1 to 1000");
        assertContains(problems, ":18:38: 'jobs.nightly.images.web2.weight': '0' is not a number from 1 to 1000");
        assertContains(problems, ":21:16: 'jobs.empty.time-zone': 'Mars/Olympus' is not a time zone");
        assertContains(problems, ":21:16: 'time-zone' means nothing without 'schedule'");
        assertContains(problems, ":22:13: a job needs an image");
        assertContains(problems, ":23:17: 'passphrase-file' and 'secret-file' are both given: name one");
        assertThat(problems).hasSize(22);
    }

    private static void assertContains(List<String> problems, String text) {
        assertThat(problems).as(text).anyMatch(problem -> problem.startsWith(FILE + text));
    }

    @Test
    void whenAStoreIsFullSoonIsAWeekUnlessItIsSaid() throws IOException {
        String job = "jobs: {a: {images: {vm: {file: x}}}}\n";
        String alerts = "alerts: {webhook: 'https://alerts.example.org/x'%s}\n";
        assertThat(ServerConfigReader.parse(FILE, HEAD + job).alerts().fullWithin())
                .isEqualTo(Duration.ofDays(7));
        assertThat(ServerConfigReader.parse(FILE, HEAD + job + String.format(alerts, ""))
                        .alerts()
                        .fullWithin())
                .isEqualTo(Duration.ofDays(7));
        assertThat(ServerConfigReader.parse(FILE, HEAD + job + String.format(alerts, ", full-within: 21d"))
                        .alerts()
                        .fullWithin())
                .isEqualTo(Duration.ofDays(21));
        assertThat(problems(HEAD + job + String.format(alerts, ", full-within: soon")))
                .singleElement()
                .asString()
                .contains("'soon'");
    }

    @Test
    void twoImagesOfOneNameAreRefused() {
        String twice = "jobs:\n  a: {images: {vm: {file: x}}}\n  b: {images: {vm: {file: y}}}\n";
        assertThat(problems(HEAD + twice)).singleElement().asString().contains("have the same name 'vm'");
        String inOne = "jobs:\n  a:\n    images:\n      vm: {file: x}\n      vm: {file: y}\n";
        assertThat(problems(HEAD + inOne)).singleElement().asString().contains("key 'jobs.a.images.vm' is there twice");
    }

    @Test
    void whatIsNoYamlOrNoConfigurationIsRefusedWithItsPlace() {
        assertThat(problems("version: 1\njobs: [\n")).singleElement().asString().startsWith(FILE + ":3:1: not YAML: ");
        assertThat(problems("")).containsExactly(FILE + ":1:1: the configuration is empty");
        assertThat(problems("- a\n")).contains(FILE + ":1:1: the configuration should hold keys and their values");
        assertThat(problems("a: &a [*a, *b]\n")).singleElement().asString().contains("not YAML: ");
        assertThat(problems("jobs: {a: {images: 7}}"))
                .anyMatch(text -> text.contains("'jobs.a.images' should hold keys"));
    }

    @Test
    void anyTextIsReadOrRefusedNeverAnotherError() {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            StringBuilder text = new StringBuilder(FULL);
            for (int edits = random.nextInt(4); edits >= 0; edits--) {
                int at = random.nextInt(text.length());
                text.replace(
                        at,
                        Math.min(text.length(), at + random.nextInt(6)),
                        "" + "\n :{}[]-\"'&*!|>\t\0\u00e9x0".charAt(random.nextInt(20)));
            }
            try {
                ServerConfigReader.parse(FILE, text.toString());
            } catch (ConfigException e) {
                refused++;
                assertThat(e.problems()).isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("-Dshredder.seed=" + seed + ", text:\n" + text, e);
            }
        }
        assertThat(refused).as("-Dshredder.seed=" + seed).isBetween(50, 400);
    }

    @Test
    void aFileThatIsNotThereIsNamed(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> ServerConfigReader.read(folder.resolve("no")))
                .hasMessage("configuration " + folder.resolve("no") + " doesn't exist or is no file");
        Path file = Files.writeString(folder.resolve("yes"), FULL);
        assertThat(ServerConfigReader.read(file).jobs()).hasSize(2);
    }

    @Test
    void tagsThatNoSnapshotCanCarryAreNamed() {
        String head = HEAD + "jobs:\n  a:\n    images: {vm: {file: /vm}}\n";
        assertThat(problems(head + "    tags: [two words, ok]\n"))
                .singleElement()
                .asString()
                .contains("'jobs.a.tags': tag 'two words' is not allowed");
        assertThat(problems(head + "    tags: [x, x]\n"))
                .singleElement()
                .asString()
                .contains("all different");
        assertThat(problems(head + "    on-read-error: retry\n"))
                .singleElement()
                .asString()
                .contains("'retry' is neither fail nor skip");
    }

    @Test
    void bandwidthQuietTimesAndRulesAreReadAndInherited() throws IOException {
        ServerConfig config = ServerConfigReader.parse(
                FILE,
                HEAD
                        + """
                time-zone: Europe/Berlin
                quiet: ["Mon-Fri 08:00-18:00"]
                when-quiet-begins: end
                bandwidth: {"Mon-Fri 08:00-18:00": 20m, "Sun": unlimited, otherwise: 200m}
                jobs:
                  nightly:
                    schedule: "30 2 * * *"
                    bandwidth: {"02:00-04:00": 1m, otherwise: unlimited}
                    keep: {last: 7, daily: 14, weekly: 8, monthly: 12, yearly: 3, within: 30d, time-zone: Asia/Tokyo}
                    images: {a: {file: a}}
                  hourly:
                    schedule: "@hourly"
                    time-zone: UTC
                    quiet: ["12:00-13:00"]
                    when-quiet-begins: go-on
                    images: {b: {file: b}}
                  always: {schedule: "@hourly", quiet: none, images: {c: {file: c}}}
                care:
                  old: {schedule: "0 6 * * *", bandwidth: 5m, prune: {certificate: admin.crt, key: admin.key}}
                """);
        assertThat(config.bandwidth())
                .hasToString("20m Mon-Fri 08:00-18:00, unlimited Sun, otherwise 200m (Europe/Berlin)");
        JobConfig nightly = config.jobs().get(0);
        assertThat(nightly.times().quiet()).hasToString("Mon-Fri 08:00-18:00 Europe/Berlin, what runs then is ended");
        assertThat(nightly.timetable().orElseThrow()).asString().contains("Europe/Berlin");
        assertThat(nightly.bandwidth()).hasToString("1m 02:00-04:00, otherwise unlimited (Europe/Berlin)");
        assertThat(nightly.keep().orElseThrow())
                .hasToString("last 7, daily 14, weekly 8, monthly 12, yearly 3, within 720 h (Asia/Tokyo)");
        assertThat(config.jobs().get(1).times().quiet()).hasToString("12:00-13:00 UTC, what runs then goes on");
        assertThat(config.jobs().get(2).times().quiet().windows()).isEmpty();
        CareConfig old = config.care().get(0);
        assertThat(old.times().quiet().windows()).hasSize(1);
        assertThat(old.bandwidth()).hasToString("5m");
        CareConfig.Prune prune = (CareConfig.Prune) old.work();
        assertThat(prune.jobs()).containsExactly(nightly);
        assertThat(prune.tls().certificate()).isEqualTo(Path.of("/etc/shredder/admin.crt"));
        assertThat(prune.collect()).isFalse();
    }

    @Test
    void whatIsWrongWithTimesAndRulesIsNamedByItsLine() {
        String text = HEAD
                + """
                quiet: [Mon-Sun]
                jobs:
                  a:
                    schedule: "0 12 * * *"
                    quiet: ["11:00-13:00"]
                    when-quiet-begins: pause
                    bandwidth: {"08:00-18:00": 20m}
                    keep: {}
                    images: {a: {file: a}}
                  b:
                    quiet: ["11:00-11:00"]
                    time-zone: UTC
                    read-bandwidth: {"Montag": 20m, otherwise: 10, "8-18": 1m}
                    keep: {daily: 0, hours: 3, within: 0d}
                    images: {b: {file: b}}
                  c: {schedule: "@daily", quiet: never, images: {c: {file: c}}}
                care:
                  old: {prune: {certificate: admin.crt}}
                  both: {prune: {certificate: x, key: y, jobs: [c]}, verify: {}}
                """;
        int head = HEAD.split("\n").length;
        List<String> problems = problems(text).stream()
                .map(line -> line.replace(FILE.toString(), ""))
                .toList();
        assertThat(problems)
                .anyMatch(line -> at(line, head + 1) && line.contains("nothing would ever run"))
                .anyMatch(line -> at(line, head + 5) && line.contains("all times of '0 12 * * *' are quiet"))
                .anyMatch(line -> at(line, head + 6) && line.contains("use go-on or end"))
                .anyMatch(line -> at(line, head + 7) && line.contains("'jobs.a.bandwidth.otherwise' is missing"))
                .anyMatch(line -> at(line, head + 8) && line.contains("a policy that keeps nothing"))
                .anyMatch(line -> at(line, head + 11) && line.contains("has no length"))
                .anyMatch(line -> at(line, head + 11) && line.contains("'quiet' means nothing without 'schedule'"))
                .anyMatch(line -> at(line, head + 13) && line.contains("'montag' is no day"))
                .anyMatch(line -> at(line, head + 13) && line.contains("too slow"))
                .anyMatch(line -> at(line, head + 13) && line.contains("'8-18' is no time of the week"))
                .anyMatch(line -> at(line, head + 14) && line.contains("'0' is not a number from 1"))
                .anyMatch(line -> at(line, head + 14) && line.contains("unknown key 'jobs.b.keep.hours'"))
                .anyMatch(line -> at(line, head + 14) && line.contains("no time at all"))
                .anyMatch(line -> at(line, head + 16) && line.contains("'never' is neither none nor a list of times"))
                .anyMatch(line -> at(line, head + 18) && line.contains("'care.old.prune.key' is missing"))
                .anyMatch(line -> at(line, head + 19) && line.contains("there is no job 'c' that says what to 'keep'"))
                .anyMatch(line -> at(line, head + 19) && line.contains("here are 2"))
                .noneMatch(line -> line.contains("'time-zone' means nothing"));
    }

    private static boolean at(String problem, int line) {
        return problem.startsWith(":" + line + ":");
    }

    @Test
    void whoDeletesHasACertificateOfHisOwn() {
        assertThat(problems(HEAD
                        + "jobs: {a: {keep: {last: 1}, images: {a: {file: a}}}}\n"
                        + "care: {old: {prune: {certificate: client.crt, key: client.key}}}\n"))
                .singleElement()
                .asString()
                .contains("the certificate of the backups must not be able to delete");
        assertThat(problems(HEAD
                        + "jobs: {a: {images: {a: {file: a}}}}\n"
                        + "care: {old: {prune: {certificate: admin.crt, key: admin.key}}}\n"))
                .singleElement()
                .asString()
                .contains("no job says what to 'keep'");
    }

    @Test
    void whatOnlyARestartChangesIsKeptAndTheCacheIsWithTheState() throws Exception {
        String written = HEAD + "jobs: {nightly: {images: {vm: {file: vm.img}}}}\n";
        ServerConfig started = ServerConfigReader.parse(FILE, written);
        String moved = written.replaceFirst("(?m)^state: .*$", "state: /elsewhere\nconcurrency: 7");
        ServerConfig next = ServerConfigReader.parse(FILE, moved);
        assertThat(next.state()).isEqualTo(Path.of("/elsewhere"));
        ServerConfig kept = next.keeping(started);
        assertThat(kept.state()).isEqualTo(started.state());
        assertThat(kept.cache()).isEqualTo(started.cache());
        assertThat(kept.sameUntilRestart(started)).isTrue();
        assertThat(kept.concurrency()).isEqualTo(7);
        ServerConfig named = ServerConfigReader.parse(FILE, moved + "cache: /var/cache/shredder\n");
        assertThat(named.keeping(started).cache()).isEqualTo(Path.of("/var/cache/shredder"));
    }
}
