// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads write a file as memory, on a disk and in a file system that is memory. */
class MappedWindowsTest {

    private static final int WINDOW_BYTES = 64 << 10;
    private static final int HOLE_FROM = 1 << 20;
    private static final int HOLE_TO = 3 << 20;
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    @TempDir
    private Path disk;

    private Path memory;

    @BeforeEach
    void makeFolder() throws IOException {
        memory = Files.createTempDirectory(Files.isWritable(IN_MEMORY) ? IN_MEMORY : disk, "windows");
    }

    @AfterEach
    void removeFolder() throws IOException {
        Files.deleteIfExists(memory.resolve("f"));
        Files.delete(memory);
    }

    private record Piece(int at, int bytes) {

        boolean isHole() {
            return at < HOLE_TO && at + bytes > HOLE_FROM;
        }
    }

    private static List<Piece> pieces(int fileBytes, Random random) {
        List<Piece> pieces = new ArrayList<>();
        for (int at = 0; at < fileBytes; at += pieces.get(pieces.size() - 1).bytes()) {
            pieces.add(new Piece(at, Math.min(fileBytes - at, 1 + random.nextInt(3 * WINDOW_BYTES))));
        }
        Collections.shuffle(pieces, random);
        return pieces;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatThreadsWriteInAnyOrderIsThereAndHolesStay(boolean inMemory)
            throws IOException, InterruptedException, ExecutionException {
        Path file = (inMemory ? memory : disk).resolve("f");
        byte[] bytes = new byte[(5 << 20) + 4097];
        Random random = new Random(7);
        random.nextBytes(bytes);
        List<Piece> pieces = pieces(bytes.length, random);
        try (FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
                MappedWindows windows = MappedWindows.of(file, channel, WINDOW_BYTES)) {
            assumeTrue(windows != null, "no file can be mapped here");
            assertThat(channel.size()).isZero();
            var unused = channel.write(ByteBuffer.allocate(1), bytes.length - 1);
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                List<Future<Boolean>> written = new ArrayList<>();
                pieces.stream()
                        .filter(piece -> !piece.isHole())
                        .forEach(piece -> written.add(threads.submit(
                                () -> windows.write(piece.at(), ByteBuffer.wrap(bytes, piece.at(), piece.bytes())))));
                for (Future<Boolean> one : written) {
                    assertThat(one.get()).isTrue();
                }
            } finally {
                threads.shutdownNow();
            }
        }
        for (Piece piece : pieces) {
            if (piece.isHole()) {
                Arrays.fill(bytes, piece.at(), piece.at() + piece.bytes(), (byte) 0);
            }
        }
        assertThat(file).hasBinaryContent(bytes);
    }

    @Test
    void onceClosedNothingIsWritten() throws IOException {
        Path file = disk.resolve("f");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedWindows windows = MappedWindows.of(file, channel, WINDOW_BYTES);
            assumeTrue(windows != null, "no file can be mapped here");
            var unused = channel.write(ByteBuffer.allocate(1), 2 * WINDOW_BYTES);
            assertThat(windows.write(0, ByteBuffer.allocate(4096))).isTrue();
            windows.close();
            assertThatThrownBy(() -> windows.write(0, ByteBuffer.allocate(4096)))
                    .isInstanceOf(ClosedChannelException.class);
        }
    }
}
