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
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
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
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of shared lists: a snapshot's, and the packs of pages. */
class SharedFileTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_763_692_800_123L);
    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName NAME = new SnapshotName("vm");

    @TempDir
    private Path root;

    private Catalogue catalogue;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(root.resolve("incoming"));
        catalogue = Catalogue.open(new LocalStorage(root), root, REPOSITORY, true, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static ListPage page(int number, int seed) {
        List<Fingerprint> references = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            references.add(Fingerprint.ofData(ByteBuffer.wrap(new byte[] {(byte) seed, (byte) i})));
        }
        return Samples.page(number, references);
    }

    /** Two new pages, and between them all of another snapshot's if there is one. */
    private SnapshotInfo commit(int seed, long other) throws IOException {
        try (SnapshotDraft draft = catalogue.begin(SITE, NAME, Samples.SHARED)) {
            draft.append(page(0, seed), 1000);
            if (other > 0) {
                try (SnapshotFile file = catalogue.open(other).orElseThrow()) {
                    SharedPages pages = file.shared().orElseThrow();
                    ((SharedDraft) draft).share(pages, 0, pages.count());
                }
            }
            draft.append(page(draft.pages(), seed + 1), 500);
            SealedBytes summary = new SealedBytes("opaque".getBytes(StandardCharsets.US_ASCII));
            return catalogue.publish(draft, new SnapshotDraft.Contents(2000, 70, draft.finishDigest(), summary));
        }
    }

    private Path snapshot(long id) {
        return root.resolve(String.format("snapshots/site1/vm/%016d.snapshot", id));
    }

    private Path pack(long id) {
        return root.resolve(String.format("pages/%016d.pages", id));
    }

    private void readWhole(long id) throws IOException {
        LocalStorage storage = new LocalStorage(root);
        PagePacks packs = new PagePacks(storage, REPOSITORY);
        try (SnapshotFile opened =
                        SnapshotFile.open(storage, root.relativize(snapshot(id)).toString(), packs);
                OpenPacks read = packs.opened(2)) {
            CheckedPages pages = new CheckedPages(opened, read, new SeenPages());
            while (pages.hasNext()) {
                assertThat(pages.next()).isPresent();
            }
            pages.checkEnd();
            opened.checkContent();
        }
    }

    @Test
    void aListReadsBackWhereverItsPagesAre() throws IOException {
        commit(10, 0);
        SnapshotInfo info = commit(20, 1);
        try (SnapshotFile opened = catalogue.open(SITE, 2).orElseThrow()) {
            opened.checkContent();
            assertThat(opened.info()).isEqualTo(info);
            assertThat(opened.pages()).isEqualTo(4);
            int[] seeds = {20, 10, 11, 21};
            for (int number = 0; number < seeds.length; number++) {
                assertThat(opened.page(number)).isEqualTo(page(number, seeds[number]));
            }
            SharedPages pages = opened.shared().orElseThrow();
            assertThat(pages.runs(0, 4))
                    .containsExactly(new PageRun(2, 0, 1), new PageRun(1, 0, 2), new PageRun(2, 1, 1));
            assertThat(pages.runs(2, 2)).containsExactly(new PageRun(1, 1, 1), new PageRun(2, 1, 1));
            assertThat(pages.address(2)).isEqualTo(new PageAddress(1, 1));
            assertThat(pages.chunkBytes(1)).isEqualTo(1000);
            assertThat(pages.chunkBytes(2)).isEqualTo(500);
        }
    }

    /** More runs than are read together, of which those that go on are one. */
    @Test
    void aListOfThousandsOfRunsReadsBackFromAnywhere() throws Exception {
        Random random = new Random(Samples.seed());
        commit(10, 0);
        commit(20, 1);
        List<PageAddress> expected = new ArrayList<>();
        long id = commitMany(random, expected);
        try (SnapshotFile file = catalogue.open(id).orElseThrow()) {
            file.checkContent();
            SharedPages pages = file.shared().orElseThrow();
            assertThat(pages.count()).isEqualTo(expected.size());
            for (int i = 0; i < 5000; i++) {
                int page = i % 2 == 0 ? random.nextInt(expected.size()) : i;
                assertThat(pages.address(page)).isEqualTo(expected.get(page));
                int count = random.nextInt(Math.min(50, expected.size() - page));
                List<PageAddress> part = new ArrayList<>();
                pages.runs(page, count).forEach(run -> addTo(part, run));
                assertThat(part).isEqualTo(expected.subList(page, page + count));
            }
        }
    }

    private static void addTo(List<PageAddress> pages, PageRun run) {
        for (int place = 0; place < run.count(); place++) {
            pages.add(run.address(place));
        }
    }

    /** Pages of snapshot 2 again and again, and new ones between them. */
    private long commitMany(Random random, List<PageAddress> expected) throws Exception {
        try (SnapshotDraft draft = catalogue.begin(SITE, NAME, Samples.SHARED);
                SnapshotFile other = catalogue.open(2).orElseThrow()) {
            SharedPages pages = other.shared().orElseThrow();
            Set<Fingerprint> needed = new HashSet<>(page(0, 10).references());
            needed.addAll(page(0, 11).references());
            needed.addAll(page(0, 20).references());
            needed.addAll(page(0, 21).references());
            for (int own = 0; expected.size() < 5000; ) {
                if (random.nextInt(50) == 0) {
                    ListPage page = page(draft.pages(), 30 + own % 90);
                    draft.append(page, 1);
                    needed.addAll(page.references());
                    expected.add(new PageAddress(3, own++));
                } else {
                    int first = random.nextInt(4);
                    int count = 1 + random.nextInt(4 - first);
                    ((SharedDraft) draft).share(pages, first, count);
                    pages.runs(first, count).forEach(run -> addTo(expected, run));
                }
            }
            Set<Fingerprint> visited = new HashSet<>();
            draft.visit(visited::addAll, new SeenPages());
            assertThat(visited).isEqualTo(needed);
            SealedBytes summary = new SealedBytes(new byte[1]);
            return catalogue
                    .publish(draft, new SnapshotDraft.Contents(1 << 20, 7, draft.finishDigest(), summary))
                    .id();
        }
    }

    @Test
    void theFilesHaveExactlyTheDocumentedBytes() throws IOException {
        commit(10, 0);
        commit(20, 1);
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(snapshot(2)));
        int head = 16 + 32 + 2 + 5 + 2 + 2 + 4;
        assertThat(file.capacity()).isEqualTo(head + 3 * 16 + 86 + 6);
        assertThat(file.getShort(8)).isEqualTo((short) 3);
        assertThat(file.getLong(head)).isEqualTo(2);
        assertThat(file.getInt(head + 8)).isZero();
        assertThat(file.getInt(head + 12)).isEqualTo(1);
        assertThat(file.getLong(head + 16)).isEqualTo(1);
        assertThat(file.getInt(head + 28)).isEqualTo(2);

        ByteBuffer pack = ByteBuffer.wrap(Files.readAllBytes(pack(1)));
        int page = 8 + 3 * 32 + 3 * 6 + 16 + 4;
        assertThat(pack.capacity()).isEqualTo(64 + 2 * page + 2 * 48 + 28);
        assertThat(new String(pack.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("SHRDPACK");
        assertThat(pack.getInt(64)).isEqualTo(3);
        assertThat(pack.getInt(68)).isEqualTo(3 * 6 + 16);
        int directory = 64 + 2 * page;
        assertThat(pack.getLong(directory)).isEqualTo(64);
        assertThat(pack.getLong(directory + 8)).isEqualTo(1000);
        assertThat(Fingerprint.read(pack.slice(directory + 16, 32)))
                .isEqualTo(page(0, 10).digest());
        assertThat(pack.getLong(directory + 48)).isEqualTo(64 + page);
        int trailer = directory + 96;
        assertThat(new String(pack.array(), trailer, 8, StandardCharsets.US_ASCII))
                .isEqualTo("PACKEND!");
        assertThat(pack.getLong(trailer + 8)).isEqualTo(1);
        assertThat(pack.getInt(trailer + 16)).isEqualTo(2);
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        Random random = new Random(Samples.seed());
        commit(10, 0);
        commit(20, 1);
        for (Path file : List.of(snapshot(2), pack(1), pack(2))) {
            byte[] good = Files.readAllBytes(file);
            for (int bit = 0; bit < good.length * 8; bit++) {
                if (!LongTests.tries(random, 4)) {
                    continue;
                }
                byte[] bad = good.clone();
                bad[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, bad);
                assertThatThrownBy(() -> readWhole(2))
                        .as(file + " bit " + bit)
                        .isInstanceOfSatisfying(DamagedDataException.class, e -> assertThat(e.offset())
                                .isBetween(0L, (long) good.length));
            }
            Files.write(file, good);
        }
        readWhole(2);
    }

    @InTurn(days = 3)
    @Test
    void everyTruncationIsFound() throws IOException {
        commit(10, 0);
        commit(20, 1);
        for (Path file : List.of(snapshot(2), pack(1), pack(2))) {
            byte[] good = Files.readAllBytes(file);
            for (int length = 0; length < good.length; length++) {
                Files.write(file, Arrays.copyOf(good, length));
                assertThatThrownBy(() -> readWhole(2))
                        .as(file + " cut to " + length)
                        .isInstanceOf(DamagedDataException.class);
            }
            Files.write(file, good);
        }
    }

    @Test
    void randomBytesNeverDoMoreThanFailWithAnOffset() throws IOException {
        Random random = new Random(Samples.seed());
        commit(10, 0);
        commit(20, 1);
        for (Path file : List.of(snapshot(2), pack(1))) {
            byte[] good = Files.readAllBytes(file);
            for (int round = 0; round < 1000; round++) {
                byte[] bad = round % 3 == 0 ? Samples.randomBytes(random, random.nextInt(300)) : good.clone();
                for (int i = random.nextInt(5); i >= 0 && bad.length > 0; i--) {
                    bad[random.nextInt(bad.length)] = (byte) random.nextInt();
                }
                Files.write(file, bad);
                if (!Arrays.equals(bad, good)) {
                    assertThatThrownBy(() -> readWhole(2)).isInstanceOf(DamagedDataException.class);
                }
            }
            Files.write(file, good);
        }
    }

    @Test
    void anUnpublishedDraftLeavesNothing() throws IOException {
        try (SnapshotDraft draft = catalogue.begin(SITE, NAME, Samples.SHARED)) {
            draft.append(page(0, 1), 0);
            assertThat(root.resolve("incoming")).isNotEmptyDirectory();
        }
        assertThat(root.resolve("incoming")).isEmptyDirectory();
        assertThat(root.resolve("pages")).doesNotExist();
    }

    @Test
    void anIdWhosePackIsLeftOfACrashIsNotGivenOutAgain() throws IOException {
        commit(10, 0);
        Files.copy(pack(1), pack(7));
        catalogue.close();
        catalogue = Catalogue.open(new LocalStorage(root), root, REPOSITORY, false, Clock.fixed(NOW, ZoneOffset.UTC));
        assertThat(commit(20, 1).id()).isEqualTo(8);
    }
}
