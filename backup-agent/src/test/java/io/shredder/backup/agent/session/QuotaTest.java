// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A quota limits what lies on the disk, whoever races whom, and whatever is never committed. */
class QuotaTest {

    private static final int CHUNK = 50_000;
    private static final int CHUNKS = 10;
    private static final long QUOTA = (long) CHUNKS * CHUNK;
    private static final int RACING = 100;

    /** As which the shortest image counts. */
    private static final long LEAST = 32 << 10;

    @TempDir
    private Path folder;

    private Repository repository;
    private int chunks;

    @BeforeEach
    void open() throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC());
    }

    @AfterEach
    void close() throws IOException {
        repository.close();
    }

    private TestSession session() {
        return session(QUOTA);
    }

    private TestSession session(long quota) {
        ClientAccess access = TestSession.access(EnumSet.allOf(Right.class), OptionalLong.of(quota), Duration.ZERO);
        return new TestSession(repository, access);
    }

    private synchronized StoredRegion newChunk() {
        return Samples.sealed(Samples.randomBytes(new Random(++chunks), CHUNK));
    }

    private static boolean isRefused(Answer answer) {
        if (answer instanceof Answer.Failure failure) {
            assertThat(failure.code()).isEqualTo(ErrorCode.QUOTA);
            assertThat(failure.text()).contains("raise its quota in the agent's file of rights");
            return true;
        }
        return false;
    }

    /** How many new chunks a session may put. */
    private int fill(TestSession session) throws IOException {
        int put = 0;
        while (!isRefused(session.ask(new Request.Put(newChunk())))) {
            put++;
        }
        return put;
    }

    @Test
    void whatIsPutAndNeverCommittedCountsAndIsRefusedBeforeItIsStored() throws IOException {
        try (TestSession session = session()) {
            assertThat(fill(session)).isEqualTo(CHUNKS);
            StoredRegion refused = newChunk();
            assertThat(isRefused(session.ask(new Request.Put(refused)))).isTrue();
            assertThat(session.isThere(refused)).isFalse();
            assertThat(session.statistics().containerBytes()).isLessThan(QUOTA + QUOTA / 10);
        }
    }

    /** Each has a head, a place in a table and one in the index, so that it takes far more than its length. */
    @Test
    void chunksOfOneByteCountAsWhatTheyTake() throws IOException {
        long quota = 32 << 20;
        Random random = new Random(3);
        long before = Files.walk(folder).mapToLong(QuotaTest::length).sum();
        try (TestSession session = session(quota)) {
            Answer answer = new Answer.Done();
            while (!isRefused(answer)) {
                answer = session.ask(new Request.Put(Samples.together(Samples.chunks(random, 64, 9))));
            }
            session.ask(new Request.Sync());
        }
        long taken = Files.walk(folder).mapToLong(QuotaTest::length).sum() - before;
        assertThat(taken).isBetween(quota / 4, quota + quota / 2);
    }

    private static long length(Path file) {
        return file.toFile().isFile() ? file.toFile().length() : 0;
    }

    /** A chunk of one byte, on as many pages as can be. */
    @Test
    void aListIsNotLongerThanItsImageCounts() throws IOException {
        StoredRegion chunk = Samples.sealed(new byte[1]);
        SealedBytes sealed = new SealedBytes(new byte[5000]);
        for (SnapshotSeal list : List.of(Samples.SEAL, Samples.SHARED)) {
            try (TestSession session = session()) {
                session.begin("vm", list);
                session.putIfNew(chunk);
                int pages = 0;
                Answer answer = new Answer.Done();
                while (answer instanceof Answer.Done) {
                    assertThat((long) pages * sealed.length()).isLessThan(LEAST);
                    answer = session.ask(new Request.Append(new ListPage(pages++, chunk.fingerprints(), sealed)));
                }
                assertThat(pages).isGreaterThan(2);
                assertThat(answer).isInstanceOfSatisfying(Answer.Failure.class, refusal -> assertThat(refusal.code())
                        .isEqualTo(ErrorCode.QUOTA));
            }
        }
    }

    /** Whose images' lengths nobody knows, so that nothing is reserved for them. */
    @Test
    void listsThatAreNeverCommittedStayWithinItTogether() throws IOException {
        long quota = 3 << 20;
        StoredRegion chunk = newChunk();
        SealedBytes sealed = new SealedBytes(new byte[CHUNK / ListPage.MOST_POINTED - 200]);
        for (SnapshotSeal list : List.of(Samples.SEAL, Samples.SHARED)) {
            List<TestSession> sessions = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                TestSession session = session(quota);
                sessions.add(session);
                session.begin("vm", list);
                session.putIfNew(chunk);
                int pages = 0;
                while (!isRefused(session.ask(new Request.Append(new ListPage(pages, chunk.fingerprints(), sealed))))) {
                    pages++;
                }
            }
            assertThat(bytes("incoming")).isBetween(quota - CHUNK, quota + CHUNK);
            for (TestSession session : sessions) {
                session.close();
            }
            assertThat(bytes("incoming")).isZero();
        }
    }

    /** Pages that don't follow each other take a place each in the file that says where they are. */
    @Test
    void listsThatShareCountAsWhatTheyTakeToo() throws IOException {
        long quota = 1 << 20;
        StoredRegion chunk = Samples.sealed(new byte[1]);
        List<StoredRegion> pages = List.of(chunk, chunk, chunk, chunk);
        try (TestSession session = session(quota)) {
            long id = session.backUp("vm", Samples.SHARED, pages);
            int committed = 0;
            while (!isRefused(session.ask(new Request.Begin(new SnapshotName("vm"), Samples.SHARED)))) {
                session.reset(Samples.SHARED);
                int shared = 0;
                while (session.share(id, shared % 2 * 2, chunk)) {
                    shared++;
                    assertThat(shared).isLessThanOrEqualTo((int) LEAST / 16);
                }
                session.commit();
                committed++;
            }
            assertThat(committed).isPositive();
            assertThat(bytes("snapshots") + bytes("pages")).isLessThan(quota + quota / 4);
        }
    }

    private long bytes(String below) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("repo").resolve(below))) {
            return files.mapToLong(QuotaTest::length).sum();
        }
    }

    /** Each with a list as long as it may have, so that what they take on disk stays near the quota. */
    @Test
    void snapshotsOfOneByteComeToAnEnd() throws IOException {
        StoredRegion chunk = Samples.sealed(new byte[1]);
        int committed = 0;
        try (TestSession session = session()) {
            session.putIfNew(chunk);
            while (committed <= QUOTA / LEAST && commits(session, "vm", chunk, 1)) {
                committed++;
            }
            assertThat(committed).isEqualTo((int) (QUOTA / LEAST));
            assertThat(session.statistics().imageBytes()).isEqualTo(committed);
            session.delete(1);
            assertThat(commits(session, "vm", chunk, 1)).isTrue();
        }
    }

    @Test
    void aTinySnapshotAccountsForNoMoreThanItsImageOfWhatWasPut() throws IOException {
        StoredRegion tiny = Samples.sealed(new byte[1]);
        try (TestSession session = session(QUOTA + 1000)) {
            session.putIfNew(tiny);
            for (int i = 0; i < CHUNKS - 1; i++) {
                session.put(newChunk());
            }
            assertThat(commits(session, "vm", tiny, 1)).isTrue();
            assertThat(fill(session)).isZero();
        }
    }

    @Test
    void neitherAnotherConnectionNorAnotherStartMakesItForgotten() throws IOException {
        try (TestSession session = session()) {
            assertThat(fill(session)).isEqualTo(CHUNKS);
        }
        try (TestSession session = session()) {
            assertThat(fill(session)).isZero();
        }
        repository.close();
        open();
        try (TestSession session = session()) {
            assertThat(fill(session)).isZero();
            session.put(Samples.sealed(Samples.randomBytes(new Random(1), CHUNK))); // It is there.
        }
    }

    /** Without the clean end that writes the exact number. */
    @Test
    void aCrashForgetsNothing() throws IOException {
        Path copy = folder.resolve("copy");
        try (TestSession session = session()) {
            fill(session);
            Files.createDirectories(copy.resolve("putbytes"));
            Files.copy(file(folder.resolve("repo")), file(copy));
        }
        repository.close();
        Files.copy(file(copy), file(folder.resolve("repo")), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        open();
        try (TestSession session = session()) {
            assertThat(fill(session)).isZero();
        }
    }

    /** An editor's copy, or what NFS keeps of a file that is open. */
    @Test
    void aFileOfNoNamespaceIsPassedOver() throws IOException {
        try (TestSession session = session()) {
            assertThat(fill(session)).isEqualTo(CHUNKS);
        }
        Files.writeString(file(folder.resolve("repo")).resolveSibling(".nfs0000000000000001"), "");
        Files.writeString(file(folder.resolve("repo")).resolveSibling("#site1#"), "");
        try (TestSession session = session()) {
            collect(session);
            assertThat(fill(session)).isEqualTo(CHUNKS);
        }
    }

    private static Path file(Path repo) {
        return repo.resolve("putbytes").resolve(TestSession.CLIENT.value());
    }

    @Test
    void theCountHasExactlyTheDocumentedBytes() throws IOException {
        try (TestSession session = session()) {
            fill(session);
        }
        repository.close();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file(folder.resolve("repo"))));
        assertThat(bytes.limit()).isEqualTo(104);
        assertThat(bytes.slice(0, 8)).isEqualTo(ByteBuffer.wrap("SHRDPUTS".getBytes(StandardCharsets.US_ASCII)));
        assertThat(bytes.getLong(64)).isEqualTo(QUOTA);
        assertThat(Fingerprint.read(bytes.slice(72, 32))).isEqualTo(Fingerprint.ofData(bytes.slice(64, 8)));
        open();
    }

    @Test
    void aDamagedCountIsRefusedAndNamed() throws IOException {
        try (TestSession session = session()) {
            fill(session);
        }
        repository.close();
        byte[] bytes = Files.readAllBytes(file(folder.resolve("repo")));
        bytes[70] ^= 1;
        Files.write(file(folder.resolve("repo")), bytes);
        open();
        try (TestSession session = session()) {
            Assertions.assertThatThrownBy(() -> session.ask(new Request.Put(newChunk())))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("putbytes");
        }
    }

    @Test
    void anInterruptedBackupCanBeDoneAgain() throws IOException {
        List<StoredRegion> image = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            image.add(newChunk());
        }
        try (TestSession interrupted = session()) {
            interrupted.begin("vm");
            for (StoredRegion chunk : image.subList(0, 6)) {
                interrupted.put(chunk);
            }
        }
        try (TestSession again = session()) {
            assertThat(isRefused(again.ask(begin(QUOTA)))).isFalse();
        }
        try (TestSession again = session()) {
            again.backUp("vm", image);
            assertThat(fill(again)).isZero();
            assertThat(again.statistics().imageBytes()).isEqualTo(QUOTA);
        }
    }

    private static Request begin(long imageBytes) {
        return new Request.Begin(new SnapshotName("vm"), Samples.SEAL, imageBytes);
    }

    @Test
    void anImageThatIsTooLongIsRefusedWhenItBegins() throws IOException {
        try (TestSession session = session();
                TestSession other = session();
                TestSession third = session()) {
            assertThat(isRefused(session.ask(begin(QUOTA + 1)))).isTrue();
            assertThat(isRefused(session.ask(begin(QUOTA - LEAST)))).isFalse();
            assertThat(isRefused(other.ask(begin(LEAST + 1)))).isTrue();
            assertThat(isRefused(other.ask(begin(1)))).isFalse();
            assertThat(isRefused(third.ask(begin(1)))).isTrue();
        }
        try (TestSession next = session()) {
            assertThat(isRefused(next.ask(begin(QUOTA)))).isFalse();
        }
    }

    @Test
    void aCollectionTakesWhatNobodyPointsToAndItsCount() throws IOException {
        try (TestSession open = session()) {
            open.begin("vm");
            open.put(newChunk());
            try (TestSession session = session()) {
                fill(session);
            }
            try (TestSession session = session()) {
                collect(session);
                assertThat(fill(session)).isEqualTo(CHUNKS - 1);
            }
        }
    }

    /** In a store whose containers get no holes, so that what is left beside a chunk that lives stays. */
    @Test
    void aCollectionThatLeavesGarbageForgetsNothing() throws IOException {
        repository.close();
        Path root = folder.resolve("without-holes");
        StorePlace store =
                new StorePlace(root, Optional.of(folder.resolve("store").toUri()));
        repository = Repository.open(store, Clock.systemUTC(), 64 << 20, 1000);
        ChunkLocation live;
        try (TestSession session = session(2 * QUOTA)) {
            StoredRegion chunk = newChunk();
            session.begin("vm");
            session.put(chunk);
            session.append(chunk);
            fill(session);
            session.commit();
            live = repository.chunks().index().find(chunk.first().fingerprint()).orElseThrow();
        }
        try (TestSession session = session(2 * QUOTA)) {
            session.collect(false, 100);
            assertThat(fill(session)).isZero();
        }
        String container = repository.chunks().containers().name(live.container());
        Path file = folder.resolve("store").resolve(container);
        byte[] whole = Files.readAllBytes(file);
        byte[] damaged = whole.clone();
        damaged[live.offset() + 200] ^= 1;
        Files.write(file, damaged);
        try (TestSession session = session(2 * QUOTA)) {
            assertThat(session.collect(false, 20).problems()).hasSize(1);
            assertThat(fill(session)).isZero();
        }
        Files.write(file, whole);
        try (TestSession session = session(2 * QUOTA)) {
            assertThat(session.collect(false, 20).freedBytes()).isPositive();
            assertThat(fill(session)).isEqualTo(2 * CHUNKS - 1);
        }
    }

    private static void collect(TestSession session) throws IOException {
        boolean begins = true;
        UpkeepAnswer.Collected step;
        do {
            step = (UpkeepAnswer.Collected) session.ask(new UpkeepRequest.Collect(begins, false, 0));
            begins = false;
        } while (!step.done());
    }

    @Test
    void racingClientsNeverExceedIt() throws Exception {
        List<Future<Integer>> racing = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(RACING);
        try {
            for (int i = 0; i < RACING; i++) {
                racing.add(threads.submit(() -> {
                    try (TestSession session = session()) {
                        return fill(session);
                    }
                }));
            }
            int put = 0;
            for (Future<Integer> one : racing) {
                put += one.get();
            }
            assertThat(put).isEqualTo(CHUNKS);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void racingCommitsNeverExceedIt() throws Exception {
        StoredRegion chunk = newChunk();
        try (TestSession first = session(QUOTA + CHUNK)) {
            first.put(chunk);
        }
        List<Future<Boolean>> racing = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(RACING);
        try {
            for (int i = 0; i < RACING; i++) {
                String name = "vm" + i;
                racing.add(threads.submit(() -> {
                    try (TestSession session = session()) {
                        return commits(session, name, chunk);
                    }
                }));
            }
            int committed = 0;
            for (Future<Boolean> one : racing) {
                committed += one.get() ? 1 : 0;
            }
            assertThat(committed).isEqualTo(CHUNKS);
        } finally {
            threads.shutdown();
        }
    }

    /** Whatever lengths clients say: sums that overflow must not look small. */
    @Test
    void imagesThatSayTheyAreAsLongAsNumbersGoAreRefused() throws Exception {
        StoredRegion chunk = newChunk();
        try (TestSession first = session()) {
            first.backUp("vm", List.of(chunk));
        }
        for (long length : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - CHUNK, Long.MAX_VALUE / 2 + 1}) {
            try (TestSession session = session()) {
                assertThat(isRefused(session.ask(begin(length)))).isTrue();
                session.begin("vm");
                session.isThere(chunk);
                session.ask(new Request.Append(Samples.pageOf(0, List.of(chunk))));
                assertThat(isRefused(session.ask(commit(length, chunk)))).isTrue();
            }
        }
        try (TestSession session = session()) {
            assertThat(fill(session)).isEqualTo(CHUNKS - 1);
        }
    }

    /** Without a quota any length is taken; what is said of them all together stays a number of the protocol. */
    @Test
    void lengthsThatAreTooMuchTogetherStayPositive() throws Exception {
        StoredRegion chunk = newChunk();
        try (TestSession session = TestSession.open(repository)) {
            session.put(chunk);
            for (int i = 0; i < 3; i++) {
                session.begin("vm");
                session.isThere(chunk);
                session.ask(new Request.Append(Samples.pageOf(0, List.of(chunk))));
                assertThat(session.ask(commit(Long.MAX_VALUE, chunk))).isInstanceOf(Answer.Committed.class);
            }
            assertThat(session.statistics().imageBytes()).isEqualTo(Long.MAX_VALUE);
            session.delete(1, 2);
            assertThat(session.statistics().imageBytes()).isEqualTo(Long.MAX_VALUE);
            session.delete(3);
            assertThat(session.statistics().imageBytes()).isZero();
        }
    }

    private static boolean commits(TestSession session, String name, StoredRegion chunk) throws IOException {
        return commits(session, name, chunk, CHUNK);
    }

    /** An image of one chunk that is there, whose length isn't told before it is committed. */
    private static boolean commits(TestSession session, String name, StoredRegion chunk, long bytes)
            throws IOException {
        if (isRefused(session.ask(new Request.Begin(new SnapshotName(name), Samples.SEAL)))) {
            return false;
        }
        session.isThere(chunk);
        Request append = new Request.Append(Samples.pageOf(0, List.of(chunk)));
        return !isRefused(session.ask(append)) && !isRefused(session.ask(commit(bytes, chunk)));
    }

    private static Request commit(long imageBytes, StoredRegion chunk) {
        ContentDigest digest = new ContentDigest(Samples.SEAL);
        digest.add(Samples.pageOf(0, List.of(chunk)));
        return new Request.Commit(imageBytes, 1, digest.finish(), new SealedBytes(new byte[9]));
    }
}
