// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

interface Cutter extends AutoCloseable {
    interface Sink {
        void accept(ByteBuffer chunk, boolean segmentEnd) throws IOException;
    }

    void chunkFile(Path file, ChunkingParams params, Sink sink) throws IOException;

    String backendName();

    @Override
    void close();
}
