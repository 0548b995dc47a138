// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
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
    void directReadsAndAnyNumberOfThreadsGiveTheSameChunks() throws Exception {
        byte[] data = new byte[3_000_001];
        new Random(4).nextBytes(data);
        Path file = write("data", data);
        for (boolean direct : new boolean[] {false, true}) {
            engine.close();
            engine = Shredder.open(ShredderOptions.builder()
                    .backend(Backend.CPU)
                    .bufferBytes(1 << 20)
                    .readerThreads(3)
                    .directReads(direct)
                    .build());
            assertThat(chunks(file)).isEqualTo(ReferenceChunker.chunk(PARAMS, data));
        }
        assertThatThrownBy(() -> chunks(pipe()))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("pipe can't be read past the page cache");
    }

    @Test
    void anyNameIsReadNatively() throws Exception {
        byte[] data = {1, 2, 3};
        for (String name : new String[] {"a b", "100%41", "\u00fc", "\ud83d\ude00", "a\nb", "?#"}) {
            assumeTrue(Charset.forName(System.getProperty("sun.jnu.encoding"))
                    .newEncoder()
                    .canEncode(name));
            Path file = write(name, data);
            assertThat(NativePath.utf8(file)).isPresent();
            assertThat(chunks(file)).isEqualTo(ReferenceChunker.chunk(PARAMS, data));
        }
    }

    @Test
    void aNameThatIsNotUtf8IsReadThroughAChannel() throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", "printf 123 > \"$(printf 'a\\377')\"")
                        .directory(folder.toFile())
                        .start()
                        .waitFor())
                .isZero();
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.findFirst().orElseThrow();
            assertThat(NativePath.utf8(file)).isEmpty();
            assertThat(chunks(file)).isEqualTo(ReferenceChunker.chunk(PARAMS, new byte[] {'1', '2', '3'}));
        }
    }

    @Test
    void aFileInAnArchiveIsReadThroughAChannel() throws Exception {
        byte[] data = new byte[20_000];
        new Random(3).nextBytes(data);
        URI archive = URI.create("jar:" + folder.resolve("a.zip").toUri());
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Files.write(zip.getPath("inside"), data);
        }
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of())) {
            assertThat(chunks(zip.getPath("inside"))).isEqualTo(ReferenceChunker.chunk(PARAMS, data));
        }
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
        Path pipe = pipe();
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

    @Test
    void aSinksErrorEndsTheReadOfAPipeThatSaysNoMore() throws Exception {
        Path pipe = pipe();
        CountDownLatch done = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            try (OutputStream out = Files.newOutputStream(pipe)) {
                out.write(new byte[20_000]);
                done.await();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        writer.start();
        assertThatThrownBy(() -> engine.chunkFile(pipe, PARAMS, true, batch -> {
                    throw new IOException("no room");
                }))
                .hasMessage("no room");
        done.countDown();
        writer.join();
    }

    private Path pipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
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
