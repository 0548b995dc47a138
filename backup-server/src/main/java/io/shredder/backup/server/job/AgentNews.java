// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the agent's machine stands, as connections of backups heard it, until it is told on. An agent that doesn't say is
 * no failure of theirs. Thread-safe.
 */
final class AgentNews {

    private static final Logger LOG = LoggerFactory.getLogger(AgentNews.class);

    /** To say what room is left an agent looks at all its containers. */
    private static final Duration BETWEEN_ROOMS = Duration.ofMinutes(10);

    private final Clock clock;
    private Optional<KeepersState> keepers = Optional.empty();
    private Optional<StoreRoom> room = Optional.empty();
    private Optional<Clocks> clocks = Optional.empty();
    private Instant roomAsked = Instant.EPOCH;

    /** What both showed at one time. */
    private record Clocks(Instant own, Instant agents) {}

    AgentNews(Clock clock) {
        this.clock = clock;
    }

    /** A snapshot was committed a moment ago. */
    synchronized void committed(SnapshotInfo snapshot) {
        clocks = Optional.of(new Clocks(clock.instant(), snapshot.received()));
    }

    /** Asks how the store stands, if the agent still answers. */
    void ask(AgentClient agent) {
        try {
            Optional<KeepersState> state = agent.keepers();
            synchronized (this) {
                keepers = state.or(() -> keepers);
            }
            if (isTimeForRoom()) {
                StoreRoom left = new StoreRoom(
                        agent.greeting().repository(), agent.statistics().usableBytes());
                synchronized (this) {
                    room = Optional.of(left);
                }
            }
        } catch (IOException e) {
            LOG.debug("the agent doesn't say how its store stands", e);
        }
    }

    private synchronized boolean isTimeForRoom() {
        Instant now = clock.instant();
        if (Duration.between(roomAsked, now).abs().compareTo(BETWEEN_ROOMS) < 0) {
            return false;
        }
        roomAsked = now;
        return true;
    }

    /** Tells what was heard since it was told last. */
    void tell(JobEvents events) {
        Optional<KeepersState> heardOfKeepers;
        Optional<StoreRoom> heardOfRoom;
        Optional<Clocks> heardOfClocks;
        synchronized (this) {
            heardOfKeepers = keepers;
            heardOfRoom = room;
            heardOfClocks = clocks;
            keepers = Optional.empty();
            room = Optional.empty();
            clocks = Optional.empty();
        }
        heardOfKeepers.ifPresent(events::keepersSeen);
        heardOfRoom.ifPresent(events::roomSeen);
        heardOfClocks.ifPresent(both -> events.clocksSeen(both.own(), both.agents()));
    }
}
