// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.KeyId;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What spares work because the series' last snapshot has it: its cache at this site or, without one, its list at the agent. Nothing if there is no last
 * snapshot, or if it was cut otherwise. One thread.
 */
final class LastSnapshot implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LastSnapshot.class);

    private final AgentClient agent;
    private final RepositoryKey key;
    private final ChunkingParams params;
    private final Optional<SnapshotInfo> last;
    private final Optional<CacheReader> cache;

    /**
     * Looks for it.
     *
     * @param params how the image is to be cut now
     * @throws IOException if it is sealed with another key: with a second one nothing of the series would be found again, and half of it couldn't be
     *     restored with either
     */
    LastSnapshot(AgentClient agent, RepositoryKey key, SnapshotCaches caches, SnapshotName name, ChunkingParams params)
            throws IOException {
        this.agent = agent;
        this.key = key;
        this.params = params;
        this.last = lastOfSeries(name);
        this.cache = last.flatMap(snapshot -> caches.open(key, snapshot, params));
    }

    private Optional<SnapshotInfo> lastOfSeries(SnapshotName name) throws IOException {
        List<SnapshotInfo> series = SnapshotChoice.listAll(agent).snapshots().stream()
                .filter(snapshot -> snapshot.name().equals(name))
                .toList();
        if (series.isEmpty()) {
            return Optional.empty();
        }
        SnapshotInfo found = series.get(series.size() - 1);
        KeyId before = found.seal().key();
        if (!before.equals(key.id())) {
            throw new IOException("the snapshots of '" + name + "' are sealed with key " + before + ", not with key "
                    + key.id()
                    + ": name the file of the other key with --repository-key, or begin another series with --name");
        }
        return Optional.of(found);
    }

    /** Its cache; stays this one's. */
    Optional<CacheReader> cache() {
        return cache;
    }

    /** Its chunks, as the agent lists them; none if there is a cache, which tells them, too. */
    ExpectedChunks expected() {
        if (last.isEmpty() || cache.isPresent()) {
            return new ExpectedChunks(Optional.empty());
        }
        try {
            SnapshotPointers pointers = new SnapshotPointers(agent, key, last.get());
            boolean sameCuts = pointers.summary().params().equals(params);
            return new ExpectedChunks(sameCuts ? Optional.of(pointers::nextPage) : Optional.empty());
        } catch (IOException e) {
            LOG.info("the last snapshot can't be used: {}", e.getMessage());
            return new ExpectedChunks(Optional.empty());
        }
    }

    @Override
    public void close() throws IOException {
        if (cache.isPresent()) {
            cache.get().close();
        }
    }
}
