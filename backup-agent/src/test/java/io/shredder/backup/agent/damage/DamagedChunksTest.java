// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.IndexKeyFile;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedChunksTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int COUNT = 5;

    @TempDir
    private Path folder;

    private Path file;
    private FingerprintIndex index;

    @BeforeEach
    void prepare() throws IOException {
        file = folder.resolve("damaged");
        Path indexFolder = Files.createDirectory(folder.resolve("index"));
        LogStructuredIndex.create(indexFolder, REPOSITORY, IndexKeyFile.create(folder.resolve("key")));
        index = LogStructuredIndex.open(indexFolder, REPOSITORY, IndexKeyFile.read(folder.resolve("key")));
        for (int i = 0; i < COUNT; i++) {
            index.put(chunk(i), place(i));
        }
    }

    @AfterEach
    void close() throws IOException {
        index.close();
    }

    private static Fingerprint chunk(int number) {
        return Fingerprint.ofData(ByteBuffer.wrap(new byte[] {(byte) number}));
    }

    private static ChunkLocation place(int number) {
        return new ChunkLocation(7, 64 + 1000 * number, 130, 100);
    }

    private DamagedChunks open() throws IOException {
        return DamagedChunks.open(file, REPOSITORY, index);
    }

    private void noteAll() throws IOException {
        try (DamagedChunks damaged = open()) {
            for (int i = 0; i < COUNT; i++) {
                damaged.add(chunk(i), place(i));
                damaged.add(chunk(i), place(i));
            }
        }
    }

    @Test
    void whatWasNotedIsKnownAgainAndThereIsNoFileBefore() throws IOException {
        try (DamagedChunks none = open()) {
            assertThat(none.size()).isZero();
        }
        assertThat(file).doesNotExist();
        noteAll();
        assertThat(Files.size(file)).isEqualTo(64 + 52 * COUNT);
        try (DamagedChunks damaged = open()) {
            assertThat(damaged.size()).isEqualTo(COUNT);
            assertThat(damaged.contains(chunk(3), place(3))).isTrue();
            assertThat(damaged.contains(chunk(3), place(4))).isFalse();
            assertThat(damaged.contains(chunk(9), place(3))).isFalse();
        }
    }

    @Test
    void theBytesAreThoseOfTheDocument() throws IOException {
        try (DamagedChunks damaged = open()) {
            damaged.add(chunk(2), place(2));
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        assertThat(new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("SHRDDAMG");
        assertThat(Fingerprint.read(bytes.position(64))).isEqualTo(chunk(2));
        assertThat(new int[] {bytes.getInt(96), bytes.getInt(100), bytes.getInt(104), bytes.getInt(108)})
                .containsExactly(7, 2064, 130, 100);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes.slice(64, 48));
        assertThat(bytes.getInt(112)).isEqualTo((int) crc.getValue());
    }

    @Test
    void aChunkThatIsElsewhereOrGoneIsNoLongerKnown() throws IOException {
        noteAll();
        index.put(chunk(0), place(9));
        index.remove(chunk(1));
        try (DamagedChunks damaged = open()) {
            assertThat(damaged.size()).isEqualTo(COUNT - 2);
            assertThat(Files.size(file)).isEqualTo(64 + 52 * (COUNT - 2));
            for (int i = 2; i < COUNT; i++) {
                damaged.forget(chunk(i));
                index.put(chunk(i), place(i + 10));
            }
            assertThat(damaged.size()).isZero();
        }
        try (DamagedChunks none = open()) {
            assertThat(none.size()).isZero();
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void aTornRecordIsDroppedAndTheNextOneTakesItsPlace() throws IOException {
        noteAll();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 20));
        try (DamagedChunks damaged = open()) {
            assertThat(damaged.size()).isEqualTo(COUNT - 1);
        }
        Files.write(file, new byte[20], StandardOpenOption.APPEND);
        try (DamagedChunks damaged = open()) {
            damaged.add(chunk(COUNT - 1), place(COUNT - 1));
        }
        assertThat(Files.readAllBytes(file)).hasSize(whole.length);
        try (DamagedChunks damaged = open()) {
            assertThat(damaged.size()).isEqualTo(COUNT);
        }
    }

    @Test
    void aFlippedBitCostsItsRecordAloneOrInTheHeaderAll() throws IOException {
        noteAll();
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(Samples.seed());
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, flipped);
            try (DamagedChunks damaged = open()) {
                assertThat(damaged.size()).as("flipped at " + at).isEqualTo(at < 64 ? 0 : COUNT - 1);
            }
        }
    }
}
