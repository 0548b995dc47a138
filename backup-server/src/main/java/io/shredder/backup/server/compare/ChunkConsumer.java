// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.engine.ChunkTag;
import java.io.IOException;

/** Takes the chunks of an image, in order: what was cut and digested, and what is as it was. */
public interface ChunkConsumer extends ImageChunker.Consumer {

    /** Takes one that the last snapshot has at the same place. */
    void unchanged(ChunkRef chunk, ChunkTag tag) throws IOException;
}
