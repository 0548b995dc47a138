// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Stopwatch;
import io.shredder.backup.server.machine.JsonLines;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * File systems of a guest that its agent (qemu-guest-agent) has brought to rest, until this is closed. The guest may
 * lie, or not answer: then its disks are held as they are, as after a loss of power. One thread.
 */
final class FrozenGuest implements Closeable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int STALE_ANSWERS = 3;

    private final Optional<JsonLines> agent;
    private final Optional<String> failure;
    private final Stopwatch rest = Stopwatch.createStarted();
    private Optional<Duration> frozen = Optional.empty();

    private FrozenGuest(Optional<JsonLines> agent, Optional<String> failure) {
        this.agent = agent;
        this.failure = failure;
    }

    /**
     * Freezes.
     *
     * @throws IOException if it was required, and failed
     */
    static FrozenGuest freeze(MachineAccess access) throws IOException {
        Optional<Path> socket = access.guestAgent();
        if (socket.isEmpty() || access.freezing() == Freezing.NEVER) {
            return new FrozenGuest(Optional.empty(), Optional.empty());
        }
        try {
            JsonLines agent = JsonLines.connect(socket.get(), PATIENCE);
            FrozenGuest guest = new FrozenGuest(Optional.of(agent), Optional.empty());
            try {
                synchronise(agent);
                agent.ask("guest-fsfreeze-freeze", Map.of(), PATIENCE);
                return guest;
            } catch (IOException e) {
                try (guest) {
                    throw e;
                }
            }
        } catch (IOException e) {
            refuse(access.freezing(), e);
            return failed(e);
        }
    }

    private static FrozenGuest failed(IOException e) {
        return new FrozenGuest(Optional.empty(), Optional.of(notFrozen(e)));
    }

    /** What the machine's owner should know. */
    static String notFrozen(IOException e) {
        return "the guest's file systems were not frozen: " + e.getMessage()
                + "; the snapshot is as after a loss of power";
    }

    /** Throws if there is to be no snapshot of a guest that was not frozen. */
    static void refuse(Freezing wanted, IOException e) throws IOException {
        if (wanted == Freezing.REQUIRED) {
            throw new IOException("the guest's file systems were not frozen, which is required: " + e.getMessage(), e);
        }
    }

    /** What was asked by others may still be answered. */
    private static void synchronise(JsonLines agent) throws IOException {
        long id = new SecureRandom().nextInt(Integer.MAX_VALUE);
        for (int i = 0; i < STALE_ANSWERS; i++) {
            JsonNode answer = agent.ask("guest-sync", Map.of("id", id), PATIENCE);
            if (answer.asLong() == id) {
                return;
            }
        }
        throw new IOException("the guest's agent answers other questions than it is asked");
    }

    /** Why nothing is frozen although there should be an agent. */
    Optional<String> failure() {
        return failure;
    }

    /** How long file systems rested at most, if they did and are thawed. */
    Optional<Duration> frozen() {
        return frozen;
    }

    /** Thaws; also what may have been frozen although no answer came. */
    @Override
    public void close() throws IOException {
        if (agent.isPresent()) {
            try (JsonLines thawed = agent.get()) {
                thawed.ask("guest-fsfreeze-thaw", Map.of(), PATIENCE);
                frozen = Optional.of(rest.elapsed());
            }
        }
    }
}
