// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

final class ReferenceCutter implements Cutter {
    @Override
    public void chunkFile(Path file, ChunkingParams params, Sink sink) throws IOException {
        byte[] data = Files.readAllBytes(file);
        for (Chunk chunk : ReferenceChunker.chunk(params, data)) {
            sink.accept(
                    ByteBuffer.wrap(data, (int) chunk.offset(), chunk.length()).asReadOnlyBuffer(), chunk.segmentEnd());
        }
    }

    @Override
    public String backendName() {
        return "reference";
    }

    @Override
    public void close() {}
}
