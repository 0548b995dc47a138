// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that grow in files which others grew in before. */
class S3AppendableTest {

    private static final int LONG = S3Appendable.GROW_BYTES + 12_345;
    private static final int SHORT = 1_000;

    private final Random random = new Random(7);
    private final List<byte[]> sent = new ArrayList<>();

    @TempDir
    private Path folder;

    private SpoolFolder spools;

    @BeforeEach
    void spools() throws IOException {
        spools = new SpoolFolder(folder.resolve("spool"));
        spools.empty();
    }

    private StoredObject keep(PutContent content) throws IOException {
        sent.add(bytes(content));
        assertThat(content.crc32c()).isEqualTo(content.crc32c(0, content.bytes()));
        return new StoredObject(content.bytes(), "etag", Instant.EPOCH, "session", content.crc32c());
    }

    private static byte[] bytes(PutContent content) throws IOException {
        try (InputStream in = content.body().contentStreamProvider().newStream()) {
            return in.readAllBytes();
        }
    }

    private S3Appendable open(ExecutorService side, S3Appendable.Putting putting) throws IOException {
        return new S3Appendable("object", spools, putting, side, () -> {});
    }

    private S3Appendable open() throws IOException {
        return open(Executors.newCachedThreadPool(), (content, before) -> keep(content));
    }

    private byte[] drawn(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("spool"))) {
            return all.toList();
        }
    }

    @Test
    void whatIsSentIsWhatWasAppendedAlsoInAFileThatSomebodyUsedBefore() throws IOException {
        try (S3Appendable other = open()) {
            other.append(ByteBuffer.wrap(drawn(SHORT))); // In use, so that a file is kept for the next.
            byte[] first = drawn(LONG);
            try (S3Appendable file = open()) {
                file.append(ByteBuffer.wrap(first, 0, 100), ByteBuffer.wrap(first, 100, LONG - 100));
                file.force();
            }
            byte[] second = drawn(SHORT);
            try (S3Appendable file = open()) {
                file.append(ByteBuffer.wrap(second, 0, 1));
                file.append(ByteBuffer.wrap(second, 1, SHORT - 1));
                file.force();
                assertThat(files()).as("written over").hasSize(2);
                assertThat(file.read(ByteBuffer.allocate(SHORT), 0)).isTrue();
                assertThatThrownBy(() -> file.read(ByteBuffer.allocate(SHORT + 1), 0))
                        .as("what the file has behind its end is another object's")
                        .isInstanceOf(EOFException.class);
            }
            assertThat(sent).containsExactly(first, second);
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void whatIsPutWhileItIsDiscardedIsNotWrittenOver() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch discarded = new CountDownLatch(1);
        byte[] bytes = drawn(LONG);
        ExecutorService side = Executors.newCachedThreadPool();
        Path spool;
        try (S3Appendable other = open()) {
            other.append(ByteBuffer.wrap(drawn(SHORT)));
            S3Appendable file = open(side, (content, before) -> {
                Future<byte[]> read = side.submit(() -> {
                    try (InputStream in = content.body().contentStreamProvider().newStream()) {
                        byte[] head = in.readNBytes(10);
                        begun.countDown();
                        discarded.await();
                        return ByteBuffer.allocate(LONG)
                                .put(head)
                                .put(in.readAllBytes())
                                .array();
                    }
                });
                try {
                    sent.add(read.get());
                } catch (InterruptedException | ExecutionException e) {
                    throw new IOException(e);
                }
                return keep(content);
            });
            file.append(ByteBuffer.wrap(bytes));
            spool = files().stream()
                    .max(Comparator.comparingLong(S3AppendableTest::length))
                    .orElseThrow();
            file.beginForce();
            begun.await();
            file.discard();
            try (S3Appendable next = open()) {
                next.append(ByteBuffer.wrap(drawn(LONG)));
                assertThat(spool).as("the file that is still being sent").doesNotExist();
                discarded.countDown();
                side.shutdown();
                assertThat(side.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            }
        }
        assertThat(sent.get(0)).isEqualTo(bytes);
    }

    private static long length(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFailedAppendLeavesTheObjectAsItWas() throws IOException {
        byte[] bytes = drawn(SHORT);
        try (S3Appendable file = open()) {
            file.append(ByteBuffer.wrap(bytes));
            Path spool = files().get(0);
            try (var behind = FileChannel.open(spool, StandardOpenOption.WRITE)) {
                DurableFiles.writeFully(
                        behind, ByteBuffer.wrap(drawn(SHORT)), SHORT); // As an append left it that failed.
            }
            file.append(ByteBuffer.wrap(bytes));
            file.force();
        }
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0)).startsWith(bytes).endsWith(bytes).hasSize(2 * SHORT);
    }

    @Test
    void noMoreFilesAreKeptThanAreInUse() throws IOException {
        List<S3Appendable> open = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            S3Appendable file = open();
            file.append(ByteBuffer.wrap(drawn(SHORT)));
            open.add(file);
        }
        for (int left = 7; left >= 0; left--) {
            open.remove(0).discard();
            assertThat(files()).hasSize(Math.min(8, 2 * left));
        }
    }

    @Test
    void aFolderIsEmptiedOfWhatAProcessLeft() throws IOException {
        Files.writeString(folder.resolve("spool/3.part"), "left");
        new SpoolFolder(folder.resolve("spool")).empty();
        assertThat(files()).isEmpty();
    }

    @Test
    void whatIsPutInPartsSendsEachPartOnce() throws IOException {
        byte[] bytes = drawn(LONG);
        Path file = folder.resolve("whole");
        Files.write(file, bytes);
        PutContent content = PutContent.of(file, LONG);
        try (InputStream in =
                content.body(SHORT, LONG - SHORT).contentStreamProvider().newStream()) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, SHORT, LONG));
        }
        assertThat(Optional.of(content.crc32c(0, LONG))).contains(content.crc32c());
    }
}
