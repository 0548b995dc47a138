// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Cuts an image into chunks. */
public interface ImageChunker extends AutoCloseable {

    /** Takes the chunks in order. */
    interface Sink {
        /**
         * Takes the next chunk.
         *
         * @param data its bytes, valid during the call only
         */
        void accept(Fingerprint fingerprint, ByteBuffer data) throws IOException;
    }

    /** Hands every chunk of the file to the sink, on the calling thread. Fails if the file changes meanwhile. */
    void chunk(Path image, ChunkingParams params, Sink sink) throws IOException;

    /** What cuts. */
    String backendName();

    @Override
    void close();
}
