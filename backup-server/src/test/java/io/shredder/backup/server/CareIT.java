// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration's care does, by the daemon's own program and two real agents. */
class CareIT {

    private static final int SECTOR = 512;

    @TempDir
    private Path folder;

    private Sites first;
    private Sites second;
    private Path config;

    @BeforeEach
    void start() throws IOException {
        first = new Sites(Files.createDirectory(folder.resolve("first")));
        second = new Sites(Files.createDirectory(folder.resolve("second")));
        first.startAgent();
        second.startAgent();
        config = folder.resolve("server.yaml");
        Sites.random(folder.resolve("vm.img"), new Random(1), 3 << 20);
    }

    @AfterEach
    void stop() throws IOException {
        first.close();
        second.close();
    }

    private void write(String care) throws IOException {
        Files.writeString(
                config,
                "version: 1\nstate: state\nmonitoring: 127.0.0.1:0\n" + first.agentSection()
                        + "jobs: {nightly: {images: {vm: {file: vm.img}}}}\ncare:\n" + care);
    }

    private Sites.Result run(String... names) throws IOException {
        return first.configured(
                Stream.concat(Stream.of("run", "--json", "--config", config.toString()), Stream.of(names))
                        .toArray(String[]::new));
    }

    private static JsonNode last(Sites.Result result) throws IOException {
        String line = result.out().lines().reduce((before, after) -> after).orElse("{}");
        return new ObjectMapper().readTree(line);
    }

    @Test
    void whatIsKeptIsVerifiedAndDamageIsNamed() throws IOException {
        write("  proof: {schedule: '0 5 * * *', verify: {all-in: 1d}}\n");
        Sites.Result sound = run("nightly", "proof");
        assertThat(sound.exitCode()).as(sound.err()).isZero();
        assertThat(last(sound).at("/figures/verified.bytes").asDouble()).isEqualTo(3 << 20);
        first.stopAgent();
        Path container = first.repository().resolve("containers/00000/00000001.container");
        try (RandomAccessFile file = new RandomAccessFile(container.toFile(), "rw")) {
            file.seek(file.length() / 2);
            file.write(new byte[4]);
        }
        first.stayAtPort();
        first.startAgent();
        Files.delete(folder.resolve("state/care.json")); // Nothing is owed so soon after the last run.
        Sites.Result hurt = run("proof");
        assertThat(hurt.exitCode()).isEqualTo(1);
        assertThat(hurt.err()).contains("vm@").contains("00000001.container");
        assertThat(last(hurt).get("problems")).isNotEmpty();
    }

    @Test
    void snapshotsGoToASecondAgentOnce() throws IOException {
        Path certs = folder.resolve("second/certs");
        write("  elsewhere:\n    copy: {to: '127.0.0.1:" + second.port() + "', certificate: " + certs
                + "/client-site1.crt, key: " + certs + "/client-site1.key, authority: " + certs + "/ca.crt}\n");
        Sites.Result copied = run("nightly", "nightly", "elsewhere");
        assertThat(copied.exitCode()).as(copied.err()).isZero();
        assertThat(last(copied).at("/figures/copied.snapshots").asInt()).isEqualTo(2);
        assertThat(last(run("elsewhere")).at("/figures/copied.snapshots").asInt())
                .isZero();
        assertThat(second.here("list").out()).contains("vm");
        second.stopAgent();
        Sites.Result away = run("elsewhere");
        assertThat(away.exitCode()).isEqualTo(1);
        assertThat(away.err()).contains("127.0.0.1:" + second.port());
    }

    @Test
    void aMachineStartsOrNot() throws IOException {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/qemu-system-x86_64")), "qemu-system-x86 is not installed");
        write("  starts: {boot: {expect: 'login:', wait: 90s, memory: 64m, cpus: 1, accelerator: tcg,"
                + " pictures: pictures}}\n");
        Files.write(folder.resolve("vm.img"), bootSector("guest login:"));
        Sites.Result alive = run("nightly", "starts");
        assertThat(alive.exitCode()).as(alive.err()).isZero();
        assertThat(last(alive).at("/figures/boot.seconds").asDouble()).isPositive();
        assertThat(folder.resolve("pictures/vm.png")).isNotEmptyFile();
        write("  starts: {boot: {expect: 'login:', wait: 5s, memory: 64m, cpus: 1, accelerator: tcg}}\n");
        Files.write(folder.resolve("vm.img"), bootSector("no system"));
        Sites.Result dead = run("nightly", "starts");
        assertThat(dead.exitCode()).isEqualTo(1);
        assertThat(dead.err()).contains("showed no sign of life within").contains("console: no system");
    }

    @Test
    void whatIsWrongWithCareIsSaidByLine() throws IOException {
        write("  nightly: {verify: {all-in: 3d}}\n  both: {verify: {}, copy: {to: 'x:1'}}\n"
                + "  starts: {boot: {images: [other], cpus: 0}}\n");
        Sites.Result checked = first.configured("check-config", "--config", config.toString());
        assertThat(checked.exitCode()).isEqualTo(1);
        assertThat(checked.err())
                .contains("a job has the name 'nightly'")
                .contains("one of 'verify', 'copy', 'boot' and 'prune'; here are 2")
                .contains("no job has an image 'other'")
                .contains("'0' is not a number from 1 to 64");
    }

    /** A disk that says a line on its first serial port and stops. */
    private static byte[] bootSector(String line) {
        byte[] disk = new byte[1 << 20];
        // mov si, 7c20h; mov dx, 3f8h; again: lodsb; test al, al; jz end; out dx, al; jmp again; end: hlt; jmp end
        int[] code = {
            0xFC, 0x31, 0xC0, 0x8E, 0xD8, 0xBE, 0x20, 0x7C, 0xBA, 0xF8, 0x03, 0xAC, 0x84, 0xC0, 0x74, 0x03, 0xEE, 0xEB,
            0xF8, 0xF4, 0xEB, 0xFD
        };
        for (int i = 0; i < code.length; i++) {
            disk[i] = (byte) code[i];
        }
        byte[] text = (line + "\r\n").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, disk, 0x20, text.length);
        disk[SECTOR - 2] = 0x55;
        disk[SECTOR - 1] = (byte) 0xAA;
        return disk;
    }
}
