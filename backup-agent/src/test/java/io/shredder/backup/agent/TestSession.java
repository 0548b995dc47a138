// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.Request;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.protocol.UpkeepAnswer;
import io.shredder.backup.protocol.UpkeepRequest;
import io.shredder.chunk.ChunkingParams;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** A client's session without a network, one request at a time. */
final class TestSession implements Closeable {

    static final ChunkingParams PARAMS = ChunkingParams.ofAverage(4096);
    static final SnapshotName CLIENT = new SnapshotName("site1");

    private final ClientSession session;
    private final List<ChunkRef> appended = new ArrayList<>();

    TestSession(Repository repository, ClientAccess access) {
        this.session = new ClientSession(repository, access);
    }

    /** With all rights and no limits. */
    static TestSession open(Repository repository) {
        return new TestSession(repository, access(EnumSet.allOf(Right.class), OptionalLong.empty(), Duration.ZERO));
    }

    static ClientAccess access(Set<Right> rights, OptionalLong quota, Duration minAge) {
        return new ClientAccess(CLIENT, CLIENT, rights, quota, minAge);
    }

    Answer ask(Request request) throws IOException {
        return session.answer(request);
    }

    private <T extends Answer> T expect(Class<T> type, Request request) throws IOException {
        Answer answer = ask(request);
        assertThat(answer).as(request.type().name()).isInstanceOf(type);
        return type.cast(answer);
    }

    void begin(String name) throws IOException {
        appended.clear();
        expect(Answer.Done.class, new Request.Begin(new SnapshotName(name), PARAMS));
    }

    boolean isThere(StoredChunk chunk) throws IOException {
        Answer.Found found = expect(
                Answer.Found.class, new Request.Lookup(List.of(chunk.ref().fingerprint())));
        return found.present().get(0);
    }

    void put(StoredChunk chunk) throws IOException {
        expect(Answer.Done.class, new Request.Put(chunk));
    }

    /** As a backup does: only what is not there is sent. */
    void putIfNew(StoredChunk chunk) throws IOException {
        if (!isThere(chunk)) {
            put(chunk);
        }
    }

    void append(StoredChunk chunk) throws IOException {
        expect(Answer.Done.class, new Request.Append(List.of(chunk.ref())));
        appended.add(chunk.ref());
    }

    long commit() throws IOException {
        ContentDigest digest = new ContentDigest(PARAMS);
        appended.forEach(digest::add);
        long bytes = appended.stream().mapToLong(ChunkRef::length).sum();
        Request.Commit commit = new Request.Commit(bytes, appended.size(), digest.finish());
        return expect(Answer.Committed.class, commit).snapshot().id();
    }

    long backUp(String name, List<StoredChunk> chunks) throws IOException {
        begin(name);
        for (StoredChunk chunk : chunks) {
            putIfNew(chunk);
            append(chunk);
        }
        return commit();
    }

    /** Reads a snapshot as a restore does. */
    List<ChunkRef> refs(long id) throws IOException {
        return expect(Answer.Entries.class, new Request.Show(id, 0, 4096)).refs();
    }

    StoredChunk fetch(ChunkRef ref) throws IOException {
        return expect(Answer.ChunkData.class, new Request.Fetch(ref.fingerprint()))
                .chunk();
    }

    void assertRestores(long id, List<StoredChunk> chunks) throws IOException {
        List<ChunkRef> refs = refs(id);
        assertThat(refs).isEqualTo(chunks.stream().map(StoredChunk::ref).toList());
        for (StoredChunk chunk : chunks) {
            assertThat(fetch(chunk.ref()).stored().view())
                    .as("chunk of snapshot " + id)
                    .isEqualTo(chunk.stored().view());
        }
    }

    void delete(long... ids) throws IOException {
        expect(
                Answer.Done.class,
                new UpkeepRequest.Delete(java.util.Arrays.stream(ids).boxed().toList()));
    }

    UpkeepAnswer.Collected beginCollection(boolean dryRun) throws IOException {
        return expect(UpkeepAnswer.Collected.class, new UpkeepRequest.Collect(true, dryRun, 0));
    }

    UpkeepAnswer.Collected nextStep() throws IOException {
        return expect(UpkeepAnswer.Collected.class, new UpkeepRequest.Collect(false, false, 0));
    }

    /** A whole collection that frees all garbage; the last answer, with the problems of all steps. */
    UpkeepAnswer.Collected collect(boolean dryRun) throws IOException {
        List<String> problems = new ArrayList<>();
        UpkeepAnswer.Collected step = beginCollection(dryRun);
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

    @Override
    public void close() throws IOException {
        session.close();
    }
}
