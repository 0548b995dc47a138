// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchOptionsTest {

    @Test
    void measuredProcessesStartAsTheProgramsInBinDo() throws IOException, InterruptedException {
        assertThat(optionsOf("COMMAND_JAVA_OPTS")).isEqualTo(LaunchOptions.COMMAND);
        assertThat(optionsOf("SERVICE_JAVA_OPTS")).isEqualTo(LaunchOptions.SERVICE);
    }

    @Test
    void memoryFollowsTheCoresThatACommandMayUse() throws IOException, InterruptedException {
        assertThat(optionsOf("COMMAND_JAVA_OPTS", "backup", "image", "--threads", "1"))
                .isEqualTo(LaunchOptions.command(1))
                .startsWith("-Xms96m", "-Xmx160m", "-Xmn24m");
        assertThat(optionsOf("COMMAND_JAVA_OPTS", "restore", "--threads=1")).isEqualTo(LaunchOptions.command(1));
        assertThat(optionsOf("COMMAND_JAVA_OPTS", "restore", "--threads", "99999"))
                .isEqualTo(LaunchOptions.COMMAND);
        assertThat(optionsOf("COMMAND_JAVA_OPTS", "restore", "--threads", "many"))
                .as("what the command refuses")
                .isEqualTo(LaunchOptions.COMMAND);
        assertThat(LaunchOptions.command(2)).startsWith("-Xms128m", "-Xmx192m", "-Xmn40m");
    }

    private static List<String> optionsOf(String variable, String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", ". ../bin/launch.sh && echo ${" + variable + "}", "launch"));
        command.addAll(List.of(words));
        Process shell = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        return List.of(printed.strip().split(" "));
    }
}
