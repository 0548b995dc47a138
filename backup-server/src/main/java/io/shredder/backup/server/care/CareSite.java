// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * What all care of one configuration shares. Thread-safe.
 *
 * @param config of the daemon
 * @param ledger how far verifications are
 * @param clock of this machine
 * @param pace of what it exchanges with agents
 * @param doubts why an image is not to be pruned
 */
public record CareSite(ServerConfig config, CareLedger ledger, Clock clock, Pace pace, ImageDoubts doubts) {

    /** Connects to this site's agent; whoever asks closes it. */
    public AgentClient connect() throws IOException {
        return connect(config.agent(), config.tls());
    }

    /** The same for a short question: an agent that is silent for longer is given up. */
    public AgentClient connect(Duration silence) throws IOException {
        Duration least = silence.compareTo(config.timeout()) < 0 ? silence : config.timeout();
        return AgentClient.connect(config.agent(), config.tls(), pace, least);
    }

    /** What this site has seen of each series. */
    public KnownCommits known() {
        return KnownCommits.in(config.state());
    }

    /** Connects to any. */
    AgentClient connect(HostPort agent, TlsFiles tls) throws IOException {
        return AgentClient.connect(agent, tls, pace, config.timeout());
    }

    /** The key that seals and proves. */
    public RepositoryKey key() throws IOException {
        return config.key().unlock();
    }

    /** A series at an agent, beside what this site has seen of it. */
    public AgentSeries series(AgentClient agent, RepositoryKey key, SnapshotName name) {
        return new AgentSeries(agent, key, known(), name);
    }

    /** The newest snapshot that the key proves. */
    ProvedSnapshot newest(AgentClient agent, RepositoryKey key, SnapshotName name) throws IOException {
        return series(agent, key, name)
                .checked()
                .last()
                .orElseThrow(() -> new IOException("'" + name.value() + "' has no snapshot yet"));
    }

    /** The snapshot of that id, if the key proves it. */
    public ProvedSnapshot find(AgentClient agent, RepositoryKey key, SnapshotChoice choice) throws IOException {
        return choice.among(series(agent, key, choice.name()).checked(), agent, key.id());
    }

    Cores cores() {
        return Cores.all();
    }

    /** The same for what has a rate of its own, too. */
    CareSite at(RatePlan rate) {
        return new CareSite(config, ledger, clock, pace.and(rate.pace(clock)), doubts);
    }

    /** The time by this machine's clock. */
    public Instant now() {
        return clock.instant();
    }
}
