// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Takes the chunks of an image, in order: what was cut and digested, and what is as it was. */
public interface ChunkConsumer extends ImageChunker.Consumer {

    /** Takes one that the last snapshot has at the same place. */
    void unchanged(CachedChunk chunk) throws IOException;

    /**
     * Takes one of which the last snapshot may have parts at the same place.
     *
     * @param data its bytes, valid during the call only
     * @param kept these parts, ascending, all of them within the chunk
     * @param pieces their tags, if they are known
     */
    void changed(Fingerprint fingerprint, ByteBuffer data, List<KeptPart> kept, Optional<Pieces> pieces)
            throws IOException;
}
