// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions that are read and digested together: which of them are whole. */
class NearRegionsTest {

    private static final int CONTAINER_BYTES = 64 << 20;

    @TempDir
    private Path root;

    private final Random random = new Random(Samples.seed());
    private final List<List<ContainerHeads.Entry>> written = new ArrayList<>();
    private ContainerFolder folder;
    private Path file;

    @BeforeEach
    void begin() {
        folder = new ContainerFolder(new LocalStorage(root), new UUID(1, 2));
        file = root.resolve(folder.name(1));
    }

    private void write(List<StoredRegion> regions) throws IOException {
        try (ContainerWriters writers = new ContainerWriters(folder, CONTAINER_BYTES, ContainerPosition.START)) {
            for (StoredRegion region : regions) {
                OpenContainer container = writers.take(region).orElseThrow();
                List<ContainerHeads.Entry> entries = new ArrayList<>();
                container
                        .append(region, false)
                        .forEach((chunk, at) -> entries.add(new ContainerHeads.Entry(chunk, at)));
                written.add(entries);
                writers.giveBack(container);
            }
        }
    }

    private void writeSome() throws IOException {
        write(Samples.inRegions(random, Samples.chunks(random, 120, 600)));
    }

    private static NearRegions all(List<List<ContainerHeads.Entry>> regions) {
        NearRegions near = new NearRegions();
        for (List<ContainerHeads.Entry> region : regions) {
            assertThat(near.add(region)).isTrue();
        }
        return near;
    }

    private BitSet whole(List<List<ContainerHeads.Entry>> regions) throws IOException {
        try (ContainerReader reader = new ContainerReader(folder)) {
            return reader.whole(all(regions));
        }
    }

    private BitSet allBut(int... regions) {
        BitSet expected = new BitSet();
        expected.set(0, written.size());
        Arrays.stream(regions).forEach(expected::clear);
        return expected;
    }

    private static int offset(List<ContainerHeads.Entry> region) {
        return region.get(0).location().offset();
    }

    private static int end(List<ContainerHeads.Entry> region) {
        return offset(region) + ContainerReader.recordBytes(region.get(0).location());
    }

    @Test
    void regionsThatWereWrittenAreWholeWhicheverOfTheirChunksAreAskedFor() throws IOException {
        writeSome();
        assertThat(whole(written)).isEqualTo(allBut());
        List<List<ContainerHeads.Entry>> some = new ArrayList<>();
        for (List<ContainerHeads.Entry> region : written) {
            some.add(List.of(region.get(random.nextInt(region.size()))));
        }
        assertThat(whole(some)).isEqualTo(allBut());
        assertThat(whole(List.of(written.get(7), written.get(9))).cardinality()).isEqualTo(2);
    }

    @InTurn(days = 3)
    @Test
    void aBitThatFlipsAnywhereInARecordMakesThatOneNotWhole() throws IOException {
        writeSome();
        byte[] bytes = Files.readAllBytes(file);
        int region = 3 + random.nextInt(5);
        for (int at = offset(written.get(region)); at < end(written.get(region)); at++) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            Files.write(file, flipped);
            assertThat(whole(written)).as("byte " + at).isEqualTo(allBut(region));
        }
    }

    @Test
    void ofAFileThatWasCutTheRecordsBeforeTheCutAreWhole() throws IOException {
        writeSome();
        byte[] bytes = Files.readAllBytes(file);
        int last = written.size() - 1;
        for (int length : new int[] {
            end(written.get(last)) - 1, end(written.get(5)), end(written.get(5)) - 1, end(written.get(5)) + 1
        }) {
            Files.write(file, Arrays.copyOf(bytes, length));
            BitSet expected = new BitSet();
            for (int i = 0; i <= last; i++) {
                expected.set(i, end(written.get(i)) <= length);
            }
            assertThat(whole(written)).as("cut to " + length).isEqualTo(expected);
        }
    }

    @Test
    void aPlaceThatTheIndexHasWrongIsNotWhole() throws IOException {
        writeSome();
        ContainerHeads.Entry right = written.get(4).get(0);
        ChunkLocation at = right.location();
        Fingerprint other = written.get(6).get(0).fingerprint();
        List<ContainerHeads.Entry> wrong = List.of(
                new ContainerHeads.Entry(other, at),
                new ContainerHeads.Entry(right.fingerprint(), moved(at, 1, 0)),
                new ContainerHeads.Entry(right.fingerprint(), moved(at, 0, 1)),
                new ContainerHeads.Entry(right.fingerprint(), moved(at, 0, -1)),
                new ContainerHeads.Entry(right.fingerprint(), moved(at, 0, Integer.MAX_VALUE - at.storedBytes())),
                new ContainerHeads.Entry(right.fingerprint(), moved(at, Integer.MAX_VALUE - at.offset(), 0)));
        for (ContainerHeads.Entry entry : wrong) {
            assertThat(whole(List.of(List.of(entry)))).as(entry.toString()).isEqualTo(new BitSet());
        }
        assertThat(whole(List.of(List.of(right, new ContainerHeads.Entry(other, at)))))
                .isEqualTo(new BitSet());
        assertThat(whole(List.of(List.of(right))).cardinality()).isEqualTo(1);
    }

    private static ChunkLocation moved(ChunkLocation at, int offset, int stored) {
        return new ChunkLocation(at.container(), at.offset() + offset, at.storedBytes() + stored, at.plainBytes());
    }

    @Test
    void whatIsReadTogetherIsBoundedButForASingleRegion() throws IOException {
        List<StoredRegion> regions = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int most = i % 9 == 5 ? 2 * NearRegions.MOST_BYTES - 90_000 : 90_000;
            regions.add(Samples.sealed(Samples.randomBytes(random, 1 + random.nextInt(most))));
        }
        write(regions);
        int groups = 0;
        try (ContainerReader reader = new ContainerReader(folder)) {
            for (int from = 0; from < written.size(); groups++) {
                NearRegions near = new NearRegions();
                int to = from;
                while (to < written.size() && near.add(written.get(to))) {
                    to++;
                }
                assertThat(near.bytes() <= NearRegions.MOST_BYTES || to == from + 1)
                        .isTrue();
                assertThat(reader.whole(near).cardinality()).isEqualTo(to - from);
                from = to;
            }
        }
        assertThat(groups).isBetween(3, 40);
    }

    @Test
    void whatLiesFarApartOrInAnotherContainerOrBeforeIsNotNear() {
        NearRegions near = new NearRegions();
        Fingerprint any =
                Fingerprint.ofData(Samples.sealed(new byte[9]).stored().view());
        ChunkLocation at = new ChunkLocation(1, 1000, 5000, 5000);
        assertThat(near.add(List.of(new ContainerHeads.Entry(any, at)))).isTrue();
        for (ChunkLocation far : List.of(
                new ChunkLocation(2, 7000, 10, 10),
                new ChunkLocation(1, 1000, 5000, 5000),
                new ChunkLocation(1, 5000, 10, 10),
                new ChunkLocation(1, 100_000, 10, 10),
                new ChunkLocation(1, 7000, NearRegions.MOST_BYTES, 10))) {
            assertThat(near.add(List.of(new ContainerHeads.Entry(any, far)))).isFalse();
        }
        assertThat(near.add(List.of(new ContainerHeads.Entry(any, new ChunkLocation(1, 7000, 10, 10)))))
                .isTrue();
    }
}
