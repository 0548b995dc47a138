// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.NativeRegionOpener;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens chunks whose identities are made of one digest the quick way. Safe for several threads. */
final class NativeOpeners implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NativeOpeners.class);

    private final RepositoryKey key;
    private final DigestAlgorithm digest;
    private final Queue<NativeRegionOpener> idle = new ConcurrentLinkedQueue<>();

    @FunctionalInterface
    private interface Opening {
        void by(NativeRegionOpener opener) throws ShredderException;
    }

    private NativeOpeners(RepositoryKey key, DigestAlgorithm digest, NativeRegionOpener first) {
        this.key = key;
        this.digest = digest;
        idle.add(first);
    }

    /** Empty if the native library can't do it. */
    static Optional<NativeOpeners> of(RepositoryKey key, DigestAlgorithm digest) {
        try {
            return Optional.of(new NativeOpeners(key, digest, new NativeRegionOpener(key, digest)));
        } catch (ShredderException e) {
            LOG.debug("chunks are opened step by step: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Writes the plain bytes of these chunks back to back.
     *
     * @param refs each once
     * @param regions that they are in
     * @param target direct, with room for them
     * @return whether all are proved; if not, somebody who checks step by step says what is wrong
     */
    boolean open(List<ChunkRef> refs, List<StoredRegion> regions, ByteBuffer target) {
        return proves(opener -> opener.open(refs, regions, target));
    }

    /** The same where the regions lie on this machine. */
    boolean openAt(List<ChunkRef> refs, List<RegionPlace> places, ByteBuffer target) {
        return proves(opener -> opener.openAt(refs, places, target));
    }

    private boolean proves(Opening opening) {
        NativeRegionOpener opener = idle.poll();
        try {
            if (opener == null) {
                opener = new NativeRegionOpener(key, digest);
            }
            opening.by(opener);
            return true;
        } catch (ShredderException e) {
            LOG.warn("checked again step by step: {}", e.getMessage());
            return false;
        } finally {
            if (opener != null) {
                idle.add(opener);
            }
        }
    }

    @Override
    public void close() {
        idle.forEach(NativeRegionOpener::close);
    }
}
