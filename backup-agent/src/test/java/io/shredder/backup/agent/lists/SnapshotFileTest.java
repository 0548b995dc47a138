// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
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
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFileTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_763_692_800_123L);
    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName NAME = new SnapshotName("vm");
    private static final SealedBytes SUMMARY = new SealedBytes("opaque".getBytes(StandardCharsets.US_ASCII));

    @TempDir
    private Path root;

    private Catalogue catalogue;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(root.resolve("incoming"));
        catalogue = Catalogue.open(new LocalStorage(root), root, REPOSITORY, true, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    /** Full pages and then one with the rest. */
    private static List<ListPage> pages(int pointers) {
        List<ListPage> pages = new ArrayList<>();
        for (int from = 0; from < pointers; from += ListPage.MAX_POINTERS) {
            List<Fingerprint> references = new ArrayList<>();
            for (int i = from; i < Math.min(pointers, from + ListPage.MAX_POINTERS); i++) {
                references.add(Fingerprint.ofData(ByteBuffer.wrap(new byte[] {(byte) i, (byte) (i >> 8)})));
            }
            pages.add(Samples.page(pages.size(), references));
        }
        return pages;
    }

    private SnapshotInfo commit(SnapshotName namespace, SnapshotName name, int pointers) throws IOException {
        try (SnapshotDraft draft = catalogue.begin(namespace, name, Samples.SEAL)) {
            for (ListPage page : pages(pointers)) {
                draft.append(page, 0);
            }
            return catalogue.publish(
                    draft, new SnapshotDraft.Contents(100L * pointers, pointers, draft.finishDigest(), SUMMARY));
        }
    }

    private Path file(long id) {
        return root.resolve(String.format("snapshots/site1/vm/%016d.snapshot", id));
    }

    private static void readWhole(Path file) throws IOException {
        LocalStorage storage = new LocalStorage(file.getParent());
        try (SnapshotFile opened =
                SnapshotFile.open(storage, String.valueOf(file.getFileName()), new PagePacks(storage, REPOSITORY))) {
            opened.checkContent();
        }
    }

    @Test
    void aCommittedSnapshotReadsBackAsItWasWritten() throws IOException {
        SnapshotInfo info = commit(SITE, NAME, 9000);
        assertThat(info.id()).isEqualTo(1);
        assertThat(info.received()).isEqualTo(NOW);
        assertThat(info.imageBytes()).isEqualTo(900_000);
        assertThat(info.seal()).isEqualTo(Samples.SEAL);
        assertThat(info.summary()).isEqualTo(SUMMARY);
        try (SnapshotFile opened = catalogue.open(SITE, 1).orElseThrow()) {
            opened.checkContent();
            assertThat(opened.info()).isEqualTo(info);
            assertThat(opened.namespace()).isEqualTo(SITE);
            assertThat(opened.pages()).isEqualTo(3);
            for (ListPage page : pages(9000)) {
                assertThat(opened.page(page.number())).isEqualTo(page);
            }
        }
    }

    @Test
    void aSnapshotOfAnEmptyImageHasNoPointers() throws IOException {
        commit(SITE, NAME, 0);
        try (SnapshotFile opened = catalogue.open(SITE, 1).orElseThrow()) {
            opened.checkContent();
            assertThat(opened.info().imageBytes()).isZero();
            assertThat(opened.pages()).isZero();
        }
    }

    @Test
    void theFileHasExactlyTheDocumentedBytes() throws IOException {
        commit(SITE, NAME, 2);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file(1)));
        int head = 16 + 32 + 2 + 5 + 2 + 2 + 4;
        int page = 12 + 2 * 32 + 2 * 6 + 16 + 4;
        assertThat(bytes.capacity()).isEqualTo(head + page + 8 + 86 + 6);
        assertThat(new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("SHRDSNAP");
        assertThat(bytes.getShort(8)).isEqualTo((short) 2);
        assertThat(bytes.getInt(12)).isEqualTo(head);
        assertThat(new String(bytes.array(), 48, 11, StandardCharsets.US_ASCII)).isEqualTo("\0\5site1\0\2vm");
        assertThat(bytes.getLong(16)).isEqualTo(1);
        assertThat(bytes.getLong(40)).isEqualTo(4);
        assertThat(bytes.getInt(head)).isZero();
        assertThat(bytes.getInt(head + 4)).isEqualTo(2);
        assertThat(bytes.getInt(head + 8)).isEqualTo(28);
        assertThat(bytes.getLong(head + page)).isEqualTo(head);
        int trailer = head + page + 8;
        assertThat(new String(bytes.array(), trailer, 8, StandardCharsets.US_ASCII))
                .isEqualTo("SNAPEND!");
        assertThat(bytes.getLong(trailer + 8)).isEqualTo(1);
        assertThat(bytes.getLong(trailer + 16)).isEqualTo(NOW.toEpochMilli());
        assertThat(bytes.getLong(trailer + 24)).isEqualTo(200);
        assertThat(bytes.getLong(trailer + 32)).isEqualTo(2);
        assertThat(bytes.getShort(trailer + 76)).isEqualTo((short) 6);
        assertThat(new String(bytes.array(), trailer + 78, 6, StandardCharsets.US_ASCII))
                .isEqualTo("opaque");
        assertThat(bytes.getInt(trailer + 84)).isEqualTo(92);
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        commit(SITE, NAME, 3);
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
        commit(SITE, NAME, 3);
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
        commit(SITE, NAME, 3);
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
        try (SnapshotDraft draft = catalogue.begin(SITE, NAME, Samples.SEAL)) {
            draft.append(pages(5).get(0), 0);
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
        commit(SITE, NAME, 1);
        commit(new SnapshotName("site2"), NAME, 2);
        open();
        assertThat(commit(SITE, new SnapshotName("other"), 3).id()).isEqualTo(3);
        assertThat(catalogue.list(SITE, 0).keySet()).containsExactly(1L, 3L);
        assertThat(catalogue.list(SITE, 1).keySet()).containsExactly(3L);
        assertThat(catalogue.open(SITE, 2)).isEmpty();
        try (SnapshotFile foreign = catalogue.open(2).orElseThrow()) {
            assertThat(foreign.namespace()).isEqualTo(new SnapshotName("site2"));
        }
    }

    @Test
    void anIdIsNeverGivenTwiceAlsoIfPublishingFailed() throws IOException {
        commit(SITE, NAME, 1);
        Files.writeString(root.resolve("snapshots/site1/blocked"), "a file where a folder is to be made");
        assertThatThrownBy(() -> commit(SITE, new SnapshotName("blocked"), 1)).isInstanceOf(IOException.class);
        assertThat(commit(SITE, NAME, 1).id()).isEqualTo(3);
    }

    @Test
    void aFileMovedToAnotherPlaceIsRefused() throws IOException {
        commit(SITE, NAME, 1);
        Files.move(file(1), file(9));
        open();
        assertThat(catalogue.open(SITE, 9)).isEmpty();
        assertThat(catalogue.problems())
                .anySatisfy(line -> assertThat(line).contains("9.snapshot", "nobody recorded"))
                .anySatisfy(line -> assertThat(line).contains("1.snapshot", "missing"));
    }

    @Test
    void aFileThatIsNoSnapshotIsNamed() throws IOException {
        Files.createDirectories(root.resolve("snapshots/site1/vm"));
        Files.writeString(root.resolve("snapshots/site1/vm/notes.txt"), "x");
        assertThatThrownBy(this::open).hasMessageContaining("snapshots/site1/vm/notes.txt");
    }
}
