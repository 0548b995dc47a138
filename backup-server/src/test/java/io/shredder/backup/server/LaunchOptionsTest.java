// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchOptionsTest {

    @Test
    void measuredProcessesStartAsTheProgramsInBinDo() throws IOException, InterruptedException {
        assertThat(optionsOf("COMMAND_JAVA_OPTS")).isEqualTo(LaunchOptions.COMMAND);
        assertThat(optionsOf("SERVICE_JAVA_OPTS")).isEqualTo(LaunchOptions.SERVICE);
    }

    private static List<String> optionsOf(String variable) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("bash", "-c", ". ../bin/launch.sh && echo ${" + variable + "}")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        return List.of(printed.strip().split(" "));
    }
}
