// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While the disk takes its time for one client, no other waits. It would be for ever: hence the limit. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingForTheDiskTest {

    @TempDir
    private Path folder;

    private final List<StoredRegion> regions = Samples.chunks(new Random(7), 40, 700);
    private RecordedFiles files;
    private Repository repository;

    @BeforeEach
    void open() throws IOException {
        files = new RecordedFiles(Files.createDirectory(folder.resolve("disk")));
        repository = RandomLife.open(files.root());
    }

    @AfterEach
    void close() throws IOException {
        files.hold(change -> false);
        repository.close();
    }

    private long backUp(String name, List<StoredRegion> image) throws IOException {
        try (TestSession session = TestSession.open(repository)) {
            return session.backUp(name, Samples.SHARED, image);
        }
    }

    private static Predicate<DiskChange> givesNameTo(String part) {
        return change ->
                change instanceof DiskChange.Rename rename && rename.to().contains(part);
    }

    @Test
    void aCommitThatWaitsForTheDiskHoldsUpNeitherCollectionNorPutsNorFetches() throws IOException {
        long first = backUp("vm", regions.subList(0, 20));
        backUp("old", regions.subList(15, 25));
        files.hold(givesNameTo("snapshots/site1/slow"));
        TogetherRun<Long> slow = TogetherRun.begin(1, number -> backUp("slow", regions.subList(10, 30)));
        files.awaitHeld();
        try (TestSession session = TestSession.open(repository)) {
            session.delete(first);
            assertThat(session.collect(false).problems()).isEmpty();
            session.begin("other");
            session.put(regions.get(35));
            session.append(regions.get(35));
            long other = session.commit();
            session.assertRestores(other, List.of(regions.get(35)));
        }
        files.hold(change -> false);
        long committed = slow.end().get(0);
        try (TestSession session = TestSession.open(repository)) {
            session.assertRestores(committed, regions.subList(10, 30));
            assertThat(session.collect(false).problems()).isEmpty();
            session.assertRestores(committed, regions.subList(10, 30));
            assertThat(session.problems()).isEmpty();
        }
    }

    @Test
    void aDeletionThatWaitsForTheDiskHoldsUpNobody() throws IOException {
        long first = backUp("vm", regions.subList(0, 20));
        backUp("vm", regions.subList(10, 30));
        files.hold(change ->
                change instanceof DiskChange.Delete delete && delete.name().contains("snapshots/"));
        TogetherRun<Boolean> slow = TogetherRun.begin(1, number -> {
            try (TestSession session = TestSession.open(repository)) {
                session.delete(first);
                return true;
            }
        });
        files.awaitHeld();
        long other = backUp("other", regions.subList(20, 40));
        try (TestSession session = TestSession.open(repository)) {
            session.beginCollection(false);
            session.assertRestores(other, regions.subList(20, 40));
        }
        files.hold(change -> false);
        assertThat(slow.end()).containsExactly(true);
        try (TestSession session = TestSession.open(repository)) {
            assertThat(session.collect(false).problems()).isEmpty();
            session.assertRestores(other, regions.subList(20, 40));
        }
    }

    /** A pack of pages is named before its snapshot is: a collection must not take it for one that nobody needs. */
    @Test
    void aPackWhoseSnapshotIsBeingCommittedStays() throws IOException {
        backUp("vm", regions.subList(0, 20));
        files.hold(givesNameTo("snapshots/site1/slow"));
        TogetherRun<Long> slow = TogetherRun.begin(1, number -> backUp("slow", regions.subList(10, 30)));
        files.awaitHeld();
        try (TestSession session = TestSession.open(repository)) {
            assertThat(session.collect(false).problems()).isEmpty();
        }
        files.hold(change -> false);
        long committed = slow.end().get(0);
        try (TestSession session = TestSession.open(repository)) {
            session.assertRestores(committed, regions.subList(10, 30));
            assertThat(session.problems()).isEmpty();
        }
    }
}
