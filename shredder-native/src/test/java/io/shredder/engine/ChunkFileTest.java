// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChunkFileTest {

    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(1 << 10);

    @TempDir
    Path folder;

    private Shredder engine;

    @BeforeEach
    void open() throws Exception {
        engine = EngineTests.open(Backend.CPU, 4096);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aFileGivesTheChunksOfItsBytes() throws Exception {
        byte[] data = new byte[100_000];
        new Random(1).nextBytes(data);
        assertThat(chunks(write("data", data))).isEqualTo(ReferenceChunker.chunk(PARAMS, data));
    }

    @Test
    void anEmptyFileHasNoChunks() throws Exception {
        assertThat(chunks(write("empty", new byte[0]))).isEmpty();
    }

    @Test
    void aFileThatShrinksWhileItIsReadIsFoundOut() throws Exception {
        Path file = write("shrinks", new byte[400_000]);
        assertThatThrownBy(() -> engine.chunkFile(file, PARAMS, true, batch -> truncate(file, 1000)))
                .isInstanceOf(SourceChangedException.class)
                .hasMessageContaining("changed while it was read")
                .hasMessageContaining("400000");
    }

    @Test
    void aFileThatGrowsWhileItIsReadIsFoundOut() throws Exception {
        Path file = write("grows", new byte[400_000]);
        assertThatThrownBy(() -> engine.chunkFile(
                        file, PARAMS, true, batch -> Files.write(file, new byte[10], StandardOpenOption.APPEND)))
                .isInstanceOf(SourceChangedException.class);
    }

    @Test
    void aDirectoryIsRefused() {
        assertThatThrownBy(() -> chunks(folder)).isInstanceOf(IOException.class).hasMessageContaining("is a directory");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> chunks(folder.resolve("nothing")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("nothing does not exist");
    }

    @Test
    void anUnreadableFileIsNamed() throws Exception {
        Path file = write("secret", new byte[10]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "this user reads everything");
        assertThatThrownBy(() -> chunks(file)).hasMessageContaining("may not be read");
    }

    @Test
    void aPipeIsChunkedWithoutKnowingItsLength() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        byte[] data = new byte[50_000];
        new Random(2).nextBytes(data);
        Thread writer = new Thread(() -> {
            try {
                Files.write(pipe, data);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        writer.start();
        assertThat(chunks(pipe)).isEqualTo(ReferenceChunker.chunk(PARAMS, data));
        writer.join();
    }

    private static void truncate(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    private Path write(String name, byte[] data) throws IOException {
        return Files.write(folder.resolve(name), data);
    }

    private List<Chunk> chunks(Path file) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        engine.chunkFile(file, PARAMS, true, batch -> {
            for (int i = 0; i < batch.count(); i++) {
                chunks.add(batch.chunk(i));
            }
        });
        return chunks;
    }
}
