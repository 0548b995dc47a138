// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The chunks that an image gives. */
final class Chunkings {

    private Chunkings() {}

    /** Cuts the image; checks that each chunk's bytes are those of its fingerprint's image. */
    static List<Chunk> of(Shredder engine, ImageSource image, ChunkingParams params) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        long[] offset = {0};
        new ImageChunker(engine, params, Pace.unlimited(), 3, 1, new BackupTimes()).chunk(image, some -> {
            for (CutChunk chunk : some) {
                if (!chunk.digest().equals(Fingerprint.ofData(chunk.data().duplicate()))) {
                    throw new IOException("the chunk at " + offset[0] + " has other bytes than its fingerprint");
                }
                for (long copies = chunk.count(); copies > 0; copies--) {
                    chunks.add(new Chunk(offset[0], chunk.length(), chunk.digest(), false));
                    offset[0] += chunk.length();
                }
            }
        });
        return chunks;
    }

    /** The same without what belongs to segments. */
    static List<Chunk> plain(List<Chunk> chunks) {
        return chunks.stream()
                .map(chunk -> new Chunk(chunk.offset(), chunk.length(), chunk.fingerprint(), false))
                .toList();
    }
}
