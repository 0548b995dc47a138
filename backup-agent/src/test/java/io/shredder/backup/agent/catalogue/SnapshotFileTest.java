// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFileTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_763_692_800_123L);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName NAME = new SnapshotName("vm");
    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(4096);

    @TempDir
    private Path root;

    private Catalogue catalogue;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(root.resolve("snapshots"));
        Files.createDirectories(root.resolve("incoming"));
        catalogue =
                Catalogue.open(root.resolve("snapshots"), root.resolve("incoming"), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static List<ChunkRef> refs(int count) {
        List<ChunkRef> refs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            refs.add(
                    new ChunkRef(100 + i, Fingerprint.ofData(ByteBuffer.wrap(new byte[] {(byte) i, (byte) (i >> 8)}))));
        }
        return refs;
    }

    private SnapshotInfo commit(SnapshotName namespace, SnapshotName name, List<ChunkRef> refs) throws IOException {
        try (SnapshotDraft draft = catalogue.begin(namespace, name, PARAMS)) {
            draft.append(refs);
            return catalogue.publish(draft, draft.finishDigest());
        }
    }

    private Path file(long id) {
        return root.resolve(String.format("snapshots/site1/vm/%016d.snapshot", id));
    }

    private static void readWhole(Path file) throws IOException {
        try (SnapshotFile opened = SnapshotFile.open(file, "f")) {
            opened.checkContent();
        }
    }

    @Test
    void aCommittedSnapshotReadsBackAsItWasWritten() throws IOException {
        List<ChunkRef> refs = refs(9000);
        SnapshotInfo info = commit(SITE, NAME, refs);
        assertThat(info.id()).isEqualTo(1);
        assertThat(info.received()).isEqualTo(NOW);
        assertThat(info.imageBytes())
                .isEqualTo(refs.stream().mapToLong(ChunkRef::length).sum());
        try (SnapshotFile opened = catalogue.open(SITE, 1).orElseThrow()) {
            opened.checkContent();
            assertThat(opened.info()).isEqualTo(info);
            assertThat(opened.namespace()).isEqualTo(SITE);
            assertThat(opened.refs(0, 10_000)).isEqualTo(refs);
            assertThat(opened.refs(8990, 100)).isEqualTo(refs.subList(8990, 9000));
            assertThat(opened.refs(9000, 1)).isEmpty();
            assertThat(opened.refs(Long.MAX_VALUE, 1)).isEmpty();
        }
    }

    @Test
    void aSnapshotOfAnEmptyImageHasNoPointers() throws IOException {
        commit(SITE, NAME, List.of());
        try (SnapshotFile opened = catalogue.open(SITE, 1).orElseThrow()) {
            opened.checkContent();
            assertThat(opened.info().imageBytes()).isZero();
            assertThat(opened.refs(0, 10)).isEmpty();
        }
    }

    @Test
    void theFileHasExactlyTheDocumentedBytes() throws IOException {
        commit(SITE, NAME, refs(2));
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file(1)));
        int head = 16 + 56 + 2 + 5 + 2 + 2 + 4;
        assertThat(bytes.capacity()).isEqualTo(head + 2 * 36 + 76);
        assertThat(new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("SHRDSNAP");
        assertThat(bytes.getShort(8)).isEqualTo((short) 1);
        assertThat(bytes.getInt(12)).isEqualTo(head);
        assertThat(new String(bytes.array(), 72, 11, StandardCharsets.US_ASCII)).isEqualTo("\0\5site1\0\2vm");
        assertThat(bytes.getInt(head)).isEqualTo(100);
        int trailer = head + 72;
        assertThat(new String(bytes.array(), trailer, 8, StandardCharsets.US_ASCII))
                .isEqualTo("SNAPEND!");
        assertThat(bytes.getLong(trailer + 8)).isEqualTo(1);
        assertThat(bytes.getLong(trailer + 16)).isEqualTo(NOW.toEpochMilli());
        assertThat(bytes.getLong(trailer + 24)).isEqualTo(201);
        assertThat(bytes.getLong(trailer + 32)).isEqualTo(2);
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        commit(SITE, NAME, refs(3));
        byte[] good = Files.readAllBytes(file(1));
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(1), bad);
            assertThatThrownBy(() -> readWhole(file(1)))
                    .as("bit " + bit)
                    .isInstanceOfSatisfying(DamagedDataException.class, e -> assertThat(e.offset())
                            .isBetween(0L, (long) good.length));
        }
    }

    @Test
    void everyTruncationIsFound() throws IOException {
        commit(SITE, NAME, refs(3));
        byte[] good = Files.readAllBytes(file(1));
        for (int length = 0; length < good.length; length++) {
            Files.write(file(1), Arrays.copyOf(good, length));
            assertThatThrownBy(() -> readWhole(file(1)))
                    .as("cut to " + length)
                    .isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void randomBytesNeverDoMoreThanFailWithAnOffset() throws IOException {
        Random random = new Random(Samples.seed());
        commit(SITE, NAME, refs(3));
        byte[] good = Files.readAllBytes(file(1));
        for (int round = 0; round < 3000; round++) {
            byte[] bad = round % 3 == 0 ? Samples.randomBytes(random, random.nextInt(300)) : good.clone();
            for (int i = random.nextInt(5); i >= 0 && bad.length > 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            Files.write(file(1), bad);
            if (!Arrays.equals(bad, good)) {
                assertThatThrownBy(() -> readWhole(file(1))).isInstanceOf(DamagedDataException.class);
            }
        }
    }

    @Test
    void anUnpublishedDraftLeavesNothing() throws IOException {
        try (SnapshotDraft draft = catalogue.begin(SITE, NAME, PARAMS)) {
            draft.append(refs(5));
            assertThat(root.resolve("incoming")).isNotEmptyDirectory();
        }
        assertThat(root.resolve("incoming")).isEmptyDirectory();
        assertThat(catalogue.list(SITE, 0)).isEmpty();
    }

    @Test
    void whatACrashLeftInIncomingIsDeletedWhenReopened() throws IOException {
        Files.writeString(root.resolve("incoming/draft-1"), "half");
        open();
        assertThat(root.resolve("incoming")).isEmptyDirectory();
    }

    @Test
    void idsGoOnAfterReopeningAndClientsSeeOnlyTheirOwn() throws IOException {
        commit(SITE, NAME, refs(1));
        commit(new SnapshotName("site2"), NAME, refs(2));
        open();
        assertThat(commit(SITE, new SnapshotName("other"), refs(3)).id()).isEqualTo(3);
        assertThat(catalogue.list(SITE, 0).keySet()).containsExactly(1L, 3L);
        assertThat(catalogue.list(SITE, 1).keySet()).containsExactly(3L);
        assertThat(catalogue.open(SITE, 2)).isEmpty();
        try (SnapshotFile foreign = catalogue.open(2).orElseThrow()) {
            assertThat(foreign.namespace()).isEqualTo(new SnapshotName("site2"));
        }
    }

    @Test
    void anIdIsNeverGivenTwiceAlsoIfPublishingFailed() throws IOException {
        commit(SITE, NAME, refs(1));
        Files.writeString(root.resolve("snapshots/site1/blocked"), "a file where a folder is to be made");
        assertThatThrownBy(() -> commit(SITE, new SnapshotName("blocked"), refs(1)))
                .isInstanceOf(IOException.class);
        assertThat(commit(SITE, NAME, refs(1)).id()).isEqualTo(3);
    }

    @Test
    void aFileMovedToAnotherPlaceIsRefused() throws IOException {
        commit(SITE, NAME, refs(1));
        Files.move(file(1), file(9));
        open();
        assertThatThrownBy(() -> catalogue.open(SITE, 9)).hasMessageContaining("holds snapshot 1 of site1/vm");
    }

    @Test
    void aFileThatIsNoSnapshotIsNamed() throws IOException {
        Files.createDirectories(root.resolve("snapshots/site1/vm"));
        Files.writeString(root.resolve("snapshots/site1/vm/notes.txt"), "x");
        assertThatThrownBy(this::open).hasMessageContaining("snapshots/site1/vm/notes.txt");
    }
}
