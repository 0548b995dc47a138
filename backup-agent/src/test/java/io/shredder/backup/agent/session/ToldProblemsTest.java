// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of what others lose a client learns that it is lost, and nothing by which it could bring something else. */
class ToldProblemsTest {

    private static final SnapshotName STRANGER = new SnapshotName("site2");

    @TempDir
    private Path folder;

    private final List<StoredRegion> theirs = Samples.chunks(new Random(1), 10, 900);
    private final List<StoredRegion> own = Samples.chunks(new Random(2), 10, 900);
    private Repository repository;

    /** One chunk of each is missing from the index and one damaged, and one list of each. */
    @BeforeEach
    void damage() throws IOException {
        open();
        for (SnapshotName name : List.of(TestSession.CLIENT, STRANGER)) {
            List<StoredRegion> image = name.equals(STRANGER) ? own : theirs;
            try (TestSession session = session(name, Right.APPEND, Right.RESTORE)) {
                session.backUp("secret-" + name, Samples.SEAL, image);
                session.backUp("secret-" + name, Samples.SHARED, image);
                session.backUp("secret-" + name, image);
                session.backUp("secret-" + name, image);
            }
            ChunkLocation at = place(image.get(1));
            flip("containers/00000/0000000" + at.container() + ".container", at.offset() + 4);
            flip(
                    "snapshots/" + name + "/secret-" + name
                            + (name.equals(STRANGER) ? "/0000000000000007" : "/0000000000000003") + ".snapshot",
                    200);
            repository.chunks().index().remove(image.get(0).first().fingerprint());
        }
        close();
        Files.delete(folder.resolve("repo/snapshots/site1/secret-site1/0000000000000004.snapshot"));
        Files.copy(
                folder.resolve("repo/snapshots/site1/secret-site1/0000000000000001.snapshot"),
                folder.resolve("repo/snapshots/site1/secret-site1/0000000000000099.snapshot"));
        open();
    }

    private void open() throws IOException {
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC(), 5000);
    }

    @AfterEach
    void close() throws IOException {
        repository.close();
    }

    private ChunkLocation place(StoredRegion region) throws IOException {
        return repository.chunks().index().find(region.first().fingerprint()).orElseThrow();
    }

    private void flip(String file, int at) throws IOException {
        Path path = folder.resolve("repo").resolve(file);
        byte[] bytes = Files.readAllBytes(path);
        bytes[at] ^= 1;
        Files.write(path, bytes);
    }

    private TestSession session(SnapshotName name, Right... rights) {
        return new TestSession(
                repository, new ClientAccess(name, name, Set.of(rights), OptionalLong.empty(), Duration.ZERO));
    }

    private static List<String> everything(TestSession session) throws IOException {
        List<String> problems = new ArrayList<>();
        long cursor = 0;
        do {
            Answer.Verified part = (Answer.Verified) session.ask(new Request.Verify(0, cursor));
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return problems;
    }

    @Test
    void aClientLearnsNeitherIdentitiesNorNamesOfOthers() throws IOException {
        try (TestSession session = session(STRANGER, Right.RESTORE)) {
            for (List<String> told : List.of(
                    everything(session), session.verify(VerifyScope.EVERYTHING).problems())) {
                assertThat(told).noneMatch(line -> line.contains("site1")).noneMatch(line -> theirs.stream()
                        .flatMap(region -> region.fingerprints().stream())
                        .anyMatch(chunk -> line.contains(chunk.toString())));
                assertThat(told)
                        .anyMatch(line -> line.contains("containers/") && line.contains("chunk (withheld)"))
                        .anyMatch(line -> line.contains("snapshot 1, which is another client's: 1 problem;"))
                        .anyMatch(line -> line.contains("snapshot 3, which is another client's: 1 problem;"))
                        .anyMatch(line -> line.contains("the record of other clients' snapshots: 2 problems;"));
            }
        }
    }

    @Test
    void itLearnsAllOfItsOwn() throws IOException {
        Fingerprint missing = own.get(0).first().fingerprint();
        try (TestSession session = session(STRANGER, Right.RESTORE)) {
            assertThat(everything(session))
                    .contains("snapshot 5: chunk " + missing + " is missing from the index")
                    .contains("snapshot 6: chunk " + missing + " is missing from the index")
                    .anyMatch(line -> line.contains("site2/secret-site2/0000000000000007.snapshot: damaged"));
        }
    }

    @Test
    void whoLooksAfterTheStoreIsToldAll() throws IOException {
        Pattern damaged =
                Pattern.compile("containers/.*" + theirs.get(1).first().fingerprint() + ".*");
        try (TestSession session = session(STRANGER, Right.RESTORE, Right.PRUNE)) {
            assertThat(everything(session))
                    .noneMatch(line -> line.contains("withheld") || line.contains("another client"))
                    .anyMatch(line -> damaged.matcher(line).matches())
                    .contains("snapshot 1: chunk " + theirs.get(0).first().fingerprint() + " is missing from the index")
                    .anyMatch(line -> line.contains("0000000000000003.snapshot: damaged"))
                    .anyMatch(line -> line.contains("0000000000000099.snapshot"));
        }
    }
}
