// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HookProgramTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static List<String> shell(String script) {
        return List.of("/bin/sh", "-c", script);
    }

    @Test
    void aHookGetsItsVariables() throws IOException {
        Path file = folder.resolve("out");
        HookProgram.run(shell("echo $SHREDDER_IMAGE >" + file), Map.of("SHREDDER_IMAGE", "web1"), LIMIT);
        assertThat(file).hasContent("web1");
    }

    @Test
    void aHookDoesNotGetThePassphrase() {
        Map<String, String> environment = new HashMap<>(Map.of("SHREDDER_PASSPHRASE", "secret", "PATH", "/bin"));
        HookProgram.prepare(environment, Map.of("SHREDDER_IMAGE", "web1"));
        assertThat(environment).isEqualTo(Map.of("PATH", "/bin", "SHREDDER_IMAGE", "web1"));
    }

    @Test
    void aHookThatFailsOrIsNotThereIsNamed() {
        assertThatThrownBy(() -> HookProgram.run(shell("exit 7"), Map.of(), LIMIT))
                .hasMessage("hook /bin/sh failed with exit code 7");
        assertThatThrownBy(() -> HookProgram.run(List.of("/no/such/hook"), Map.of(), LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("can't start hook /no/such/hook: ");
    }

    @Test
    void aHookThatTakesTooLongIsEndedWithItsChildren() throws IOException {
        Path file = folder.resolve("pid");
        assertThatThrownBy(() -> HookProgram.run(
                        shell("sleep 1000 & echo $! >" + file + "; wait"), Map.of(), Duration.ofSeconds(1)))
                .hasMessage("hook /bin/sh ran longer than 1 s");
        long child = Long.parseLong(Files.readString(file).strip());
        ProcessHandle.of(child).ifPresent(left -> left.onExit()
                .orTimeout(10, java.util.concurrent.TimeUnit.SECONDS)
                .join());
    }

    @Test
    void whatMustThawComesToItsEndWhateverInterrupts() throws IOException {
        Path done = folder.resolve("done");
        Thread waits = Thread.currentThread();
        Thread interrupts = new Thread(() -> {
            for (int i = 0; i < 3; i++) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(200));
                waits.interrupt();
            }
        });
        interrupts.start();
        HookProgram.runThrough(shell("sleep 2; touch " + done), Map.of(), LIMIT);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).exists();
        Uninterruptibles.joinUninterruptibly(interrupts);
    }

    @Test
    void anInterruptEndsTheHookAndIsKept() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> HookProgram.run(shell("sleep 1000"), Map.of(), LIMIT))
                .hasMessage("interrupted while hook /bin/sh ran");
        assertThat(Thread.interrupted()).isTrue();
    }
}
