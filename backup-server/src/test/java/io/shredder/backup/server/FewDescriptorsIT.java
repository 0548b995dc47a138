// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.Sites.Result;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** At the limit of file descriptors: one clear line, no stack trace, no busy loop; all is well with some again. */
@Timeout(300)
class FewDescriptorsIT {

    private static final int AGENT_DESCRIPTORS = 200;

    @TempDir
    private Path folder;

    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    @InTurn(days = 3)
    @Test
    void anAgentThatCanTakeNoMoreConnectionsSaysSoOnceAndGoesOn() throws Exception {
        sites.startAgent(Sites.fewDescriptors(AGENT_DESCRIPTORS).toArray(String[]::new));
        assertThat(sites.here("list").err()).isEmpty(); // Java reads a class's file when it first needs it.
        List<Socket> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * AGENT_DESCRIPTORS; i++) {
                crowd.add(new Socket(InetAddress.getLoopbackAddress(), sites.port()));
            }
            long before = agentCpuTicks();
            while (!Files.readString(sites.agentLog()).contains("can't take new connections")) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            TimeUnit.SECONDS.sleep(3);
            assertThat(agentCpuTicks() - before).as("ticks of 10 ms in 3 s").isLessThan(200);
        } finally {
            for (Socket one : crowd) {
                one.close();
            }
        }
        Result listed = sites.here("list");
        for (int tries = 0; listed.exitCode() != 0 && tries < 50; tries++) {
            TimeUnit.MILLISECONDS.sleep(200);
            listed = sites.here("list");
        }
        assertThat(listed.err()).isEmpty();
        String log = Files.readString(sites.agentLog());
        assertThat(log).contains("raise LimitNOFILE of the service").doesNotContain("\tat ");
        assertThat(log.lines().filter(line -> line.contains("can't take new connections")))
                .hasSizeLessThan(4);
    }

    /** User and system time of the process. */
    private long agentCpuTicks() throws IOException {
        String stat = Files.readString(Path.of("/proc", String.valueOf(sites.agentPid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    @Test
    void aProgramWithoutEnoughOfThemFailsWithOneLine() throws Exception {
        for (String program : List.of("shredder-backup", "backup-server", "backup-agent")) {
            List<String> command = new ArrayList<>(Sites.fewDescriptors(64));
            command.add(Path.of("..", "bin", program).toString());
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(said.lines()).hasSize(1);
            assertThat(said).startsWith(program + ": only 64 files may be open at once: raise the limit");
        }
    }

    @Test
    void whateverFailsForWantOfThemSaysSo() {
        IOException cause = new IOException("Too many open files");
        assertThat(CommandErrors.describe(new IllegalStateException("failed to open a new selector", cause)))
                .isEqualTo("too many files are open (failed to open a new selector): raise the limit, such as by"
                        + " 'ulimit -n 1024' or a service's LimitNOFILE");
    }
}
