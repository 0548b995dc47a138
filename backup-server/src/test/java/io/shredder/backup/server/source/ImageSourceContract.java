// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every source of images keeps to: data, holes and written zeros, up to a last block that is not whole. */
abstract class ImageSourceContract {

    private static final int MIB = 1 << 20;

    @TempDir
    protected Path folder;

    private final long seed = Long.getLong("shredder.seed", System.nanoTime());
    private byte[] content = {};
    private ImageSource source;

    /** Puts the content of this sparse raw file where the source reads it, and opens it. */
    protected abstract ImageSource open(Path raw) throws IOException;

    /** Length of the image; at least 14 MiB. */
    protected int imageBytes() {
        return 14 * MIB + 3 * 4096;
    }

    /** Most bytes that the source may call data, or -1 if it knows of no holes. */
    protected abstract long mostDataBytes();

    @BeforeEach
    void openSource() throws IOException {
        Path raw = folder.resolve("raw");
        Random random = new Random(seed);
        content = new byte[imageBytes()];
        try (RandomAccessFile file = new RandomAccessFile(raw.toFile(), "rw")) {
            file.setLength(content.length);
            write(file, 0, random(random, 2 * MIB + 5000));
            write(file, 6 * MIB, new byte[2 * MIB]);
            write(file, 10 * MIB + 12_345, random(random, 70_000));
            write(file, content.length - 300, random(random, 300));
        }
        source = open(raw);
    }

    private static byte[] random(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private void write(RandomAccessFile file, int at, byte[] bytes) throws IOException {
        file.seek(at);
        file.write(bytes);
        System.arraycopy(bytes, 0, content, at, bytes.length);
    }

    @AfterEach
    void closeSource() throws IOException {
        source.close();
    }

    @Test
    void itHasTheImagesLength() throws IOException {
        assertThat(source.imageBytes()).isEqualTo(content.length);
        source.checkUnchanged();
    }

    @Test
    void extentsComeInOrderAndCoverAllThatIsNotZero() throws IOException {
        byte[] left = content.clone();
        long at = 0;
        long dataBytes = 0;
        for (Optional<Extent> next = source.nextData(0); next.isPresent(); next = source.nextData(at)) {
            Extent extent = next.get();
            assertThat(extent.offset()).isBetween(at, (long) content.length);
            at = extent.end();
            dataBytes += extent.bytes();
            Arrays.fill(left, (int) extent.offset(), (int) extent.end(), (byte) 0);
        }
        assertThat(at).isEqualTo(content.length);
        assertThat(left).isEqualTo(new byte[content.length]);
        assertThat(source.nextData(content.length)).isEmpty();
        if (mostDataBytes() >= 0) {
            assertThat(dataBytes).isLessThanOrEqualTo(mostDataBytes());
        }
    }

    @Test
    void extentsCanBeAskedForFromAnywhereAndAgain() throws IOException {
        for (long from : new long[] {10 * MIB + 20_000, 5000, 7 * MIB, 5000, content.length - 1}) {
            Extent extent = source.nextData(from).orElseThrow();
            assertThat(extent.offset()).isGreaterThanOrEqualTo(from);
            assertThat(Arrays.mismatch(content, (int) from, (int) extent.offset(), new byte[content.length], 0, (int)
                            (extent.offset() - from)))
                    .isNegative();
        }
    }

    @Test
    void anyRangeReadsAsItIs() throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            int offset = random.nextInt(content.length / 4096) * 4096;
            int count = 4096 * (1 + random.nextInt(1 << random.nextInt(11)));
            int end = Math.min(content.length, offset + count);
            ByteBuffer into = ByteBuffer.allocateDirect(end - offset + 7).position(7);
            source.read(into, offset);
            assertThat(into.hasRemaining()).isFalse();
            byte[] bytes = new byte[end - offset];
            into.get(7, bytes);
            assertThat(bytes).as("-Dshredder.seed=%d", seed).isEqualTo(Arrays.copyOfRange(content, offset, end));
        }
    }

    @Test
    void sharedItGivesAnyRangeToAnyThread() {
        Random random = new Random(seed);
        SharedImage shared = new SharedImage(source);
        List<int[]> ranges = random.ints(60, 0, content.length - 1)
                .mapToObj(
                        from -> new int[] {from, 1 + random.nextInt(Math.min(1 << 18, content.length - from - 1) + 1)})
                .toList();
        assertThat(ranges.parallelStream().filter(range -> !reads(shared, range[0], range[1])))
                .as("-Dshredder.seed=%d", seed)
                .isEmpty();
    }

    private boolean reads(SharedImage shared, int from, int count) {
        try {
            return Arrays.equals(shared.bytes(from, count), Arrays.copyOfRange(content, from, from + count));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void itsChunksAreThoseOfReadingTheWholeImage() throws IOException {
        ChunkingParams params = ChunkingParams.ofAverage(8 << 10);
        try (Shredder engine = Shredder.open(ShredderOptions.defaults())) {
            assertThat(Chunkings.of(engine, source, params))
                    .as("-Dshredder.seed=%d", seed)
                    .isEqualTo(Chunkings.plain(ReferenceChunker.chunk(params, content)));
        }
    }

    /** Runs a program to its end, which must be a good one. */
    protected static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        try {
            assertThat(process.waitFor())
                    .as(String.join(" ", command) + ": " + output)
                    .isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return output;
    }

    /** The raw file's own bytes, for a source that reads a copy. */
    protected static void copySparse(Path from, Path to) throws IOException {
        run("cp", "--sparse=always", from.toString(), to.toString());
        assertThat(Files.size(to)).isEqualTo(Files.size(from));
    }
}
