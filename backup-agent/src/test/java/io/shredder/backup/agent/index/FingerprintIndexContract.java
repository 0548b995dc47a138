// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every index must do, whatever it is made of. */
public abstract class FingerprintIndexContract {

    @TempDir
    protected Path folder;

    /** Makes an empty index in the folder. */
    protected abstract void create(Path in) throws IOException;

    /** Opens the index in the folder, as it was left. */
    protected abstract FingerprintIndex open(Path in) throws IOException;

    /** Copies the folder as a crash would leave it: all that was written, with nothing closed. */
    protected abstract Path crash(Path in) throws IOException;

    static Fingerprint fingerprint(long number) {
        return Fingerprint.ofData(ByteBuffer.allocate(8).putLong(0, number));
    }

    static ChunkLocation location(int number) {
        return new ChunkLocation(1 + number / 1000, 64 + number, 100 + number, 200 + number);
    }

    @Test
    void anEmptyIndexFindsNothingAndCoversNothing() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            assertThat(index.find(fingerprint(1))).isEmpty();
            assertThat(index.size()).isZero();
            assertThat(index.covered()).isEqualTo(ContainerPosition.START);
        }
    }

    @Test
    void whatIsPutIsFoundAtOnce() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            index.put(fingerprint(1), location(1));
            assertThat(index.find(fingerprint(1))).contains(location(1));
            assertThat(index.find(fingerprint(2))).isEmpty();
            assertThat(index.size()).isEqualTo(1);
        }
    }

    @Test
    void batchedLookUpsAnswerInTheOrderOfTheQuestions() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            index.put(fingerprint(1), location(1));
            index.put(fingerprint(3), location(3));
            assertThat(index.findAll(List.of(fingerprint(3), fingerprint(2), fingerprint(1), fingerprint(3))))
                    .containsExactly(
                            Optional.of(location(3)),
                            Optional.empty(),
                            Optional.of(location(1)),
                            Optional.of(location(3)));
            assertThat(index.findAll(List.of())).isEmpty();
        }
    }

    @Test
    void aLaterPutReplacesAnEarlierOne() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            index.put(fingerprint(1), location(1));
            index.commit(new ContainerPosition(1, 100));
            index.put(fingerprint(1), location(2));
            index.commit(new ContainerPosition(1, 200));
        }
        try (FingerprintIndex index = open(folder)) {
            assertThat(index.find(fingerprint(1))).contains(location(2));
            assertThat(index.size()).isEqualTo(1);
        }
    }

    @Test
    void whatIsRemovedIsGoneAtOnceAndStaysGoneAndMayComeBack() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            index.put(fingerprint(1), location(1));
            index.put(fingerprint(2), location(2));
            index.commit(new ContainerPosition(1, 100));
            index.remove(fingerprint(1));
            index.remove(fingerprint(3));
            assertThat(index.find(fingerprint(1))).isEmpty();
            assertThat(index.findAll(List.of(fingerprint(1), fingerprint(2))))
                    .containsExactly(Optional.empty(), Optional.of(location(2)));
            assertThat(index.size()).isEqualTo(1);
            try (FingerprintIndex uncommitted = open(crash(folder))) {
                assertThat(uncommitted.find(fingerprint(1))).contains(location(1));
            }
            index.commit(new ContainerPosition(1, 100));
        }
        try (FingerprintIndex index = open(folder)) {
            assertThat(index.find(fingerprint(1))).isEmpty();
            index.put(fingerprint(1), location(7));
            assertThat(index.find(fingerprint(1))).contains(location(7));
        }
    }

    @Test
    void whatIsCommittedSurvivesACrashAndWhatIsNotDoesNot() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            index.put(fingerprint(1), location(1));
            index.commit(new ContainerPosition(1, 500));
            index.put(fingerprint(2), location(2));
            try (FingerprintIndex after = open(crash(folder))) {
                assertThat(after.find(fingerprint(1))).contains(location(1));
                assertThat(after.find(fingerprint(2))).isEmpty();
                assertThat(after.covered()).isEqualTo(new ContainerPosition(1, 500));
            }
        }
    }

    @Test
    void whatIsPutAfterACommitHasBegunIsNotPartOfItButOfTheNext() throws IOException {
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            index.put(fingerprint(1), location(1));
            FingerprintIndex.Commit begun = index.beginCommit();
            index.put(fingerprint(2), location(2));
            index.remove(fingerprint(1));
            begun.finish(new ContainerPosition(1, 500));
            assertThat(index.find(fingerprint(1))).isEmpty();
            assertThat(index.find(fingerprint(2))).contains(location(2));
            try (FingerprintIndex after = open(crash(folder))) {
                assertThat(after.find(fingerprint(1))).contains(location(1));
                assertThat(after.find(fingerprint(2))).isEmpty();
                assertThat(after.covered()).isEqualTo(new ContainerPosition(1, 500));
                assertThat(after.size()).isEqualTo(1);
            }
        }
    }

    @Test
    void aRandomHistoryOfPutsRemovalsCommitsAndCrashesAlwaysEqualsAMap() throws IOException {
        Random random = new Random(Samples.seed());
        create(folder);
        Map<Fingerprint, ChunkLocation> committed = new HashMap<>();
        Path at = folder;
        int covered = 0;
        for (int crash = 0; crash < 20; crash++) {
            try (FingerprintIndex index = open(at)) {
                Map<Fingerprint, ChunkLocation> seen = new HashMap<>();
                index.forEach(seen::put);
                assertThat(seen).isEqualTo(committed);
                assertThat(index.covered().offset()).isEqualTo(covered);
                Map<Fingerprint, ChunkLocation> put = new HashMap<>(committed);
                FingerprintIndex.Commit begun = null;
                Map<Fingerprint, ChunkLocation> begunWith = Map.of();
                for (int i = random.nextInt(300); i > 0; i--) {
                    int number = random.nextInt(500);
                    if (random.nextInt(4) == 0) {
                        put.remove(fingerprint(number));
                        index.remove(fingerprint(number));
                    } else {
                        put.put(fingerprint(number), location(number + crash));
                        index.put(fingerprint(number), location(number + crash));
                    }
                    if (begun == null && random.nextInt(20) == 0) {
                        begun = index.beginCommit();
                        begunWith = new HashMap<>(put);
                    } else if (begun != null && random.nextInt(10) == 0) {
                        begun = null; // As if what it was to cover could not be forced.
                    } else if (begun != null && random.nextInt(10) == 0) {
                        covered++;
                        begun.finish(new ContainerPosition(0, covered));
                        begun = null;
                        committed = begunWith;
                    }
                    assertThat(index.size()).isEqualTo(put.size());
                }
                at = crash(at);
            }
        }
    }

    @Test
    void partsOfAllFingerprintsVisitEachOnceTogether() throws IOException {
        Random random = new Random(Samples.seed());
        create(folder);
        try (FingerprintIndex index = open(folder)) {
            Map<Fingerprint, ChunkLocation> put = new HashMap<>();
            for (int i = 0; i < 3000; i++) {
                int number = random.nextInt(2000);
                put.put(fingerprint(number), location(i));
                index.put(fingerprint(number), location(i));
                if (random.nextInt(4) == 0) {
                    put.remove(fingerprint(number));
                    index.remove(fingerprint(number));
                }
                if (random.nextInt(200) == 0) {
                    index.commit(new ContainerPosition(1, i));
                }
            }
            for (int bits : new int[] {0, 1, 4, 7}) {
                Map<Fingerprint, ChunkLocation> seen = new HashMap<>();
                for (int number = 0; number < 1 << bits; number++) {
                    index.forEach(new KeyPart(number, bits), (fingerprint, location) -> assertThat(
                                    seen.put(fingerprint, location))
                            .isNull());
                }
                assertThat(seen).isEqualTo(put);
            }
        }
    }

    @Test
    void readersMayWorkBesideTheWriter() throws IOException {
        create(folder);
        int count = 5000;
        try (FingerprintIndex index = open(folder)) {
            AtomicInteger done = new AtomicInteger();
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(CompletableFuture.runAsync(() -> readUntil(index, done, count)));
            }
            for (int i = 0; i < count; i++) {
                index.put(fingerprint(i), location(i));
                done.set(i + 1);
                if (i % 1000 == 0) {
                    index.commit(new ContainerPosition(1, i));
                }
            }
            readers.forEach(CompletableFuture::join);
        }
    }

    private static void readUntil(FingerprintIndex index, AtomicInteger done, int count) {
        try {
            for (int known = 0; known < count; known = done.get()) {
                if (known > 0) {
                    assertThat(index.find(fingerprint(known - 1))).contains(location(known - 1));
                    assertThat(index.findAll(List.of(fingerprint(0), fingerprint(-1))))
                            .containsExactly(Optional.of(location(0)), Optional.empty());
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
