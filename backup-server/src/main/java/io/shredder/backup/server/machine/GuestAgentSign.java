// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** QEMU's guest agent, if the machine runs it, answers a ping. */
final class GuestAgentSign implements LifeSign {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Path socket;

    GuestAgentSign(Path socket) {
        this.socket = socket;
    }

    @Override
    public String text() {
        return "an answer of QEMU's guest agent";
    }

    @Override
    public boolean isSeen() {
        try (JsonLines agent = JsonLines.connect(socket, PATIENCE)) {
            agent.ask("guest-ping", Map.of(), PATIENCE);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
