// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.time.Clock;
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
    AgentClient connect() throws IOException {
        return connect(config.agent(), config.tls());
    }

    /** Connects to any. */
    AgentClient connect(HostPort agent, TlsFiles tls) throws IOException {
        return AgentClient.connect(agent, tls, pace, config.timeout());
    }

    RepositoryKey key() throws IOException {
        return config.key().unlock();
    }

    AgentSeries series(AgentClient agent, RepositoryKey key, SnapshotName name) {
        return new AgentSeries(agent, key, KnownCommits.in(config.state()), name);
    }

    /** The newest snapshot that the key proves. */
    ProvedSnapshot newest(AgentClient agent, RepositoryKey key, SnapshotName name) throws IOException {
        return series(agent, key, name)
                .checked()
                .last()
                .orElseThrow(() -> new IOException("'" + name.value() + "' has no snapshot yet"));
    }

    Cores cores() {
        return Cores.all();
    }

    Instant now() {
        return clock.instant();
    }
}
