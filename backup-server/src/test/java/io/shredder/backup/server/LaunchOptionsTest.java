// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory follows the machine, in programs by hand and in services: on machines of any size, whatever this one has. */
class LaunchOptionsTest {

    private static final Path UNITS = Path.of("../packaging/systemd");
    private static final String JAVA_OPTIONS = "Environment=\"SHREDDER_JAVA_OPTS=";

    @Test
    void measuredProcessesStartAsTheProgramsInBinDo() throws IOException, InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(options("COMMAND_JAVA_OPTS", cores, "")).isEqualTo(LaunchOptions.COMMAND);
        assertThat(options("SERVICE_JAVA_OPTS", cores, "")).isEqualTo(LaunchOptions.SERVICE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 16, 32, 33, 128})
    void memoryFollowsTheCoresOfTheMachine(int cores) throws IOException, InterruptedException {
        assertThat(options("COMMAND_JAVA_OPTS", cores, "")).isEqualTo(LaunchOptions.command(cores));
        assertThat(options("SERVICE_JAVA_OPTS", cores, "")).isEqualTo(LaunchOptions.service(cores));
    }

    @Test
    void memoryFollowsTheCoresThatACommandMayUse() throws IOException, InterruptedException {
        assertThat(options("COMMAND_JAVA_OPTS", 16, "", "backup", "image", "--threads", "1"))
                .isEqualTo(LaunchOptions.command(1))
                .startsWith("-Xms96m", "-Xmx160m", "-Xmn24m");
        assertThat(options("COMMAND_JAVA_OPTS", 16, "", "restore", "--threads=2"))
                .isEqualTo(LaunchOptions.command(2))
                .startsWith("-Xms128m", "-Xmx192m", "-Xmn40m");
        assertThat(options("COMMAND_JAVA_OPTS", 16, "", "restore", "--threads", "99999"))
                .isEqualTo(LaunchOptions.command(16));
        assertThat(options("COMMAND_JAVA_OPTS", 16, "", "restore", "--threads", "many"))
                .as("what the command refuses")
                .isEqualTo(LaunchOptions.command(16));
        assertThat(LaunchOptions.service(2)).startsWith("-Xms64m", "-Xmx368m");
        assertThat(LaunchOptions.service(16)).startsWith("-Xms400m", "-Xmx816m");
    }

    @Test
    void theHeapOfWhatOpensABackupStaysSmall() throws IOException, InterruptedException {
        assertThat(options("heap:=$(open_heap)", 2, "")).containsExactly("-Xms128m", "-Xmx192m", "-Xmn40m");
        assertThat(options("heap:=$(open_heap)", 64, "")).containsExactly("-Xms160m", "-Xmx224m", "-Xmn56m");
        assertThat(options("heap:=$(open_heap)", 64, "-Xmx100m")).containsExactly("-Xms100m", "-Xmx100m", "-Xmn50m");
    }

    @Test
    void aCapHoldsForAllOfTheHeapSoThatJavaStartsOnLargeMachines() throws Exception {
        assertThat(options("COMMAND_JAVA_OPTS", 16, "-Xmx300m")).startsWith("-Xms300m", "-Xmx300m", "-Xmn150m");
        assertThat(options("COMMAND_JAVA_OPTS", 16, "-Xint -Xmx1g")).startsWith("-Xms576m", "-Xmx1024m", "-Xmn264m");
        assertThat(options("SERVICE_JAVA_OPTS", 32, "-Xmx262144k -Xmx48m"))
                .startsWith("-Xms48m", "-Xmx48m", "-XX:MaxNewSize=24m");
        for (String variable : List.of("COMMAND_JAVA_OPTS", "INDEX_JAVA_OPTS", "SERVICE_JAVA_OPTS")) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString()));
            command.addAll(options(variable, 16, "-Xmx100m"));
            command.addAll(List.of("-Xmx100m", "-version"));
            Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
            String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(java.waitFor()).as(printed).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shredder-backup-agent.service",
                "shredder-backup-keeper.service",
                "shredder-backup-server.service"
            })
    void aServicesHeapFollowsTheCoresToo(String unit) throws IOException, InterruptedException {
        List<String> lines = Files.readAllLines(UNITS.resolve(unit));
        String given = lines.stream()
                .filter(line -> line.startsWith(JAVA_OPTIONS))
                .map(line -> line.substring(JAVA_OPTIONS.length(), line.length() - 1))
                .findFirst()
                .orElseThrow();
        assertThat(options("SERVICE_JAVA_OPTS", 16, given)).isEqualTo(LaunchOptions.service(16));
        assertThat(given).doesNotContain("-Xmx");
        assertThat(lines).anyMatch(line -> line.matches("CPUWeight=[1-9][0-9]{0,3}"));
        assertThat(lines).anyMatch(line -> line.matches("IOWeight=[1-9][0-9]{0,3}"));
        assertThat(lines).contains("EnvironmentFile=-/etc/default/" + unit.replace(".service", ""));
    }

    /**
     * What {@code bin/launch.sh} sets.
     *
     * @param cores of the machine
     * @param given SHREDDER_JAVA_OPTS
     * @param words of the command
     */
    private static List<String> options(String variable, int cores, String given, String... words)
            throws IOException, InterruptedException {
        String script = "nproc() { echo " + cores + "; }; . ../bin/launch.sh && echo ${" + variable + "}";
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "launch"));
        command.addAll(List.of(words));
        ProcessBuilder shell = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        shell.environment().put("SHREDDER_JAVA_OPTS", given);
        Process process = shell.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return List.of(printed.strip().split(" "));
    }
}
