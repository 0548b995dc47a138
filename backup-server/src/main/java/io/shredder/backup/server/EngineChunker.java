// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The reference chunker. */
final class EngineChunker implements ImageChunker {

    private EngineChunker() {}

    static EngineChunker open(String backend) {
        if (!List.of("auto", "scalar").contains(backend)) {
            throw new IllegalArgumentException("unknown backend " + backend);
        }
        return new EngineChunker();
    }

    @Override
    public void chunk(Path image, ChunkingParams params, Sink sink) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        byte[] data = Files.readAllBytes(image);
        ReferenceChunker chunker = new ReferenceChunker(params, chunks::add);
        chunker.update(ByteBuffer.wrap(data));
        chunker.finish();
        for (Chunk chunk : chunks) {
            sink.accept(chunk.fingerprint(), ByteBuffer.wrap(data, (int) chunk.offset(), chunk.length()));
        }
    }

    @Override
    public String backendName() {
        return "reference";
    }

    @Override
    public void close() {}
}
