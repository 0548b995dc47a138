// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerScanTest {

    private static final int HEADS_BYTES = 84 + 2 * 36;

    @TempDir
    private Path root;

    private final StoredRegion single = Samples.sealed(Samples.text(new Random(2), 90));
    private final StoredRegion three = Samples.together(Samples.chunks(new Random(1), 3, 100));
    private ContainerFolder folder;
    private Path file;
    private byte[] whole;
    private int lastAt;

    @BeforeEach
    void write() throws IOException {
        folder = new ContainerFolder(new LocalStorage(root), new UUID(1, 2));
        try (ContainerWriters writers = new ContainerWriters(folder, 5000, ContainerPosition.START)) {
            OpenContainer container = writers.take(single).orElseThrow();
            container.append(single, false);
            lastAt = container.end().offset();
            container.append(three, false);
        }
        file = root.resolve(folder.name(1));
        whole = Files.readAllBytes(file);
    }

    private static List<Fingerprint> keysOf(List<Map<Fingerprint, ChunkLocation>> records) {
        return records.stream().flatMap(record -> record.keySet().stream()).toList();
    }

    @Test
    void aScanAndTheHeadsAloneTellTheSameOfEachChunk() throws IOException {
        List<Map<Fingerprint, ChunkLocation>> records = new ArrayList<>();
        assertThat(new ContainerScan(folder, 1).scanAll(records::add).damage()).isNull();
        assertThat(records).hasSize(2);
        assertThat(keysOf(records))
                .isEqualTo(Samples.inRegions(List.of(2), List.of(single, three))
                        .get(0)
                        .fingerprints());
        List<ContainerHeads.Entry> heads = ContainerHeads.read(folder, 1);
        assertThat(heads).hasSize(4);
        for (ContainerHeads.Entry head : heads) {
            Map<Fingerprint, ChunkLocation> record = records.get(head.location().offset() == 64 ? 0 : 1);
            assertThat(record).containsEntry(head.fingerprint(), head.location());
        }
    }

    @Test
    void aRecordThatIsCutAnywhereIsTorn() throws IOException {
        for (int length = lastAt + 1; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            List<Map<Fingerprint, ChunkLocation>> records = new ArrayList<>();
            ContainerScan.Result result = new ContainerScan(folder, 1).scanAll(records::add);
            assertThat(result.isTorn(length)).as("cut to " + length).isTrue();
            assertThat(result.end()).isEqualTo(lastAt);
            assertThat(keysOf(records)).isEqualTo(single.fingerprints());
        }
    }

    @Test
    void noFlippedBitOfTheLastHeadLooksLikeAWriterThatDied() throws IOException {
        for (int bit = 0; bit < Byte.SIZE * HEADS_BYTES; bit++) {
            byte[] flipped = whole.clone();
            flipped[lastAt + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, flipped);
            ContainerScan.Result result = new ContainerScan(folder, 1).scanAll(region -> {});
            assertThat(result.damage()).as("bit " + bit).isNotNull();
            assertThat(result.isTorn(whole.length)).as("bit " + bit).isFalse();
        }
    }

    @Test
    void damageInWhatIsSealedNamesAllChunksOfItsRecordAndTheNextOnesAreRead() throws IOException {
        whole[lastAt - 1] ^= 1;
        whole[whole.length - 1] ^= 1;
        Files.write(file, whole);
        List<Set<Fingerprint>> damaged = new ArrayList<>();
        ContainerScan.Result result = new ContainerScan(folder, 1).scanAll(new ContainerScan.Visitor() {
            @Override
            public void region(Map<Fingerprint, ChunkLocation> chunks) {
                throw new AssertionError("whole: " + chunks);
            }

            @Override
            public void damaged(Set<Fingerprint> chunks, DamagedDataException damage) {
                damaged.add(chunks);
            }
        });
        assertThat(result.damage()).isNull();
        assertThat(damaged).containsExactly(Set.copyOf(single.fingerprints()), Set.copyOf(three.fingerprints()));
    }
}
