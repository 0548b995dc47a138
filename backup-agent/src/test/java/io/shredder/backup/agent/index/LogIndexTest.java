// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LogIndexTest extends FingerprintIndexContract {

    private static final UUID REPOSITORY = new UUID(1, 2);

    @Override
    protected void create(Path in) throws IOException {
        LogIndex.create(in.resolve("index.log"), REPOSITORY);
    }

    @Override
    protected FingerprintIndex open(Path in) throws IOException {
        return LogIndex.open(in.resolve("index.log"), REPOSITORY);
    }

    @Override
    protected Path crash(Path in) throws IOException {
        Path copy = Files.createTempDirectory(folder, "crash");
        Files.copy(in.resolve("index.log"), copy.resolve("index.log"));
        return copy;
    }

    /** Three batches of 2, 3 and 1 entries; returns where each batch ends. */
    private long[] threeBatches() throws IOException {
        create(folder);
        long[] ends = new long[4];
        ends[0] = 64;
        int number = 0;
        try (FingerprintIndex index = open(folder)) {
            for (int batch = 1; batch <= 3; batch++) {
                for (int entries = new int[] {2, 3, 1}[batch - 1]; entries > 0; entries--) {
                    index.put(fingerprint(number), location(number));
                    number++;
                }
                index.commit(new ContainerPosition(1, 1000 * batch));
                ends[batch] = Files.size(folder.resolve("index.log"));
            }
        }
        return ends;
    }

    private Path damaged(byte[] bytes) throws IOException {
        Path copy = Files.createTempDirectory(folder, "damaged");
        Files.write(copy.resolve("index.log"), bytes);
        return copy;
    }

    @Test
    void theLogHasExactlyTheDocumentedBytes() throws IOException {
        long[] ends = threeBatches();
        byte[] log = Files.readAllBytes(folder.resolve("index.log"));
        assertThat(ends).containsExactly(64, 64 + 24 + 2 * 48, 64 + 2 * 24 + 5 * 48, 64 + 3 * 24 + 6 * 48);
        assertThat(HexFormat.of().formatHex(log, 0, 32))
                .isEqualTo("5348524449" + "4e4458" + "0002" + "0000" + "00000000" + "0000000000000001"
                        + "0000000000000002");
        assertThat(HexFormat.of().formatHex(log, 64, 80)).isEqualTo("49424154" + "00000002" + "00000001" + "000003e8");
        assertThat(HexFormat.of().formatHex(log, 84 + 32, 84 + 48))
                .isEqualTo("00000001" + "00000040" + "00000064" + "000000c8");
    }

    @Test
    void aLogCutAnywhereKeepsItsWholeBatches() throws IOException {
        long[] ends = threeBatches();
        byte[] log = Files.readAllBytes(folder.resolve("index.log"));
        for (int length = 64; length <= log.length; length++) {
            int whole = 0;
            while (whole < 3 && ends[whole + 1] <= length) {
                whole++;
            }
            Path cut = damaged(Arrays.copyOf(log, length));
            try (FingerprintIndex index = open(cut)) {
                assertThat(index.size()).as("cut to " + length).isEqualTo(new int[] {0, 2, 5, 6}[whole]);
                assertThat(index.covered().offset()).isEqualTo(1000 * whole);
                index.put(fingerprint(77), location(77));
                index.commit(new ContainerPosition(1, 9000));
            }
            try (FingerprintIndex index = open(cut)) {
                assertThat(index.find(fingerprint(77))).contains(location(77));
            }
        }
    }

    @Test
    void aLogWithoutItsWholeHeaderIsRefused() throws IOException {
        threeBatches();
        byte[] log = Files.readAllBytes(folder.resolve("index.log"));
        for (int length = 0; length < 64; length++) {
            Path cut = damaged(Arrays.copyOf(log, length));
            assertThatThrownBy(() -> open(cut)).isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void everyFlippedByteIsRefusedOrOnlyLosesTheLastBatch() throws IOException {
        long[] ends = threeBatches();
        byte[] log = Files.readAllBytes(folder.resolve("index.log"));
        for (int at = 0; at < log.length; at++) {
            byte[] flipped = log.clone();
            flipped[at] ^= 0x40;
            Path copy = damaged(flipped);
            if (at < ends[2]) {
                assertThatThrownBy(() -> open(copy))
                        .as("flip at " + at)
                        .isInstanceOfSatisfying(DamagedDataException.class, e -> assertThat(e.source())
                                .isEqualTo("index/index.log"));
            } else {
                try (FingerprintIndex index = open(copy)) {
                    assertThat(index.size()).as("flip at " + at).isEqualTo(5);
                    assertThat(index.covered().offset()).isEqualTo(2000);
                }
            }
        }
    }

    @Test
    void aCommitOfMoreThanOneBatchIsReplayedWhole() throws IOException {
        create(folder);
        int count = IndexBatch.MAX_ENTRIES + 10;
        try (FingerprintIndex index = open(folder)) {
            for (int i = 0; i < count; i++) {
                index.put(fingerprint(i), location(1));
            }
            index.commit(new ContainerPosition(3, 4));
        }
        try (FingerprintIndex index = open(folder)) {
            assertThat(index.size()).isEqualTo(count);
            assertThat(index.covered()).isEqualTo(new ContainerPosition(3, 4));
        }
        byte[] log = Files.readAllBytes(folder.resolve("index.log"));
        try (FingerprintIndex index = open(damaged(Arrays.copyOf(log, log.length - 1)))) {
            assertThat(index.size()).isEqualTo(IndexBatch.MAX_ENTRIES);
            assertThat(index.covered()).isEqualTo(ContainerPosition.START);
        }
    }

    @Test
    void anotherRepositorysLogIsRefused() throws IOException {
        create(folder);
        assertThatThrownBy(() -> LogIndex.open(folder.resolve("index.log"), new UUID(3, 4)))
                .hasMessageContaining("it belongs to repository");
    }

    @Test
    void randomBytesBehindTheHeaderNeverCrashTheReader() throws IOException {
        Random random = new Random(Samples.seed());
        create(folder);
        byte[] header = Files.readAllBytes(folder.resolve("index.log"));
        for (int round = 0; round < 500; round++) {
            byte[] log = Arrays.copyOf(header, 64 + random.nextInt(500));
            byte[] tail = Samples.randomBytes(random, log.length - 64);
            System.arraycopy(tail, 0, log, 64, tail.length);
            if (tail.length > 8 && round % 2 == 0) {
                System.arraycopy("IBAT".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, log, 64, 4);
            }
            try (FingerprintIndex index = open(damaged(log))) {
                assertThat(index.size()).isZero();
            }
        }
    }
}
