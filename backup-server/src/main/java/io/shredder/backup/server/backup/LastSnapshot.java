// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.snapshot.LastPages;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.PageDigests;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What spares work because the series' last snapshot has it: its cache at this site or, without one, its list at the
 * agent. Nothing if there is no last snapshot, or if it was cut otherwise. One thread.
 */
final class LastSnapshot implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LastSnapshot.class);

    private final AgentClient agent;
    private final RepositoryKey key;
    private final ChunkingParams params;
    private final Optional<SnapshotInfo> last;
    private final Optional<CacheReader> cache;

    /**
     * Takes the last that the key proves; snapshots of other keys don't matter.
     *
     * @param series that the backup goes on
     * @param cuts how the image is to be cut now
     */
    LastSnapshot(AgentClient agent, RepositoryKey key, SnapshotCaches caches, ProvedSeries series, ImageCuts cuts)
            throws IOException {
        this.agent = agent;
        this.key = key;
        this.last = series.last().map(ProvedSnapshot::info);
        this.params = cuts.lengths().with(digest(series, cuts));
        this.cache = last.flatMap(snapshot -> caches.open(key, snapshot, params));
    }

    private DigestAlgorithm digest(ProvedSeries series, ImageCuts cuts) throws IOException {
        if (cuts.digest().isPresent()) {
            return cuts.digest().get();
        } else if (series.last().isPresent()) {
            return series.last().get().summary().params().digest();
        }
        return digestOf(AgentSeries.listAll(agent).snapshots()).orElse(ImageCuts.DEFAULT_DIGEST);
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

    /**
     * Its pages, which the new list may share; none if it shares none, or if they can't be listed.
     */
    LastPages pages() {
        if (last.isEmpty() || !last.get().seal().isShared() || !agent.sharesPages()) {
            return LastPages.none();
        }
        try {
            PageDigests pages = agent.listPages(last.get().id(), true);
            SnapshotList.check(last.get(), pages.digests());
            return LastPages.of(last.get(), pages);
        } catch (IOException e) {
            LOG.info("no page of the last snapshot is shared: {}", e.getMessage());
            return LastPages.none();
        }
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
