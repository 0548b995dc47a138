// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.Frame;
import io.shredder.backup.protocol.Request;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.protocol.UpkeepAnswer;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chunk that is found damaged is asked for again, by whatever finds it. */
class RepairTest {

    private static final int CONTAINER_BYTES = 4000;

    @TempDir
    private Path root;

    private Repository repository;
    private TestSession session;
    private List<StoredChunk> chunks;
    private long snapshot;

    @BeforeEach
    void backUpAndDamage() throws IOException {
        chunks = Samples.chunks(new Random(3), 20, 500);
        open();
        snapshot = session.backUp("vm", chunks);
        flip(chunks.get(4));
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private void open() throws IOException {
        repository = Repository.open(root.resolve("repo"), Clock.systemUTC(), CONTAINER_BYTES);
        session = TestSession.open(repository);
    }

    private void flip(StoredChunk chunk) throws IOException {
        ChunkLocation at =
                repository.chunks().index().find(chunk.ref().fingerprint()).orElseThrow();
        Path container = container(at);
        byte[] bytes = Files.readAllBytes(container);
        bytes[at.offset() + 100] ^= 4;
        Files.write(container, bytes);
    }

    private List<String> verify() throws IOException {
        List<String> problems = new ArrayList<>();
        long cursor = 0;
        do {
            Answer.Verified part = (Answer.Verified) session.ask(new Request.Verify(snapshot, cursor));
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return problems;
    }

    private Path container(ChunkLocation at) {
        return root.resolve("repo").resolve(repository.chunks().containers().name(at.container()));
    }

    private void assertAskedForAgainAndHealed() throws IOException {
        assertThat(session.isThere(chunks.get(4))).isFalse();
        assertThat(session.isThere(chunks.get(5))).isTrue();
        close();
        open();
        assertThat(session.isThere(chunks.get(4))).as("after a restart").isFalse();
        long again = session.backUp("vm", chunks);
        assertThat(session.isThere(chunks.get(4))).isTrue();
        session.assertRestores(snapshot, chunks);
        session.assertRestores(again, chunks);
        close();
        open();
        session.assertRestores(snapshot, chunks);
        assertThat(root.resolve("repo/damaged")).doesNotExist();
    }

    @Test
    void aFetchFindsIt() throws IOException {
        assertThat(session.isThere(chunks.get(4))).as("nobody knows yet").isTrue();
        assertThatThrownBy(() -> session.fetch(chunks.get(4).ref().fingerprint()))
                .isInstanceOf(DamagedDataException.class);
        assertAskedForAgainAndHealed();
    }

    @Test
    void anUnprovedFetchSendsWhatLiesThereAndLeavesItToTheClientToAskAgain() throws IOException {
        Answer.ChunkRecord sent = (Answer.ChunkRecord)
                session.ask(new Request.FetchUnproved(chunks.get(4).ref().fingerprint()));
        ByteBuffer body = ByteBuffer.allocate(sent.bodyBytes());
        sent.writeBody(body);
        Answer.ChunkData received = (Answer.ChunkData) new Frame(sent.type(), 1, body.flip(), 0).answer("agent");
        assertThat(received.chunk().ref()).isEqualTo(chunks.get(4).ref());
        assertThatThrownBy(() -> received.chunk().check()).isInstanceOf(BadChunkException.class);
        assertThat(session.isThere(chunks.get(4))).as("nobody knows yet").isTrue();
        aFetchFindsIt();
    }

    @Test
    void anUnprovedFetchFindsADamagedHead() throws IOException {
        ChunkLocation at = repository
                .chunks()
                .index()
                .find(chunks.get(7).ref().fingerprint())
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(container(at));
        bytes[at.offset() + 60] ^= 4;
        Files.write(container(at), bytes);
        assertThatThrownBy(() -> session.ask(
                        new Request.FetchUnproved(chunks.get(7).ref().fingerprint())))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("another CRC32C (while reading chunk "
                        + chunks.get(7).ref().fingerprint());
        assertThat(session.isThere(chunks.get(7))).isFalse();
    }

    @Test
    void aVerificationFindsIt() throws IOException {
        assertThat(verify())
                .singleElement()
                .asString()
                .contains(chunks.get(4).ref().fingerprint().toString());
        assertAskedForAgainAndHealed();
    }

    @Test
    void aCollectionFindsItLeavesItsContainerAndTakesThatAwayOnceItIsHealed() throws IOException {
        session.delete(session.backUp("other", List.of(Samples.sealed(new byte[300]))));
        StoredChunk neighbour = chunks.get(3);
        session.delete(snapshot);
        snapshot = session.backUp("vm", List.of(chunks.get(4), chunks.get(5)));
        UpkeepAnswer.Collected collected = session.collect(false);
        assertThat(collected.problems()).singleElement().asString().contains("left as it is");
        assertThat(session.isThere(chunks.get(4))).isFalse();
        assertThat(session.isThere(neighbour))
                .as("garbage of the container that was left")
                .isTrue();
        session.put(chunks.get(4));
        assertThat(session.collect(false).problems()).isEmpty();
        assertThat(session.isThere(neighbour)).isFalse();
        session.assertRestores(snapshot, List.of(chunks.get(4), chunks.get(5)));
    }

    @Test
    void aMissingContainerIsSentAgainWhole() throws IOException {
        ChunkLocation at = repository
                .chunks()
                .index()
                .find(chunks.get(4).ref().fingerprint())
                .orElseThrow();
        close();
        open();
        Files.delete(container(at));
        assertThat(verify()).isNotEmpty().allMatch(line -> line.contains("the container is missing"));
        session.backUp("vm", chunks);
        session.assertRestores(snapshot, chunks);
    }
}
