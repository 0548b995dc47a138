// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.lists.SeenPages;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.RepositoryIndex;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.agent.verify.ListVerification;
import io.shredder.backup.agent.verify.VerifiedPart;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.ListRequest;
import io.shredder.backup.wire.PageDigests;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists that share pages. A shared page lives while any list has it, whoever deletes, collects or damages what. */
class SharedListTest {

    private static final int CONTAINER_BYTES = 5000;

    @TempDir
    private Path folder;

    private final List<StoredRegion> image = Samples.chunks(new Random(5), 20, 900);
    private Repository repository;
    private TestSession session;
    private long first;

    @BeforeEach
    void backUpOnce() throws IOException {
        open();
        first = session.backUp("vm", Samples.SHARED, image);
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private void open() throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC(), CONTAINER_BYTES);
        session = TestSession.open(repository);
    }

    private void reopen() throws IOException {
        close();
        open();
    }

    /** The same image, all of its pages shared. */
    private long again() throws IOException {
        session.begin("vm", Samples.SHARED);
        shareAll();
        return session.commit();
    }

    private void shareAll() throws IOException {
        for (int page = 0; page < image.size(); page++) {
            assertThat(session.share(first, page, image.get(page))).isTrue();
        }
    }

    private List<String> packs() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("repo/pages"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private Path pack() {
        return folder.resolve("repo/pages/0000000000000001.pages");
    }

    private Path snapshotFile(long id) {
        return folder.resolve(String.format("repo/snapshots/site1/vm/%016d.snapshot", id));
    }

    @Test
    void aListThatIsSharedWholeBringsNoPages() throws IOException {
        long second = again();
        session.assertRestores(second, image);
        assertThat(packs()).containsExactly("0000000000000001.pages");
        assertThat(Files.size(snapshotFile(second))).isLessThan(250);
        assertThat(session.pages(second)).isEqualTo(session.pages(first));
    }

    @Test
    void whatALaterSnapshotSharesOutlivesItsFirst() throws IOException {
        long second = again();
        session.delete(first);
        session.collect(false);
        reopen();
        session.assertRestores(second, image);
        assertThat(session.problems()).isEmpty();
        session.delete(second);
        session.collect(false);
        assertThat(packs()).isEmpty();
        assertThat(repository.chunks().index().size()).isZero();
    }

    @Test
    void pagesSharedWhileACollectionMarksAreKeptThoughTheirSnapshotIsPruned() throws IOException {
        UpkeepAnswer.Collected step = session.beginCollection(false);
        assertThat(step.done()).isFalse();
        try (TestSession other = TestSession.open(repository)) {
            other.begin("vm", Samples.SHARED);
            for (int page = 0; page < image.size(); page++) {
                assertThat(other.share(first, page, image.get(page))).isTrue();
            }
            session.delete(first);
            while (!session.nextStep().done()) {
                continue;
            }
            long second = other.commit();
            session.collect(false);
            session.assertRestores(second, image);
        }
    }

    @Test
    void aSnapshotThatIsPrunedWhileACollectionMarksCanBeReadToItsEnd() throws IOException {
        for (SnapshotSeal list : List.of(Samples.SHARED, Samples.SEAL)) {
            session.backUp("vm", Samples.chunks(new Random(7), 3, 900));
            List<StoredRegion> read = Samples.chunks(new Random(8), 10, 900);
            long id = session.backUp("vm", list, read);
            try (TestSession reader = TestSession.open(repository)) {
                assertThat(reader.ask(new Request.Show(id, 0))).isInstanceOf(Answer.Page.class);
                UpkeepAnswer.Collected step = session.beginCollection(false);
                session.delete(id);
                while (!step.done()) {
                    step = session.nextStep();
                }
                reader.assertRestores(id, read);
            }
        }
    }

    /** Its pages are in more packs than are kept open. */
    @Test
    void aPrunedSnapshotIsReadByItsReaderAndACollectionAtOnce() throws Exception {
        List<StoredRegion> pages = Samples.chunks(new Random(9), 20, 900);
        List<Long> ids = new ArrayList<>();
        for (StoredRegion page : pages) {
            ids.add(session.backUp("vm", Samples.SHARED, List.of(page)));
        }
        session.begin("vm", Samples.SHARED);
        for (int page = 0; page < pages.size(); page++) {
            assertThat(session.share(ids.get(page), 0, pages.get(page))).isTrue();
        }
        long id = session.commit();
        ids.add(id);
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (TestSession reader = TestSession.open(repository)) {
            reader.assertRestores(id, pages);
            session.delete(ids.stream().mapToLong(Long::longValue).toArray());
            Future<?> reading = beside.submit(() -> {
                for (int time = 0; time < 100; time++) {
                    assertThat(reader.references(id)).isEqualTo(TestSession.references(pages));
                }
                return null;
            });
            do {
                session.collect(false);
            } while (!reading.isDone());
            reading.get();
            reader.assertRestores(id, pages);
        } finally {
            beside.shutdown();
        }
    }

    @Test
    void aSnapshotPublishedWhileACollectionRunsKeepsThePagesThatItBrought() throws IOException {
        try (TestSession other = TestSession.open(repository)) {
            other.begin("new", Samples.SHARED);
            List<StoredRegion> more = Samples.chunks(new Random(6), 5, 900);
            for (StoredRegion region : more) {
                other.putIfNew(region);
                other.append(region);
            }
            UpkeepAnswer.Collected step = session.beginCollection(false);
            long id = other.commit();
            while (!step.done()) {
                step = session.nextStep();
            }
            session.assertRestores(id, more);
        }
    }

    @Test
    void onlyPagesOfSnapshotsThatAreThereAndOnesOwnAreShared() throws IOException {
        long unshared = session.backUp("vm", image);
        session.begin("vm", Samples.SHARED);
        assertRefused(ErrorCode.INVALID, new ListRequest.Share(unshared, 0, 1));
        assertRefused(ErrorCode.NOT_FOUND, new ListRequest.Share(first, image.size(), 1));
        assertRefused(ErrorCode.NOT_FOUND, new ListRequest.Share(first, 0, image.size() + 1));
        assertRefused(ErrorCode.NOT_FOUND, new ListRequest.Share(99, 0, 1));
        try (TestSession stranger = new TestSession(
                repository,
                new ClientAccess(
                        new SnapshotName("site2"),
                        new SnapshotName("site2"),
                        EnumSet.allOf(Right.class),
                        OptionalLong.empty(),
                        Duration.ZERO))) {
            stranger.begin("vm", Samples.SHARED);
            assertThat(stranger.share(first, 0, image.get(0))).isFalse();
        }
        session.delete(first);
        assertRefused(ErrorCode.NOT_FOUND, new ListRequest.Share(first, 0, 1));
    }

    @Test
    void aListThatDoublesItselfEndsAtALimitAndStaysReadable() throws IOException {
        long last = first;
        int pages = image.size();
        while (true) {
            session.begin("vm", Samples.SHARED);
            int before = pages;
            for (int time = 0; time < 2; time++) {
                for (int from = 0; from < before; from += ListRequest.Share.MOST_PAGES) {
                    int count = Math.min(ListRequest.Share.MOST_PAGES, before - from);
                    Answer answer = session.ask(new ListRequest.Share(last, from, count));
                    if (answer instanceof Answer.Failure failure) {
                        assertThat(failure.text()).contains("at most " + ListPage.MAX_SHARED_PAGES + " pages");
                        assertThat(session.problems()).isEmpty();
                        session.collect(false);
                        return;
                    }
                }
            }
            pages = 2 * before;
            last = session.commitShared(last, 2, pages);
        }
    }

    @Test
    void aListThatSharesNothingTakesNoPages() throws IOException {
        session.begin("vm");
        assertRefused(ErrorCode.INVALID, new ListRequest.Share(first, 0, 1));
    }

    private void assertRefused(ErrorCode code, Request request) throws IOException {
        assertThat(session.ask(request))
                .isInstanceOfSatisfying(Answer.Failure.class, failure -> assertThat(failure.code())
                        .isEqualTo(code));
    }

    @Test
    void aDamagedPageIsNamedSaidToBeUnsoundAndMendedByAWholeCopyAlone() throws IOException {
        long second = again();
        flip(pack(), 64 + 20);
        reopen();
        assertThat(session.problems()).hasSize(1).allSatisfy(line -> assertThat(line)
                .contains("pages/", "page 0"));
        PageDigests pages = session.pages(second);
        assertThat(pages.sound().nextClearBit(0)).isZero();
        assertThat(pages.sound().cardinality()).isEqualTo(image.size() - 1);

        assertRefused(ErrorCode.INVALID, new ListRequest.MendPage(second, page(1).at(0)));
        assertThat(session.ask(new ListRequest.MendPage(second, page(0)))).isInstanceOf(Answer.Done.class);
        assertThat(session.problems()).isEmpty();
        session.assertRestores(first, image);
        session.assertRestores(second, image);
    }

    @Test
    void whatADeletedSnapshotsVerificationDropsIsToldOfAnotherThatHasTheSamePages() throws IOException {
        long second = again();
        flip(pack(), 64 + 20);
        reopen();
        repository.chunks().index().remove(image.get(7).first().fingerprint());
        SeenPages seen = new SeenPages();
        try (ListVerification deleted = verification(first, seen);
                ListVerification left = verification(second, seen)) {
            session.delete(first);
            assertThat(problems(deleted)).isEmpty();
            assertThat(problems(left))
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line).contains("pages/", "page 0"))
                    .anySatisfy(line -> assertThat(line)
                            .contains("snapshot " + second, image.get(7).first().fingerprint() + " is missing"));
        }
    }

    private ListVerification verification(long id, SeenPages seen) throws IOException {
        return new ListVerification(repository, repository.catalogue().open(id).orElseThrow(), seen);
    }

    private static List<String> problems(ListVerification list) throws IOException {
        VerifiedPart part = new VerifiedPart();
        while (!list.step(part)) {
            continue;
        }
        return part.answer(0).problems();
    }

    private ListPage page(int number) {
        return Samples.pageOf(number, List.of(image.get(number)));
    }

    @Test
    void aCollectionRefusesWhatItCannotKnowTheNeedsOf() throws IOException {
        long second = again();
        session.delete(first);
        flip(pack(), 64 + 20);
        reopen();
        assertThatThrownBy(() -> session.collect(false))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("nothing is collected");
        assertThat(repository.chunks().index().size()).isEqualTo(image.size());
        assertThat(second).isPositive();
    }

    @Test
    void aLostPackIsNamed() throws IOException {
        Files.delete(pack());
        reopen();
        assertThat(session.problems()).anySatisfy(line -> assertThat(line).contains("pages/", "missing"));
        assertThatThrownBy(() -> session.ask(new Request.Show(first, 0)))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("missing");
    }

    @Test
    void packsExchangedAreNamed() throws IOException {
        session.backUp("other", Samples.SHARED, new ArrayList<>(Samples.chunks(new Random(8), 20, 900)));
        Path other = folder.resolve("repo/pages/0000000000000002.pages");
        Path aside = folder.resolve("aside");
        Files.move(pack(), aside);
        Files.move(other, pack());
        Files.move(aside, other);
        reopen();
        assertThat(session.problems())
                .anySatisfy(line -> assertThat(line).contains("1.pages", "it is pack 2"))
                .anySatisfy(line -> assertThat(line).contains("2.pages", "it is pack 1"));
    }

    @Test
    void afterTheIndexWasMadeAgainAPageIsSharedOnlyIfItsChunksAreThere() throws IOException {
        close();
        try (Stream<Path> containers = Files.list(folder.resolve("repo/containers/00000"))) {
            flip(containers.sorted().findFirst().orElseThrow(), 64 + 4);
        }
        Path root = folder.resolve("repo");
        Repository.rebuildIndex(StorePlace.local(root), RepositoryIndex.defaultKeyFile(root));
        open();
        assertThat(session.pages(first).sound().cardinality()).isLessThan(image.size());
        for (StoredRegion region : image) {
            session.putIfNew(region);
        }
        assertThat(session.pages(first).sound().cardinality()).isEqualTo(image.size());
        session.collect(false);
        assertThat(folder.resolve("repo/index-gaps")).doesNotExist();
        session.assertRestores(first, image);
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }
}
