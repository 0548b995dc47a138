// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.engine.ShredderOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All that the daemon is told.
 *
 * @param agent where the agent listens
 * @param timeout after so long without a byte the agent is given up
 * @param tls who this site is and whom it believes
 * @param key seals all that is sent
 * @param state folder in which the daemon remembers when jobs ran
 * @param cache folder in which backups keep what they knew of the last snapshots; nothing but time is lost with it
 * @param monitoring where metrics and health are to be had
 * @param console where people look, if they do
 * @param backend what chunks and digests
 * @param concurrency how many images at once, of all jobs
 * @param stalledAfter a backup of which nothing has advanced for so long is shown as stalled
 * @param bandwidth bytes a second that all jobs and care together may send
 * @param alerts whom to tell what is wrong
 * @param jobs in the file's order
 * @param care of what is kept, in the file's order
 */
public record ServerConfig(
        HostPort agent,
        Duration timeout,
        TlsFiles tls,
        KeySource key,
        Path state,
        Path cache,
        HostPort monitoring,
        Optional<ConsoleConfig> console,
        ShredderOptions.Devices backend,
        int concurrency,
        Duration stalledAfter,
        RatePlan bandwidth,
        AlertConfig alerts,
        List<JobConfig> jobs,
        List<CareConfig> care) {

    /** Of each image's ring, where several are made at once. */
    private static final int SHARED_BUFFER_BYTES = 8 << 20;

    /** Keeps copies. */
    public ServerConfig {
        jobs = List.copyOf(jobs);
        care = List.copyOf(care);
    }

    /**
     * How the engine of all images runs. Memory for a device to read is slow to get, 0.1 s for the usual ring of one
     * image: several at once have shorter buffers.
     */
    public ShredderOptions engine() {
        return ShredderOptions.builder()
                .on(backend)
                .bufferBytes(concurrency > 1 ? SHARED_BUFFER_BYTES : 0)
                .build();
    }

    /** The same, but for what only a restart can change; the cache that nobody names is in the folder of the state. */
    public ServerConfig keeping(ServerConfig started) {
        Path usualCache = usualCache(state);
        return new ServerConfig(
                agent,
                timeout,
                tls,
                key,
                started.state,
                cache.equals(usualCache) ? usualCache(started.state) : cache,
                started.monitoring,
                started.console,
                started.backend,
                concurrency,
                stalledAfter,
                bandwidth,
                alerts,
                jobs,
                care);
    }

    /** Where the cache is if nobody says. */
    static Path usualCache(Path state) {
        return state.resolve("cache");
    }

    /** Whether what only a restart can change is the same. */
    public boolean sameUntilRestart(ServerConfig other) {
        return state.equals(other.state)
                && monitoring.equals(other.monitoring)
                && console.equals(other.console)
                && backend.equals(other.backend);
    }
}
