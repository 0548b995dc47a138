// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that commit and delete at once: whenever the power fails, what was promised is there, and nothing is there
 * that needs an operator.
 */
class CommonCommitsTest {

    private static final UUID REPOSITORY = new UUID(3, 4);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final int CLIENTS = 4;
    private static final int COMMITS = 3;
    private static final int MAX_PAUSE_MICROS = 300;

    @TempDir
    private Path folder;

    /** A client was told that its snapshot is there. */
    private record Committed(SnapshotInfo info) {}

    /** A deletion is about to begin. */
    private record Deleting(long id) {}

    /** It is done. */
    private record Deleted(long id) {}

    private static Catalogue open(Path root, boolean isNew) throws IOException {
        return Catalogue.open(new LocalStorage(root), root, REPOSITORY, isNew, Clock.systemUTC());
    }

    private static SnapshotDraft.Contents contents(SnapshotDraft draft, String summary) {
        SealedBytes sealed = new SealedBytes(summary.getBytes(StandardCharsets.US_ASCII));
        return new SnapshotDraft.Contents(100, 0, draft.finishDigest(), sealed);
    }

    /** Ids are reserved long before their use, as by clients that seal them; so they are published in any order. */
    private static void commitSome(Catalogue catalogue, RecordedFiles files, int client, Random random)
            throws IOException {
        SnapshotName name = new SnapshotName("vm" + client);
        for (int i = 0; i < COMMITS; i++) {
            try (SnapshotDraft draft = catalogue.begin(SITE, name, Samples.SEAL)) {
                SnapshotDraft.Contents contents = contents(draft, "s" + client + "-" + i);
                SnapshotInfo info = random.nextInt(3) == 0
                        ? catalogue.publish(draft, contents)
                        : catalogue.publish(draft, contents, catalogue.reserveId(), catalogue.lastOf(SITE, name));
                files.mark(new Committed(info));
                if (i == 1) {
                    files.mark(new Deleting(info.id()));
                    catalogue.delete(SITE, List.of(info.id()));
                    files.mark(new Deleted(info.id()));
                }
            }
        }
    }

    @InTurn(days = 3)
    @RepeatedTest(4)
    void whateverIsLostOfCommitsAndDeletionsSideBySideNothingNeedsAnOperator() throws IOException {
        long seed = Samples.seed();
        RecordedFiles files = new RecordedFiles(Files.createDirectory(folder.resolve("lived")), MAX_PAUSE_MICROS);
        Files.createDirectory(files.root().resolve("incoming"));
        try (Catalogue catalogue = open(files.root(), true)) {
            Together.run(CLIENTS, client -> commitSome(catalogue, files, client, new Random(seed + client)));
        }
        List<DiskChange> changes = files.changes();
        DiskImage disk = new DiskImage();
        Map<Long, SnapshotInfo> committed = new TreeMap<>();
        TreeSet<Long> deleting = new TreeSet<>();
        TreeSet<Long> deleted = new TreeSet<>();
        Random random = new Random(seed);
        boolean begun = false;
        for (int i = 0; i < changes.size(); i++) {
            DiskChange change = changes.get(i);
            disk.apply(change);
            if (change instanceof DiskChange.Mark mark && mark.what() instanceof Committed done) {
                committed.put(done.info().id(), done.info());
                begun = true;
            } else if (change instanceof DiskChange.Mark mark && mark.what() instanceof Deleting going) {
                deleting.add(going.id());
            } else if (change instanceof DiskChange.Mark mark && mark.what() instanceof Deleted gone) {
                deleted.add(gone.id());
            }
            for (DiskImage.Loss loss :
                    List.of(DiskImage.Loss.ALL_UNFORCED, DiskImage.Loss.TORN_LAST_WRITE, DiskImage.Loss.ANY_UNFORCED)) {
                if (begun && random.nextBoolean()) {
                    check(disk, loss, seed + i, committed, deleting, deleted);
                }
            }
        }
        assertThat(committed).hasSize(CLIENTS * COMMITS);
    }

    private void check(
            DiskImage disk,
            DiskImage.Loss loss,
            long seed,
            Map<Long, SnapshotInfo> committed,
            TreeSet<Long> deleting,
            TreeSet<Long> deleted)
            throws IOException {
        Path left = folder.resolve("left");
        disk.writeTo(left, loss, new Random(seed));
        try (Catalogue catalogue = open(left, false)) {
            String when = loss + ", seed " + seed;
            assertThat(catalogue.problems()).as(when).isEmpty();
            assertThat(catalogue.ids()).as(when).filteredOn(deleted::contains).isEmpty();
            TreeSet<Long> needed = new TreeSet<>(committed.keySet());
            needed.removeAll(deleting);
            assertThat(catalogue.ids()).as(when).containsAll(needed);
            for (long id : catalogue.ids()) {
                SnapshotInfo info = catalogue.open(id).orElseThrow().info();
                if (committed.containsKey(id)) {
                    assertThat(info).as(when).isEqualTo(committed.get(id));
                }
            }
            long highest = new TreeSet<>(committed.keySet()).last();
            assertThat(catalogue.reserveId()).as(when).isGreaterThan(highest);
        }
        delete(left);
    }

    private static void delete(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path visited, @org.jspecify.annotations.Nullable IOException problem) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Test
    void ofTwoCommitsOfASeriesUnderOneLastSnapshotOneIsTurnedAway() throws IOException {
        Files.createDirectory(folder.resolve("incoming"));
        SnapshotName name = new SnapshotName("vm");
        try (Catalogue catalogue = open(folder, true)) {
            for (int round = 0; round < 20; round++) {
                long last = catalogue.lastOf(SITE, name);
                Map<Integer, String> outcomes = new HashMap<>();
                Together.run(CLIENTS, client -> {
                    try (SnapshotDraft draft = catalogue.begin(SITE, name, Samples.SEAL)) {
                        String outcome = "committed";
                        try {
                            var unused = catalogue.publish(draft, contents(draft, "x"), catalogue.reserveId(), last);
                        } catch (SeriesMovedException e) {
                            outcome = "moved";
                        }
                        synchronized (outcomes) {
                            outcomes.put(client, outcome);
                        }
                    }
                });
                assertThat(outcomes.values()).containsOnlyOnce("committed").hasSize(CLIENTS);
            }
            assertThat(catalogue.ids()).hasSize(20);
        }
    }
}
