// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.Sites.Result;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way to the agent, or the agent, hangs at some step: the command ends within its limit, with one line. */
@Timeout(600)
class HangingAgentIT {

    /** They wait for most of the time. */
    private static final int THREADS = 24;

    @TempDir
    private Path folder;

    /** {@link SilentTrial}, at some records of each exchange; at all with {@code ./run trials --only silent}. */
    @Test
    void whereverItHangsTheCommandEndsWithOneLine() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("silent.steps", 30, 60), THREADS, folder);
        try (ThreadOutput output = ThreadOutput.install()) {
            TrialRun.of(new SilentTrial(), settings, output.real()).orThrow(output.real());
        }
    }

    @Test
    void anAgentThatIsStoppedIsGivenUpAndServesWhenItGoesOn() throws Exception {
        try (Sites sites = new Sites(folder)) {
            sites.startAgent();
            signal(sites, "STOP");
            Result stopped = sites.here("list", "--timeout", "2");
            assertThat(stopped.exitCode()).isEqualTo(1);
            assertThat(stopped.err().lines()).hasSize(1);
            assertThat(stopped.err())
                    .contains("agent 127.0.0.1:" + sites.port())
                    .contains("see that it runs");
            signal(sites, "CONT");
            assertThat(sites.here("list").err()).isEmpty();
        }
    }

    private static void signal(Sites sites, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(sites.agentPid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
