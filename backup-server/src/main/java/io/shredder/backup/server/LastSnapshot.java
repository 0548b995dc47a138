// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.KeyId;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
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
     * @param cuts how the image is to be cut now
     * @throws IOException if it is sealed with another key: with a second one nothing of the series would be found again, and half of it couldn't be
     *     restored with either
     */
    LastSnapshot(AgentClient agent, RepositoryKey key, SnapshotCaches caches, SnapshotName name, ImageCuts cuts)
            throws IOException {
        this.agent = agent;
        this.key = key;
        List<SnapshotInfo> all = SnapshotChoice.listAll(agent).snapshots();
        List<SnapshotInfo> series =
                all.stream().filter(snapshot -> snapshot.name().equals(name)).toList();
        this.last = last(series);
        this.params = cuts.lengths()
                .with(cuts.digest()
                        .or(() -> digestOf(series))
                        .or(() -> digestOf(all))
                        .orElse(ImageCuts.DEFAULT_DIGEST));
        this.cache = last.flatMap(snapshot -> caches.open(key, snapshot, params));
    }

    private Optional<SnapshotInfo> last(List<SnapshotInfo> series) throws IOException {
        if (series.isEmpty()) {
            return Optional.empty();
        }
        SnapshotInfo found = series.get(series.size() - 1);
        KeyId before = found.seal().key();
        if (!before.equals(key.id())) {
            throw new IOException(
                    "the snapshots of '" + found.name() + "' are sealed with key " + before + ", not with key "
                            + key.id()
                            + ": name the file of the other key with --repository-key, or begin another series with --name");
        }
        return Optional.of(found);
    }

    /** By which the chunks of the newest of these that opens are told apart. */
    private Optional<DigestAlgorithm> digestOf(List<SnapshotInfo> snapshots) {
        for (int i = snapshots.size() - 1; i >= 0; i--) {
            try {
                return Optional.of(new SnapshotOpener(key, snapshots.get(i))
                        .summary()
                        .params()
                        .digest());
            } catch (IOException e) {
                LOG.info("not asked for the digest: {}", e.getMessage());
            }
        }
        return Optional.empty();
    }

    /** How the image is to be cut, to find what the snapshots before have. */
    ChunkingParams params() {
        return params;
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
