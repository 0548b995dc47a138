// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;

/** What the engine's tests share. */
final class EngineTests {

    private EngineTests() {}

    static List<Backend> availableBackends() throws ShredderException {
        return Shredder.backends().stream()
                .filter(BackendStatus::available)
                .map(status -> Backend.parse(status.name()))
                .toList();
    }

    static Shredder open(Backend backend, int bufferBytes) throws ShredderException {
        return Shredder.open(ShredderOptions.builder()
                .backend(backend)
                .bufferBytes(bufferBytes)
                .cpuThreads(2)
                .build());
    }

    static ReadableByteChannel channel(byte[] data) {
        return Channels.newChannel(new ByteArrayInputStream(data));
    }

    static List<Chunk> chunks(Shredder engine, ChunkingParams params, byte[] data) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        engine.chunk(channel(data), params, true, batch -> {
            for (int i = 0; i < batch.count(); i++) {
                chunks.add(batch.chunk(i));
            }
        });
        return chunks;
    }
}
