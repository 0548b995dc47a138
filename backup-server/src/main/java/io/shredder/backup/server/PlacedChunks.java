// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.RegionPlace;
import io.shredder.backup.protocol.RegionPlaces;
import io.shredder.backup.seal.PlacedRegions;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens chunks where they lie, if that is on this machine. Safe for several threads. */
final class PlacedChunks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PlacedChunks.class);

    private final RegionPlaces places;
    private final RepositoryKey key;
    private final DigestAlgorithm digest;
    private final Queue<PlacedRegions> idle = new ConcurrentLinkedQueue<>();

    private PlacedChunks(RegionPlaces places, RepositoryKey key, DigestAlgorithm digest, PlacedRegions first) {
        this.places = places;
        this.key = key;
        this.digest = digest;
        idle.add(first);
    }

    /**
     * For chunks of an agent whose identities are made of this digest.
     *
     * @return empty if what the agent keeps is elsewhere, or the native library can't do it
     */
    static Optional<PlacedChunks> of(AgentClient agent, RepositoryKey key, DigestAlgorithm digest) {
        return agent.places().flatMap(places -> {
            try {
                return Optional.of(new PlacedChunks(places, key, digest, new PlacedRegions(key, digest)));
            } catch (ShredderException e) {
                LOG.debug("chunks are not opened where they lie: {}", e.getMessage());
                return Optional.empty();
            }
        });
    }

    /** Where these chunks lie; fails if any is not kept. */
    CompletableFuture<List<RegionPlace>> find(List<ChunkRef> refs) {
        return places.find(refs.stream().map(ChunkRef::fingerprint).toList());
    }

    /**
     * Writes the plain bytes of these chunks back to back.
     *
     * @param refs each once
     * @param target direct, with room for them
     * @return whether all are proved; if not, an agent that is asked for them says what is wrong
     */
    boolean open(List<ChunkRef> refs, List<RegionPlace> where, ByteBuffer target) {
        PlacedRegions regions = idle.poll();
        try {
            if (regions == null) {
                regions = new PlacedRegions(key, digest);
            }
            regions.open(refs, where, target);
            return true;
        } catch (ShredderException e) {
            LOG.warn("read again and checked step by step: {}", e.getMessage());
            return false;
        } finally {
            if (regions != null) {
                idle.add(regions);
            }
        }
    }

    @Override
    public void close() {
        idle.forEach(PlacedRegions::close);
    }
}
