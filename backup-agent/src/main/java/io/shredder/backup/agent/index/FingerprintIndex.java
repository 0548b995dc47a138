// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Where each chunk is kept.
 *
 * <p><b>Durability.</b> {@link #put} or {@link #remove} alone is lost by a crash; what was put before a {@link #commit}
 * survives one once that returned, together with its position. After a crash the index is as after some commit that had
 * begun: never older than the last that returned, never between two. The index may lag behind the containers, never be
 * ahead of them: callers force containers before they commit, and put again what lies after {@link #covered} when they
 * open.
 *
 * <p><b>Concurrency.</b> All of it may be called from any number of threads, as long as no two put or remove the same
 * fingerprint at once, and no two commit. A put is visible to all at once.
 *
 * <p>Every implementation passes {@code FingerprintIndexContract}.
 */
public interface FingerprintIndex extends Closeable {

    /** Where a chunk is, if it is kept. */
    Optional<ChunkLocation> find(Fingerprint fingerprint) throws IOException;

    /** {@link #find} for many at once; answers in the order of the questions. */
    List<Optional<ChunkLocation>> findAll(List<Fingerprint> fingerprints) throws IOException;

    /** Says where a chunk is; a later put replaces an earlier one. */
    void put(Fingerprint fingerprint, ChunkLocation location) throws IOException;

    /** {@link #put} for the chunks of a region. */
    default void putAll(Map<Fingerprint, ChunkLocation> places) throws IOException {
        for (Map.Entry<Fingerprint, ChunkLocation> place : places.entrySet()) {
            put(place.getKey(), place.getValue());
        }
    }

    /** Forgets a chunk; a later put says where it is again. Becomes durable like a put, with the next commit. */
    void remove(Fingerprint fingerprint) throws IOException;

    /** How many puts and removals wait in memory for a commit, about. */
    int uncommitted();

    /** A commit of what had been put and removed when it began. */
    interface Commit {

        /**
         * Makes it durable, and the position up to which it covers the containers.
         *
         * <p>A failed commit leaves the index usable: its puts stay visible, and the next commit tries them again.
         */
        void finish(ContainerPosition covered) throws IOException;
    }

    /**
     * Begins a commit; what is put and removed from now on is not part of it. One that is never finished is as if it
     * had failed. One at a time. Waits for no disk.
     */
    Commit beginCommit() throws IOException;

    /** Makes all puts and removals durable, and the position up to which they cover the containers: {@link Commit}. */
    default void commit(ContainerPosition covered) throws IOException {
        beginCommit().finish(covered);
    }

    /** The position of the last commit, {@link ContainerPosition#START} before the first. */
    ContainerPosition covered();

    /** How many chunks are kept. */
    long size();

    /** Visits every chunk, in no order. Chunks put meanwhile may or may not be visited. */
    default void forEach(BiConsumer<Fingerprint, ChunkLocation> visitor) throws IOException {
        forEach(KeyPart.ALL, visitor);
    }

    /** The same for a part of all fingerprints: several threads that take a part each visit all. */
    void forEach(KeyPart part, BiConsumer<Fingerprint, ChunkLocation> visitor) throws IOException;
}
