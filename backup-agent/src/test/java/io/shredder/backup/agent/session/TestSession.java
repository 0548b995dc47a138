// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.ListRequest;
import io.shredder.backup.wire.PageDigests;
import io.shredder.backup.wire.RegionRecords;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** A client's session without a network, one request at a time. */
public final class TestSession implements Closeable {

    public static final SnapshotName CLIENT = new SnapshotName("site1");

    private final ClientSession session;
    private final List<StoredRegion> appended = new ArrayList<>();
    private SnapshotSeal seal = Samples.SEAL;

    public TestSession(Repository repository, ClientAccess access) {
        this(repository, access, ShownCertificate.fixed(access));
    }

    /** Of a client whose rights may change. */
    public TestSession(Repository repository, ClientAccess access, ShownCertificate certificate) {
        this.session = new ClientSession(repository, access, certificate);
    }

    /** With all rights and no limits. */
    public static TestSession open(Repository repository) {
        return new TestSession(repository, access(EnumSet.allOf(Right.class), OptionalLong.empty(), Duration.ZERO));
    }

    public static ClientAccess access(Set<Right> rights, OptionalLong quota, Duration minAge) {
        return new ClientAccess(CLIENT, CLIENT, rights, quota, minAge);
    }

    public Answer ask(Request request) throws IOException {
        return session.answer(request);
    }

    private <T extends Answer> T expect(Class<T> type, Request request) throws IOException {
        Answer answer = ask(request);
        assertThat(answer).as(request.type().name()).isInstanceOf(type);
        return type.cast(answer);
    }

    public void begin(String name) throws IOException {
        begin(name, Samples.SEAL);
    }

    /** @param listSeal whether its list may share pages */
    public void begin(String name, SnapshotSeal listSeal) throws IOException {
        reset(listSeal);
        expect(Answer.Done.class, new Request.Begin(new SnapshotName(name), seal));
    }

    /** What follows is of a snapshot that was begun by {@link #ask}. */
    void reset(SnapshotSeal listSeal) {
        appended.clear();
        seal = listSeal;
    }

    /** Goes on with a page of a snapshot's list; returns whether the agent let it. */
    public boolean share(long id, int page, StoredRegion region) throws IOException {
        if (ask(new ListRequest.Share(id, page, 1)) instanceof Answer.Done) {
            appended.add(region);
            return true;
        }
        return false;
    }

    PageDigests pages(long id) throws IOException {
        return expect(PageDigests.class, new ListRequest.ListPages(id, 0, true));
    }

    /** Whether all chunks of a region are there. */
    public boolean isThere(StoredRegion region) throws IOException {
        return present(region.fingerprints()).cardinality()
                == region.fingerprints().size();
    }

    private BitSet present(List<Fingerprint> chunks) throws IOException {
        return expect(Answer.Found.class, new Request.Lookup(chunks)).present();
    }

    public void put(StoredRegion region) throws IOException {
        expect(Answer.Done.class, new Request.Put(region));
    }

    /** As a backup does: only what is not there is sent. */
    public void putIfNew(StoredRegion region) throws IOException {
        if (!isThere(region)) {
            put(region);
        }
    }

    /** Sends those of some chunks that are not there, in one region. */
    void putNewTogether(List<StoredRegion> chunks) throws IOException {
        BitSet present = present(
                chunks.stream().map(chunk -> chunk.first().fingerprint()).toList());
        List<StoredRegion> missing = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            if (!present.get(i)) {
                missing.add(chunks.get(i));
            }
        }
        if (!missing.isEmpty()) {
            put(Samples.together(missing));
        }
    }

    public void append(StoredRegion region) throws IOException {
        expect(Answer.Done.class, new Request.Append(Samples.pageOf(appended.size(), List.of(region))));
        appended.add(region);
    }

    public long commit() throws IOException {
        ContentDigest digest = new ContentDigest(seal);
        for (int page = 0; page < appended.size(); page++) {
            digest.add(Samples.pageOf(page, List.of(appended.get(page))));
        }
        long bytes = appended.stream()
                .mapToLong(region -> StoredRegion.plainBytes(region.chunks()))
                .sum();
        // An agent can't count what is sealed: these pages of one region each pass for full ones.
        long count = (long) appended.size() * ListPage.MAX_POINTERS;
        Request.Commit commit = new Request.Commit(bytes, count, digest.finish(), new SealedBytes(new byte[9]));
        return expect(Answer.Committed.class, commit).snapshot().id();
    }

    /** Commits a list that is another's, so many times. */
    long commitShared(long id, int times, int pages) throws IOException {
        ContentDigest digest = new ContentDigest(seal);
        List<Fingerprint> digests = new ArrayList<>();
        PageDigests some;
        do {
            some = expect(PageDigests.class, new ListRequest.ListPages(id, digests.size(), false));
            digests.addAll(some.digests());
        } while (digests.size() < some.total());
        for (int time = 0; time < times; time++) {
            digests.forEach(digest::addPage);
        }
        Request.Commit commit = new Request.Commit(1L << 40, pages, digest.finish(), new SealedBytes(new byte[9]));
        return expect(Answer.Committed.class, commit).snapshot().id();
    }

    public long backUp(String name, List<StoredRegion> regions) throws IOException {
        return backUp(name, Samples.SEAL, regions);
    }

    /** @param listSeal whether its list may share pages; it shares none */
    public long backUp(String name, SnapshotSeal listSeal, List<StoredRegion> regions) throws IOException {
        begin(name, listSeal);
        for (StoredRegion region : regions) {
            putIfNew(region);
            append(region);
        }
        return commit();
    }

    /** The chunks that a snapshot points to, as a restore reads them: those of each page ascending. */
    public List<Fingerprint> references(long id) throws IOException {
        List<Fingerprint> references = new ArrayList<>();
        for (int page = 0; ; page++) {
            Answer answer = ask(new Request.Show(id, page));
            if (answer instanceof Answer.Failure failure
                    && failure.code() == ErrorCode.NOT_FOUND
                    && failure.text().contains("has " + page + " pages")) {
                return references;
            }
            assertThat(answer).isInstanceOf(Answer.Page.class);
            references.addAll(((Answer.Page) answer).page().references());
        }
    }

    public StoredRegion fetch(Fingerprint chunk) throws IOException {
        return expect(Answer.Region.class, new Request.Fetch(chunk)).region();
    }

    Answer.Regions fetchMany(int mostBytes, List<Fingerprint> chunks) throws IOException {
        return received(expect(RegionRecords.class, new Request.FetchMany(mostBytes, chunks)));
    }

    /** What a client reads of an answer, which is gone then. */
    public static Answer.Regions received(RegionRecords sent) throws IOException {
        ByteBuffer body = ByteBuffer.allocate(sent.bodyBytes());
        sent.writeBody(body);
        sent.release();
        return (Answer.Regions) new Frame(sent.type(), 1, body.flip(), 0).answer("agent");
    }

    public void assertRestores(long id, List<StoredRegion> regions) throws IOException {
        assertThat(references(id)).isEqualTo(references(regions));
        for (StoredRegion region : regions) {
            for (Fingerprint chunk : region.fingerprints()) {
                assertThat(Samples.plain(fetch(chunk), chunk))
                        .as("chunk of snapshot " + id)
                        .isEqualTo(Samples.plain(region, chunk));
            }
        }
    }

    /** What {@link #references} says of a backup of these. */
    public static List<Fingerprint> references(List<StoredRegion> regions) {
        return regions.stream()
                .flatMap(region -> region.fingerprints().stream().distinct().sorted())
                .toList();
    }

    public void delete(long... ids) throws IOException {
        expect(
                Answer.Done.class,
                new UpkeepRequest.Delete(java.util.Arrays.stream(ids).boxed().toList()));
    }

    public UpkeepAnswer.Collected beginCollection(boolean dryRun) throws IOException {
        return beginCollection(dryRun, 0);
    }

    public UpkeepAnswer.Collected beginCollection(boolean dryRun, int minGarbagePercent) throws IOException {
        return expect(UpkeepAnswer.Collected.class, new UpkeepRequest.Collect(true, dryRun, minGarbagePercent));
    }

    public UpkeepAnswer.Collected nextStep() throws IOException {
        return expect(UpkeepAnswer.Collected.class, new UpkeepRequest.Collect(false, false, 0));
    }

    /** A whole collection that frees all garbage; the last answer, with the problems of all steps. */
    public UpkeepAnswer.Collected collect(boolean dryRun) throws IOException {
        return collect(dryRun, 0);
    }

    /** A whole collection; the last answer, with the problems of all steps. */
    public UpkeepAnswer.Collected collect(boolean dryRun, int minGarbagePercent) throws IOException {
        List<String> problems = new ArrayList<>();
        UpkeepAnswer.Collected step = beginCollection(dryRun, minGarbagePercent);
        problems.addAll(step.problems());
        while (!step.done()) {
            step = nextStep();
            problems.addAll(step.problems());
        }
        return new UpkeepAnswer.Collected(
                true,
                step.markedChunks(),
                step.garbageBytes(),
                step.freedBytes(),
                step.copiedBytes(),
                step.deletedContainers(),
                step.leftContainers(),
                problems);
    }

    UpkeepAnswer.Statistics statistics() throws IOException {
        return expect(UpkeepAnswer.Statistics.class, new UpkeepRequest.Stats());
    }

    /** What a verification of everything says. */
    public List<String> problems() throws IOException {
        return verify(VerifyScope.EVERYTHING).problems();
    }

    /** A whole verification: its last answer, with the chunks, bytes and problems of all. */
    Answer.Verified verify(VerifyScope scope) throws IOException {
        List<String> problems = new ArrayList<>();
        long chunks = 0;
        long bytes = 0;
        long cursor = 0;
        do {
            Answer.Verified part = expect(Answer.Verified.class, new Request.VerifySome(scope, cursor));
            chunks += part.chunks();
            bytes += part.bytes();
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return new Answer.Verified(0, chunks, bytes, problems);
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
