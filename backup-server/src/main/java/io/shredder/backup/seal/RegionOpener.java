// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns stored regions back into plain chunks, and proves on the way that they are the chunks asked for. One thread at
 * a time; holds native memory until closed.
 */
public sealed interface RegionOpener extends AutoCloseable permits JavaRegionOpener, NativeRegionOpener {

    /**
     * Opens what was sealed under this key: in native calls if the library is there and it is known which digest the
     * identities are made of, else step by step.
     *
     * @param digest of the snapshot that the chunks are of; empty for chunks of snapshots of any digest
     */
    static RegionOpener create(RepositoryKey key, Optional<DigestAlgorithm> digest) {
        if (digest.isPresent()) {
            try {
                return new NativeRegionOpener(key, digest.get());
            } catch (ShredderException e) {
                Logger log = LoggerFactory.getLogger(RegionOpener.class);
                log.debug("chunks are opened step by step: {}", e.getMessage());
            }
        }
        return new JavaRegionOpener(key);
    }

    /**
     * Writes the plain bytes of chunks back to back, proved by the seals of their regions and then by their identities.
     *
     * @param wanted each chunk once; every one is in one of the regions
     * @param regions may have other chunks, too
     * @param target direct, with room for the plain lengths of {@code wanted} from its position on, which does not
     *     change
     * @throws BadChunkException if anybody but a holder of the key changed a bit, or the bytes are not those of the
     *     identity; names a chunk of the first such region
     * @throws ShredderException if the digests can't be made
     */
    void open(List<ChunkRef> wanted, List<StoredRegion> regions, ByteBuffer target)
            throws BadChunkException, ShredderException;

    /** Whether it is worth finding out where regions lie on this machine, for {@link #openAt}. */
    boolean readsPlaces();

    /**
     * Does the same with regions that lie on this machine, reading included.
     *
     * @param places of regions that have all of {@code wanted} between them
     * @return whether every chunk is proved; if not, what {@code target} holds is undefined, and {@link #open} finds
     *     out why
     */
    boolean openAt(List<ChunkRef> wanted, List<RegionPlace> places, ByteBuffer target);

    @Override
    void close();
}
