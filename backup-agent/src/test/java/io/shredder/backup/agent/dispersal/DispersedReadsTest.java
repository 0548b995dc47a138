// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.SlowHome;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read at the keepers when several readers, as a restore has, read one file. */
class DispersedReadsTest {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final int DATA = 4;
    private static final int GROUPS = 24;
    private static final int BYTES = GROUPS * DATA << 18;

    /** Not a part of a cell's length, so that pieces go across cells and groups. */
    private static final int PIECE = 200_000;

    private static final int READERS = 3;

    /** Half of what a group of each piece has. */
    private static final long MOST_OF_PIECES = 12L << 18;

    /** More of them, 10 ms apart, than a late opening takes. */
    private static final int LOOKS = 20;

    /** What is in the first group, of its own. */
    private static final int HEAD = 64;

    @TempDir
    private Path folder;

    private final ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(new Random(Samples.seed()), BYTES));
    private final List<SlowHome> homes = new ArrayList<>();
    private RemovableFolders folders;

    @BeforeEach
    void fill() throws IOException {
        folders = RemovableFolders.make(folder, DATA, 2);
        for (int i = 0; i < folders.count(); i++) {
            homes.add(new SlowHome(folders.keeper(i)));
        }
        try (DispersedStorage storage = open();
                AppendableFile file = storage.create(CONTAINER, all.slice(0, HEAD))) {
            file.append(all.slice(HEAD, BYTES - HEAD));
            file.force();
        }
    }

    private DispersedStorage open() throws IOException {
        return DispersedStorage.open(new DispersalConfig(DATA, 2, new ArrayList<>(homes)));
    }

    private long readBytes() {
        return homes.stream().mapToLong(SlowHome::readBytes).sum();
    }

    private void read(ReadableFile file, int at) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE, BYTES - at));
        file.readFully(piece, at);
        assertThat(piece.flip()).isEqualTo(all.slice(at, piece.remaining()));
    }

    /** Each takes the next piece, as whoever answers requests side by side does. */
    @Test
    void readersBesideOneAnotherReadEachCellOnce() throws Exception {
        try (DispersedStorage storage = open()) {
            readAll(storage);
            readAll(storage); // Of what was compiled a moment ago nothing is late.
            List<ReadableFile> files = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                files.add(storage.open(CONTAINER));
            }
            long before = readBytes();
            AtomicInteger next = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(READERS);
            List<Future<?>> running = new ArrayList<>();
            for (ReadableFile file : files) {
                running.add(threads.submit(() -> {
                    for (int at = next.getAndAdd(PIECE); at < BYTES; at = next.getAndAdd(PIECE)) {
                        read(file, at);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            threads.shutdown();
            assertThat(readBytes() - before).isBetween((long) BYTES, BYTES + BYTES / 5L); // One may be late for once.
            for (ReadableFile file : files) {
                file.close();
            }
        }
    }

    @Test
    void pieceSomewhereIsReadWithoutWhatIsAround() throws IOException {
        try (DispersedStorage storage = open()) {
            readAll(storage);
            readAll(storage); // Of what was compiled a moment ago nothing is late.
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 10 && least > MOST_OF_PIECES; i++) { // Others are asked on a busy machine.
                try (ReadableFile file = storage.open(CONTAINER)) {
                    long before = readBytes();
                    for (int group = 1; group < GROUPS; group += 4) {
                        read(file, HEAD + (group * DATA << 18));
                    }
                    least = Math.min(least, readBytes() - before);
                }
            }
            assertThat(least).isBetween(6L << 18, MOST_OF_PIECES);
        }
    }

    @Test
    void whoOpensFileThatNobodyReadsSeesWhatKeepersHaveNow() throws IOException {
        try (DispersedStorage storage = open()) {
            readAll(storage);
            assertThat(damagedPlaces(storage)).isZero();
            Path shard = folders.shardOf(0, "00000001.container");
            byte[] bytes = Files.readAllBytes(shard);
            bytes[bytes.length - 1] ^= 1;
            Files.write(shard, bytes);
            for (int i = 0; i < 10 && damagedPlaces(storage) == 0; i++) { // Others are asked on a busy machine.
                readAll(storage);
            }
            assertThat(damagedPlaces(storage)).isEqualTo(1);
        }
    }

    /** A keeper opens its shard late, so that readers and what reads ahead take note of it while the file is closed. */
    @Test
    void whatIsClosedWhileItIsReadAheadLeavesNothingOpen() throws Exception {
        try (DispersedStorage storage = open()) {
            homes.get(5).slow(Duration.ofMillis(30));
            for (int i = 0; i < 60; i++) {
                try (ReadableFile file = storage.open(CONTAINER)) {
                    for (int piece = 0; piece < 1 + i % 20; piece++) {
                        read(file, piece * PIECE);
                    }
                }
            }
            int closed =
                    0; // Looks one after the other: what is opened late is open for a moment, what is lost for ever.
            for (int i = 0; i < 500 && closed < LOOKS; i++) {
                Thread.sleep(10);
                closed = openShards() == 0 ? closed + 1 : 0;
            }
            assertThat(closed).isEqualTo(LOOKS);
        }
    }

    private long openShards() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(DispersedReadsTest::target)
                    .filter(file -> file.startsWith(folder.toString()) && file.contains("00000001.container"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // It was closed meanwhile.
        }
    }

    private void readAll(DispersedStorage storage) throws IOException {
        try (ReadableFile file = storage.open(CONTAINER)) {
            for (int at = 0; at < BYTES; at += PIECE) {
                read(file, at);
            }
        }
    }

    private static int damagedPlaces(DispersedStorage storage) throws IOException {
        return storage.keepersState().orElseThrow().keepers().stream()
                .mapToInt(keeper -> (int) keeper.damaged())
                .sum();
    }
}
