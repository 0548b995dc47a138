// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shredder-backup backup-machine libvirt:DOMAIN} with a real libvirtd, of a session of its own. */
class LibvirtMachineIT {

    private static final int MIB = 1 << 20;
    private static final List<String> PROGRAMS = List.of(
            "/usr/bin/qemu-system-x86_64",
            "/usr/bin/qemu-img",
            "/usr/bin/virsh",
            "/usr/sbin/libvirtd",
            "/usr/bin/setpriv");

    private final Random random = new Random(1);

    @TempDir
    private Path folder;

    private Sites sites;
    private Path home;
    private Process libvirtd;
    private byte[] content;

    @BeforeEach
    void start() throws Exception {
        for (String program : PROGRAMS) {
            assumeTrue(Files.isExecutable(Path.of(program)), program + " is not there: tools/packages.sh open");
        }
        sites = new Sites(folder);
        sites.startAgent();
        home = Files.createTempDirectory(Path.of("/var/tmp"), "lv"); // Others may not enter the other folder.
        content = new byte[32 * MIB];
        byte[] data = new byte[20 * MIB];
        random.nextBytes(data);
        System.arraycopy(data, 0, content, 5 * MIB, data.length);
        Path raw = Files.write(folder.resolve("content"), content);
        TestProgram.run("qemu-img", "convert", "-O", "qcow2", raw.toString(), disk().toString());
        Files.writeString(
                home.resolve("vm.xml"),
                "<domain type='qemu'><name>vm</name><memory unit='MiB'>64</memory><vcpu>1</vcpu><os>"
                        + "<type arch='x86_64' machine='q35'>hvm</type></os><devices>"
                        + "<emulator>/usr/bin/qemu-system-x86_64</emulator><disk type='file' device='disk'>"
                        + "<driver name='qemu' type='qcow2'/><source file='" + disk() + "'/>"
                        + "<target dev='vda' bus='virtio'/></disk></devices></domain>");
        Files.createDirectory(home.resolve("scratch"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (isRoot()) {
            TestProgram.run("chown", "-R", "nobody", home.toString());
        }
        startLibvirt();
        virsh("define", home.resolve("vm.xml").toString());
        virsh("start", "vm", "--paused");
    }

    private Path disk() {
        return home.resolve("vda.qcow2");
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** The superuser's libvirtd would be the system's. */
    private void startLibvirt() throws IOException, InterruptedException {
        Path socket = home.resolve("libvirt/libvirt-sock");
        Files.deleteIfExists(socket);
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.addAll(List.of("libvirtd", "--timeout", "600"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("libvirtd.log").toFile()));
        builder.environment().put("HOME", home.toString());
        for (String variable : List.of("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")) {
            builder.environment().put(variable, home.toString());
        }
        libvirtd = builder.start();
        TrialRun.await("libvirtd", 30_000, () -> TestProgram.answers(socket) || !libvirtd.isAlive());
        assertThat(libvirtd.isAlive())
                .as(Files.readString(folder.resolve("libvirtd.log")))
                .isTrue();
    }

    private String uri() {
        return "qemu+unix:///session?socket=" + home.resolve("libvirt/libvirt-sock");
    }

    private String virsh(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("virsh", "--quiet", "-c", uri()));
        all.addAll(List.of(words));
        return TestProgram.run(all.toArray(String[]::new));
    }

    private void write(int offset, int bytes, int pattern) throws Exception {
        for (String what : List.of("\"write -P " + pattern + " " + offset + " " + bytes + "\"", "flush")) {
            virsh(
                    "qemu-monitor-command",
                    "vm",
                    "--hmp",
                    "qemu-io -d /machine/peripheral/virtio-disk0/virtio-backend " + what);
        }
        Arrays.fill(content, offset, offset + bytes, (byte) pattern);
    }

    private Sites.Result run(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("backup-machine", "libvirt:vm", "--name", "vm", "--json"));
        words.addAll(List.of("--scratch", home.resolve("scratch").toString()));
        words.addAll(List.of(options));
        return sites.serverUnder(List.of("env", "LIBVIRT_DEFAULT_URI=" + uri()), words.toArray(String[]::new));
    }

    private JsonNode backUp(String... options) throws IOException {
        Sites.Result result = run(options);
        assertThat(result.exitCode()).as(result.err() + result.out()).isZero();
        Map<String, JsonNode> results = new LinkedHashMap<>();
        for (String line : result.out().split("\n")) {
            JsonNode each = new ObjectMapper().readTree(line);
            results.put(each.path("name").asText(), each);
        }
        assertThat(results).containsOnlyKeys("vm.vda", "vm.definition");
        return results.get("vm.vda");
    }

    private Path restored(String series) throws IOException {
        Path file = folder.resolve("restored");
        Files.deleteIfExists(file);
        Sites.Result result = sites.here("restore", series, "--to", file.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        return file;
    }

    private void assertRestores() throws IOException {
        assertThat(Arrays.mismatch(Files.readAllBytes(restored("vm.vda")), content))
                .isEqualTo(-1);
    }

    private static void assertReadPartly(JsonNode result) {
        assertThat(result.path("readWholly").isMissingNode())
                .as(result.toString())
                .isTrue();
        assertThat(result.path("imageBytesRead").asLong()).isLessThan(5 * MIB);
    }

    @AfterEach
    void stop() throws Exception {
        if (libvirtd != null) {
            TestProgram.run("virsh", "-c", uri(), "destroy", "vm");
            libvirtd.destroy();
            Sites.awaitExit(libvirtd, 30_000);
        }
        if (sites != null) {
            sites.close();
        }
        if (home != null) {
            TestProgram.run("rm", "-rf", home.toString());
        }
    }

    @Test
    void aDomainIsBackedUpByItsCheckpointsWithItsDefinition() throws Exception {
        assertThat(backUp().path("readWholly").asText()).contains("first snapshot");
        assertRestores();
        try (ZipFile definition = new ZipFile(restored("vm.definition").toFile())) {
            String xml = new String(
                    definition.getInputStream(definition.getEntry("domain.xml")).readAllBytes(),
                    java.nio.charset.StandardCharsets.UTF_8);
            assertThat(xml).contains("<name>vm</name>", "vda");
        }
        write(10 * MIB, 64 << 10, 7);
        assertReadPartly(backUp());
        assertRestores();
        assertThat(virsh("checkpoint-list", "vm", "--name").strip().lines()).hasSize(1);
        virsh(
                "checkpoint-delete",
                "vm",
                virsh("checkpoint-list", "vm", "--name").strip());
        write(11 * MIB, 64 << 10, 8);
        assertThat(backUp().path("readWholly").asText()).contains("no checkpoint");
        assertRestores();
    }

    @Test
    void aRestartOfLibvirtAndAKillOfTheMachineCostAtMostAWholeRead() throws Exception {
        backUp();
        write(10 * MIB, 64 << 10, 7);
        libvirtd.destroy();
        assertThat(Sites.awaitExit(libvirtd, 30_000)).isTrue();
        startLibvirt();
        assertReadPartly(backUp());
        assertRestores();
        write(12 * MIB, 64 << 10, 9);
        ProcessHandle.allProcesses()
                .filter(each -> each.info()
                        .commandLine()
                        .filter(line -> line.contains(home.toString()) && line.contains("qemu-system"))
                        .isPresent())
                .forEach(ProcessHandle::destroyForcibly);
        TrialRun.await("the end of the machine", 30_000, () -> domainState().contains("shut off"));
        Sites.Result off = run();
        assertThat(off.exitCode()).isOne();
        assertThat(off.err()).contains("shut off");
        virsh("start", "vm", "--paused");
        assertThat(backUp().path("readWholly").isMissingNode()).isFalse();
        assertRestores();
        write(13 * MIB, 64 << 10, 9);
        assertReadPartly(backUp());
        assertRestores();
    }

    private String domainState() throws IOException {
        try {
            return virsh("domstate", "vm");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aBackupThatIsKilledIsEndedByTheNext() throws Exception {
        backUp();
        write(10 * MIB, 2 * MIB, 7);
        List<String> words = new ArrayList<>(List.of("backup-machine", "libvirt:vm", "--name", "vm"));
        words.addAll(List.of("--scratch", home.resolve("scratch").toString(), "--read-bandwidth", "64k"));
        Process killed =
                sites.startServerUnder(List.of("env", "LIBVIRT_DEFAULT_URI=" + uri()), words.toArray(String[]::new));
        TrialRun.await("a backup", 60_000, () -> isBackedUp() || !killed.isAlive());
        assertThat(killed.isAlive()).isTrue();
        Sites.Result second = run();
        assertThat(second.exitCode()).isOne();
        assertThat(second.err()).contains("being backed up by process");
        killed.destroyForcibly();
        assertThat(Sites.awaitExit(killed, 30_000)).isTrue();
        assertReadPartly(backUp());
        assertRestores();
    }

    @Test
    void theDaemonsJobNamesTheLibvirtThatItMeans() throws Exception {
        Path config = folder.resolve("server.yaml");
        Files.writeString(
                config,
                "version: 1\nstate: state\nmonitoring: 127.0.0.1:0\n" + sites.agentSection()
                        + "jobs: {nightly: {retry: {times: 0}, machines: {\n  vm: {libvirt: vm, uri: '" + uri()
                        + "', scratch: " + home.resolve("scratch") + ", disks: [vda]},\n  gone: {libvirt: gone, uri: '"
                        + uri() + "'}}}}\n");
        Sites.Result first = sites.configured("run", "nightly", "--json", "--config", config.toString());
        assertThat(first.out()).contains("\"image\":\"vm.vda\",\"ok\":true", "\"image\":\"vm.definition\",\"ok\":true");
        assertThat(first.err()).contains("machine gone: libvirt:gone: virsh domstate: error: failed to get domain");
        write(10 * MIB, 64 << 10, 7);
        Sites.Result next = sites.configured("run", "nightly", "--json", "--config", config.toString());
        assertThat(next.out()).contains("\"readReason\":\"tracked\"");
        assertRestores();
        virsh("destroy", "vm");
        Sites.Result off = sites.configured("run", "nightly", "--config", config.toString());
        assertThat(off.exitCode()).isOne();
        assertThat(off.err()).contains("machine vm: libvirt:vm is in state 'shut off'");
        virsh("start", "vm", "--paused");
    }

    @Test
    void theRightsOfTheGuidesDropInAreEnough() throws Exception {
        assumeTrue(isRoot(), "only the superuser can give rights away");
        Sites.Result result = sites.serverUnder(
                List.of("setpriv", "--no-new-privs", "--bounding-set", "-all,+chown,+dac_override,+fowner"),
                "backup-machine",
                "libvirt:vm",
                "--uri",
                uri(),
                "--name",
                "vm",
                "--scratch",
                home.resolve("scratch").toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertRestores();
    }

    @Test
    void theFirmwaresVariablesAreKeptAndComeBack() throws Exception {
        Path code = Path.of("/usr/share/OVMF/OVMF_CODE_4M.fd");
        assumeTrue(Files.isReadable(code), code + " is not there: tools/packages.sh open");
        Path nvram = home.resolve("vars.fd");
        byte[] variables = Files.readAllBytes(Path.of("/usr/share/OVMF/OVMF_VARS_4M.fd"));
        Arrays.fill(variables, variables.length - 4096, variables.length, (byte) 0x5A); // As no other machine has them.
        Files.write(nvram, variables);
        if (isRoot()) {
            TestProgram.run("chown", "nobody", nvram.toString());
        }
        virsh("destroy", "vm");
        virsh("undefine", "vm");
        Path xml = home.resolve("vm.xml");
        Files.writeString(
                xml,
                Files.readString(xml)
                        .replace(
                                "hvm</type></os>",
                                "hvm</type><loader readonly='yes' type='pflash'>" + code + "</loader><nvram>" + nvram
                                        + "</nvram></os><features><acpi/></features>"));
        virsh("define", xml.toString());
        virsh("start", "vm", "--paused");
        backUp();
        virsh("destroy", "vm");
        virsh("undefine", "vm", "--nvram", "--checkpoints-metadata");
        assertThat(nvram).doesNotExist();

        try (ZipFile definition = new ZipFile(restored("vm.definition").toFile())) {
            Files.write(
                    nvram,
                    definition.getInputStream(definition.getEntry("nvram")).readAllBytes());
            Files.write(
                    xml,
                    definition.getInputStream(definition.getEntry("domain.xml")).readAllBytes());
        }
        if (isRoot()) {
            TestProgram.run("chown", "nobody", nvram.toString());
        }
        assertThat(Arrays.mismatch(Files.readAllBytes(nvram), variables)).isEqualTo(-1);
        virsh("define", xml.toString());
        virsh("start", "vm", "--paused");
        assertThat(virsh("dumpxml", "vm")).contains(nvram.toString(), code.toString());
        backUp();
        assertRestores();
    }

    private boolean isBackedUp() throws IOException {
        try {
            return virsh("backup-dumpxml", "vm").contains("nbd");
        } catch (InterruptedException e) {
            throw new IOException(e);
        } catch (IOException e) {
            return false;
        }
    }
}
