// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real socket of the kernel's, which Python reads: Java has no datagrams between processes. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SystemdNoticesTest {

    private static final String LISTENER =
            """
            import socket, sys
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            name = sys.argv[1]
            listener.bind('\\0' + name[1:] if name[0] == '@' else name)
            print('listening', flush=True)
            while True:
                print(listener.recv(65536).decode().replace('\\n', '|'), flush=True)
            """;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    private BufferedReader listen(String name) throws IOException {
        Process listener = new ProcessBuilder("python3", "-c", LISTENER, name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(listener);
        var lines = new BufferedReader(new InputStreamReader(listener.getInputStream(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).isEqualTo("listening");
        return lines;
    }

    @Test
    void tellsThatItIsReadyAndThatItStops() throws IOException {
        for (String name : new String[] {folder.resolve("notify").toString(), "@shredder-" + folder.hashCode()}) {
            BufferedReader heard = listen(name);
            try (SystemdNotices systemd = SystemdNotices.of(Map.of("NOTIFY_SOCKET", name), 7)) {
                systemd.ready("listens on 1\nand", () -> true);
                assertThat(heard.readLine()).isEqualTo("READY=1|STATUS=listens on 1 and");
            }
            assertThat(heard.readLine()).isEqualTo("STOPPING=1");
        }
    }

    @Test
    void beatsTwiceInAWatchdogsTimeAsLongAsAllIsWell() throws IOException {
        String name = folder.resolve("notify").toString();
        BufferedReader heard = listen(name);
        AtomicBoolean well = new AtomicBoolean(true);
        var environment = Map.of("NOTIFY_SOCKET", name, "WATCHDOG_USEC", "40000", "WATCHDOG_PID", "7");
        try (SystemdNotices systemd = SystemdNotices.of(environment, 7)) {
            systemd.ready("well", well::get);
            assertThat(heard.readLine()).startsWith("READY=1");
            for (int beat = 0; beat < 3; beat++) {
                assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");
            }
            well.set(false);
        }
        String last = heard.readLine();
        while (last.equals("WATCHDOG=1")) {
            last = heard.readLine();
        }
        assertThat(last).isEqualTo("STOPPING=1");
    }

    @Test
    void aCheckThatThrowsOrSaysNoIsNotWell() throws IOException {
        String name = folder.resolve("notify").toString();
        BufferedReader heard = listen(name);
        var environment = Map.of("NOTIFY_SOCKET", name, "WATCHDOG_USEC", "2000");
        try (SystemdNotices systemd = SystemdNotices.of(environment, 7)) {
            systemd.ready("ill", () -> {
                throw new IOException("no disk");
            });
        }
        assertThat(heard.readLine()).startsWith("READY=1");
        assertThat(heard.readLine()).isEqualTo("STOPPING=1");
    }

    @Test
    void aWatchdogOfAnotherProcessAndSocketsThatAreNoneAreLeftAlone() throws IOException {
        String name = folder.resolve("notify").toString();
        BufferedReader heard = listen(name);
        var ofAnother = Map.of("NOTIFY_SOCKET", name, "WATCHDOG_USEC", "1000", "WATCHDOG_PID", "8");
        try (SystemdNotices systemd = SystemdNotices.of(ofAnother, 7)) {
            systemd.ready("well", () -> true);
        }
        assertThat(heard.readLine()).startsWith("READY=1");
        assertThat(heard.readLine()).isEqualTo("STOPPING=1");
        for (String none : new String[] {"", "relative", "vsock:2:1", "/" + "x".repeat(107)}) {
            try (SystemdNotices systemd = SystemdNotices.of(Map.of("NOTIFY_SOCKET", none), 7)) {
                systemd.ready("nobody listens", () -> true);
            }
        }
    }

    @Test
    void aListenerThatIsGoneHurtsNobody() throws IOException {
        Path gone = folder.resolve("gone");
        assertThat(Files.exists(gone)).isFalse();
        try (SystemdNotices systemd = SystemdNotices.of(Map.of("NOTIFY_SOCKET", gone.toString()), 7)) {
            systemd.ready("well", () -> true);
        }
    }
}
