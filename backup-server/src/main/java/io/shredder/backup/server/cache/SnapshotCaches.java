// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.MemoryCuts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the caches of the last snapshots lie, one a series, and whether one may be used. Nothing but time
 * is lost without them: whatever is missing, old or damaged is a line in the log. Thread-safe; two backups of one
 * series at once leave the cache of the one that ends last.
 */
public final class SnapshotCaches {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCaches.class);

    private final Optional<Path> folder;

    private SnapshotCaches(Optional<Path> folder) {
        this.folder = folder;
    }

    /** Caches in this folder, which is made when the first is written. */
    public static SnapshotCaches in(Path folder) {
        return new SnapshotCaches(Optional.of(folder.toAbsolutePath()));
    }

    /** Caches of the user who runs this. */
    public static SnapshotCaches ofUser() {
        return in(CacheFolder.ofUser(System.getenv(), Path.of(System.getProperty("user.home"))));
    }

    /** No cache is read or written. */
    public static SnapshotCaches none() {
        return new SnapshotCaches(Optional.empty());
    }

    /** Whether tags are worth their time on this CPU, and cuts known by what is between them. */
    private boolean serve(ChunkingParams params) {
        return folder.isPresent() && KeyedTags.areFast() && MemoryCuts.serve(params);
    }

    private static Path file(Path folder, RepositoryKey key, SnapshotName name) {
        return folder.resolve(key.id().toString()).resolve(name.value() + ".cache");
    }

    /**
     * The cache of a series' last snapshot, if it is at hand and whole as far as can be seen at once.
     *
     * @param last what the agent says is the last
     * @param params how the image is to be cut now
     */
    public Optional<CacheReader> open(RepositoryKey key, SnapshotInfo last, ChunkingParams params) {
        if (!serve(params)) {
            return Optional.empty();
        }
        Path file = file(folder.orElseThrow(), key, last.name());
        if (!Files.exists(file)) {
            LOG.info("there is no {}, so all of the image is digested", file);
            return Optional.empty();
        }
        try {
            CacheReader reader = CacheReader.open(file, key, last.name());
            if (reader.end().params().equals(params)
                    && reader.end().contentDigest().equals(last.contentDigest())) {
                return Optional.of(reader);
            }
            reader.close();
            LOG.info(
                    "{} is not of snapshot {}@{}, cut as now, so all of the image is digested",
                    file,
                    last.name(),
                    last.id());
        } catch (IOException e) {
            LOG.warn("{} can't be used, so all of the image is digested: {}", file, e.toString());
        }
        return Optional.empty();
    }

    /** Begins the cache of a snapshot that is about to be made; empty if there is none to be. */
    public Optional<CacheWriter> write(RepositoryKey key, SnapshotName name, ChunkingParams params) {
        return serve(params)
                ? Optional.of(CacheWriter.begin(file(folder.orElseThrow(), key, name), key, name, params))
                : Optional.empty();
    }
}
