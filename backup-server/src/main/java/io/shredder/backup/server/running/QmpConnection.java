// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.server.machine.BusySocketException;
import io.shredder.backup.server.machine.JsonLines;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/** QEMU's machine protocol (QMP) at a Unix socket, which serves one client at a time. Any thread, one at a time. */
final class QmpConnection implements Closeable {

    /** For each answer, but that to the greeting. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration GREETING = Duration.ofSeconds(5);
    private static final long STEP_MS = 20;

    private final Path socket;
    private final JsonLines lines;
    private final Duration patience;

    private QmpConnection(Path socket, JsonLines lines, Duration patience) {
        this.socket = socket;
        this.lines = lines;
        this.patience = patience;
    }

    /** @param patience with each answer */
    static QmpConnection open(Path socket, Duration patience) throws IOException {
        JsonLines lines;
        try {
            lines = JsonLines.connect(socket, GREETING);
        } catch (BusySocketException e) {
            throw silent(socket, e);
        } catch (IOException e) {
            throw new IOException(
                    "can't reach QMP socket " + socket + ": " + e.getMessage()
                            + ": does the machine run, with -qmp unix:" + socket + ",server=on,wait=off?",
                    e);
        }
        try {
            lines.askNumbered("qmp_capabilities", Map.of(), GREETING);
            return new QmpConnection(socket, lines, patience);
        } catch (IOException e) {
            lines.close();
            throw silent(socket, e);
        }
    }

    private static IOException silent(Path socket, IOException e) {
        return new IOException(
                "QMP socket " + socket + " doesn't answer: " + e.getMessage()
                        + ": if something else is connected, such as another backup, end that, or give the machine a"
                        + " second QMP socket",
                e);
    }

    /** Whom QEMU runs as. */
    UserPrincipal user() throws IOException {
        return lines.peer();
    }

    /** Asks; an error of QEMU's names the socket. */
    synchronized JsonNode ask(String command, Map<String, ?> arguments) throws IOException {
        try {
            return lines.askNumbered(command, arguments, patience);
        } catch (IOException e) {
            throw new IOException("QMP socket " + socket + ": " + e.getMessage(), e);
        }
    }

    JsonNode ask(String command) throws IOException {
        return ask(command, Map.of());
    }

    /** Asks again and again until an answer is as it should be. */
    void await(String command, Predicate<JsonNode> isSo) throws IOException {
        long endNs = System.nanoTime() + patience.toNanos();
        while (!isSo.test(ask(command))) {
            if (System.nanoTime() > endNs) {
                throw new IOException(
                        "QMP socket " + socket + ": waited " + patience.toSeconds() + " s for " + command);
            }
            try {
                Thread.sleep(STEP_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    @Override
    public String toString() {
        return "qmp:" + socket;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
