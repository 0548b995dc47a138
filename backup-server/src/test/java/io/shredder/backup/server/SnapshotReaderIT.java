// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shredder.backup.server.reader.DamagedRangeException;
import io.shredder.backup.server.reader.ImageExtent;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.backup.trial.TrialRun;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a snapshot at any offset is what was backed up, or an error. */
class SnapshotReaderIT {

    private static final long SEED = new Random().nextInt(1_000_000);
    private static final long SMALL_CACHE = ReaderOptions.LEAST_CACHE_BYTES;
    private static final String CONTAINER = "containers/00000/00000001.container";

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        System.out.println("seed " + SEED);
        sites = new Sites(folder);
        sites.startAgent();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private void backUp(Path image, String... options) {
        List<String> words = new ArrayList<>(List.of("backup", image.toString(), "--name", "vm"));
        words.addAll(List.of(options));
        Sites.Result result = sites.here(words.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--private-lists", "--avg=4k", "--avg=256k"})
    void anyReadGivesWhatWasBackedUpAndHolesAreSeen(String option) throws IOException {
        Path image = OpenedImage.write(folder.resolve("image"), random);
        backUp(image, option);
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            assertThat(opened.reader().size()).isEqualTo(Files.size(image));
            for (int i = 0; i < 300; i++) {
                opened.checkRead(random);
            }
            opened.checkAll();
            List<ImageExtent> extents = opened.checkExtents();
            assertThat(extents.get(0).isHole()).isTrue();
            assertThat(extents.stream().filter(ImageExtent::isHole).count()).isGreaterThan(2);
            assertThat(opened.lines()).isEmpty();
        }
    }

    @Test
    void whatWasReadBeforeComesFromTheCacheAndReadsInOrderFindTheirBytesThere() throws IOException {
        Path image = folder.resolve("image");
        Sites.random(image, random, 8 << 20);
        backUp(image);
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            opened.checkAll();
            long received = opened.reader().figures().receivedBytes();
            for (int i = 0; i < 200; i++) {
                opened.checkRead(random);
            }
            // Signs of life are all that comes.
            assertThat(opened.reader().figures().receivedBytes() - received).isLessThan(1 << 16);
        }
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            for (int at = 0; at < 8 << 20; at += 4096) {
                assertThat(opened.read(at, 4096)).isEqualTo(Arrays.copyOfRange(opened.image(), at, at + 4096));
            }
            assertThat(opened.reader().figures().misses()).isLessThan(60);
        }
    }

    @Test
    void anEmptyImageAndOneByteAreImages() throws IOException {
        Path image = Files.createFile(folder.resolve("image"));
        backUp(image);
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            assertThat(opened.reader().size()).isZero();
            assertThat(opened.read(0, 0)).isEmpty();
            assertThatThrownBy(() -> opened.read(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        Files.write(image, new byte[] {42});
        backUp(image);
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            assertThat(opened.read(0, 1)).containsExactly(42);
            assertThat(opened.checkExtents()).containsExactly(new ImageExtent(0, 1, false));
        }
    }

    @Test
    void anAgentThatIsKilledAgainAndAgainOnlyTakesTime() throws Exception {
        Path image = folder.resolve("image");
        Sites.random(image, random, 2 * SMALL_CACHE);
        backUp(image);
        sites.stayAtPort();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicBoolean ends = new AtomicBoolean();
        int kills = LongTests.askedFor() ? 20 : 4;
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Random own = new Random(SEED + i);
                readers.add(threads.submit(() -> {
                    while (!ends.get()) {
                        opened.checkRead(own);
                    }
                    return null;
                }));
            }
            for (int i = 0; i < kills; i++) {
                sites.killAgent();
                sites.startAgent();
                int back = i;
                TrialRun.await(
                        "the reader", 60_000, () -> opened.reader().figures().reconnections() > back);
            }
            ends.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
            assertThat(opened.reader().figures().reconnections()).isPositive();
            opened.checkAll();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void damageHurtsTheBytesThatItIsUnderAndNoOthers() throws IOException {
        Path image = folder.resolve("image");
        Sites.random(image, random, 3 << 20);
        backUp(image);
        sites.stopAgent();
        Path container = sites.repository().resolve(CONTAINER);
        byte[] bytes = Files.readAllBytes(container);
        bytes[bytes.length / 2] ^= 8;
        Files.write(container, bytes);
        sites.startAgent();
        try (OpenedImage opened = new OpenedImage(sites, "vm", image, SMALL_CACHE)) {
            DamagedRangeException bad = catchThrowableOfType(DamagedRangeException.class, () -> opened.reader()
                    .read(0, ByteBuffer.allocate(opened.image().length)));
            int from = (int) bad.offset();
            assertThat(bad).hasMessageContaining("vm@1: bytes " + from + " to ").hasMessageContaining(CONTAINER);
            assertThat(opened.read(0, from)).isEqualTo(Arrays.copyOf(opened.image(), from));
            int unread = 0;
            for (int at = from; at < opened.image().length; at++) {
                if (at % 512 != 0) {
                    continue;
                }
                try {
                    int count = Math.min(512, opened.image().length - at);
                    assertThat(opened.read(at, count)).isEqualTo(Arrays.copyOfRange(opened.image(), at, at + count));
                } catch (DamagedRangeException e) {
                    unread += 512;
                }
            }
            assertThat(unread).as("a region at most").isBetween(512, (256 << 10) + 1024);
            assertThat(opened.lines()).isNotEmpty().allMatch(line -> line.contains(CONTAINER + ": damaged at offset "));
            assertThat(opened.lines()).doesNotHaveDuplicates();
        }
    }
}
