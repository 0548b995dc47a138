// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record of commits and deletions notices if files, or it itself, are lost, exchanged, older or back again. */
class CatalogueTest {

    private static final UUID REPOSITORY = new UUID(3, 4);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName OTHER = new SnapshotName("site2");
    private static final SnapshotName NAME = new SnapshotName("vm");

    @TempDir
    private Path root;

    private Catalogue catalogue;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(root.resolve("incoming"));
        catalogue = open(true);
    }

    @AfterEach
    void close() throws IOException {
        catalogue.close();
    }

    private Catalogue open(boolean isNew) throws IOException {
        return Catalogue.open(new LocalStorage(root), root, REPOSITORY, isNew, Clock.systemUTC());
    }

    private void reopen() throws IOException {
        catalogue.close();
        catalogue = open(false);
    }

    private SnapshotInfo commit(SnapshotName namespace, String summary) throws IOException {
        SealedBytes sealed = new SealedBytes(summary.getBytes(StandardCharsets.US_ASCII));
        try (SnapshotDraft draft = catalogue.begin(namespace, NAME, Samples.SEAL)) {
            return catalogue.publish(draft, new SnapshotDraft.Contents(100, 0, draft.finishDigest(), sealed));
        }
    }

    private Path file(SnapshotName namespace, long id) {
        return root.resolve(String.format("snapshots/%s/vm/%016d.snapshot", namespace, id));
    }

    private Path log() {
        return root.resolve("catalogue.log");
    }

    private void commitThree() throws IOException {
        commit(SITE, "one");
        commit(SITE, "two");
        commit(OTHER, "three");
    }

    @Test
    void whatWasCommittedAndDeletedIsKnownAfterwards() throws IOException {
        commitThree();
        catalogue.delete(SITE, List.of(1L));
        reopen();
        assertThat(catalogue.ids()).containsExactly(2L, 3L);
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.lastOf(SITE, NAME)).isEqualTo(2);
        assertThat(catalogue.list(OTHER, NAME, 0)).containsOnlyKeys(3L);
        assertThat(catalogue.list(SITE, new SnapshotName("other"), 0)).isEmpty();
        assertThat(catalogue.imageBytes(SITE)).isEqualTo(100);
        assertThat(commit(SITE, "four").id()).isEqualTo(4);
    }

    @Test
    void aLostFileIsMissedAndNothingElseIsDeletedUntilItIsGivenUp() throws IOException {
        commitThree();
        Files.delete(file(SITE, 1));
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("vm/0000000000000001", "missing");
        assertThat(catalogue.ids()).contains(1L);
        assertThatThrownBy(() -> catalogue.open(1)).hasMessageContaining("missing");
        assertThat(catalogue.whyNotDelete(SITE, List.of(2L))).isPresent();
        assertThat(catalogue.whyNotDelete(OTHER, List.of(3L))).isEmpty();
        assertThat(catalogue.whyNotDelete(SITE, List.of(1L))).isEmpty();
        catalogue.delete(SITE, List.of(1L));
        assertThat(catalogue.problems()).isEmpty();
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(2L, 3L);
    }

    @Test
    void aFileThatWasPutBackIsNoProblemAnyMore() throws IOException {
        commitThree();
        Path aside = root.resolve("aside");
        Files.move(file(SITE, 1), aside);
        reopen();
        assertThat(catalogue.problems()).hasSize(1);
        Files.move(aside, file(SITE, 1));
        assertThat(catalogue.problems()).isEmpty();
    }

    @Test
    void aLostFolderIsMissedWhole() throws IOException {
        commitThree();
        Files.move(root.resolve("snapshots"), root.resolve("aside"));
        reopen();
        assertThat(catalogue.problems()).hasSize(3);
        assertThat(catalogue.ids()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void exchangedFilesAreNotOpened() throws IOException {
        commit(SITE, "one");
        commit(SITE, "two");
        Path other = Files.createTempDirectory("other");
        Files.createDirectories(other.resolve("incoming"));
        // Another repository's snapshot with the same id and name passes every check but the record's.
        try (Catalogue twin = Catalogue.open(new LocalStorage(other), other, REPOSITORY, true, Clock.systemUTC());
                SnapshotDraft draft = twin.begin(SITE, NAME, Samples.SEAL)) {
            twin.publish(
                    draft,
                    new SnapshotDraft.Contents(
                            100, 0, draft.finishDigest(), new SealedBytes("ONE".getBytes(StandardCharsets.US_ASCII))));
        }
        Files.copy(
                other.resolve("snapshots/site1/vm/0000000000000001.snapshot"),
                file(SITE, 1),
                StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> catalogue.open(1)).hasMessageContaining("is not the snapshot that was committed as 1");
    }

    @Test
    void aDeletedSnapshotThatComesBackIsNamedAndNotListed() throws IOException {
        commitThree();
        Path aside = root.resolve("aside");
        Files.copy(file(SITE, 1), aside);
        catalogue.delete(SITE, List.of(1L));
        catalogue.delete(SITE, List.of(2L));
        Files.move(aside, file(SITE, 1));
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("nobody recorded");
        assertThat(catalogue.ids()).containsExactly(3L);
        assertThat(catalogue.whyNotDelete(OTHER, List.of(3L))).isPresent();
        Files.delete(file(SITE, 1));
        reopen();
        assertThat(catalogue.problems()).isEmpty();
    }

    @Test
    void aDeletionThatACrashInterruptedIsEnded() throws IOException {
        commitThree();
        Path aside = root.resolve("aside");
        Files.copy(file(SITE, 1), aside);
        catalogue.delete(SITE, List.of(1L));
        Files.move(aside, file(SITE, 1));
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(file(SITE, 1)).doesNotExist();
    }

    @Test
    void aSnapshotWhoseRecordACrashPreventedIsTakenIn() throws IOException {
        commitThree();
        byte[] before = Files.readAllBytes(log());
        SnapshotInfo last = commit(SITE, "four");
        byte[] after = Files.readAllBytes(log());
        for (int end = before.length; end < after.length; end++) {
            catalogue.close();
            Files.write(log(), java.util.Arrays.copyOf(after, end));
            catalogue = open(false);
            assertThat(catalogue.problems()).as("cut at %d", end).isEmpty();
            assertThat(catalogue.open(4).orElseThrow().info()).isEqualTo(last);
        }
    }

    /** The sectors of a record may come in any order; the disk has zeros where one did not. */
    @Test
    void aRecordOfWhichACrashLostASectorIsCutOff() throws IOException {
        int torn = 0;
        for (int number = 1; torn < 3; number++) {
            long before = Files.size(log());
            SnapshotInfo last = commit(SITE, "vm" + number);
            byte[] after = Files.readAllBytes(log());
            long boundary = (before / 512 + 1) * 512;
            if (boundary < after.length) {
                catalogue.close();
                byte[] lost = after.clone();
                Arrays.fill(lost, (int) before, (int) boundary, (byte) 0);
                Files.write(log(), lost);
                catalogue = open(false);
                assertThat(catalogue.problems()).as("sector lost at %d", before).isEmpty();
                assertThat(catalogue.open(last.id()).orElseThrow().info()).isEqualTo(last);
                torn++;
            }
        }
    }

    /** The head of a record may lie in two sectors, of which a crash lost the second. */
    @Test
    void aRecordOfWhoseHeadACrashLostTheEndIsCutOff() throws IOException {
        int torn = 0;
        for (int number = 1; torn < 2; number++) {
            int before = (int) Files.size(log());
            SnapshotInfo last = commit(SITE, "s".repeat(number % 500));
            byte[] after = Files.readAllBytes(log());
            int boundary = (before / 512 + 1) * 512;
            if (boundary < before + 12) {
                catalogue.close();
                byte[] lost = after.clone();
                Arrays.fill(lost, boundary, Math.min(after.length, boundary + 512), (byte) 0);
                Files.write(log(), lost);
                catalogue = open(false);
                assertThat(catalogue.problems()).as("head lost at %d", before).isEmpty();
                assertThat(catalogue.open(last.id()).orElseThrow().info()).isEqualTo(last);
                torn++;
            }
        }
    }

    @Test
    void aSectorThatIsLostAboveOtherRecordsIsDamage() throws IOException {
        int before = (int) Files.size(log());
        commitThree();
        commit(SITE, "four");
        commit(SITE, "five");
        byte[] lost = Files.readAllBytes(log());
        Arrays.fill(lost, before, 512, (byte) 0);
        catalogue.close();
        Files.write(log(), lost);
        catalogue = open(false);
        assertThat(catalogue.problems()).anySatisfy(line -> assertThat(line).contains("damaged at offset " + before));
    }

    @Test
    void anOlderRecordIsNoticed() throws IOException {
        commitThree();
        byte[] before = Files.readAllBytes(log());
        commit(SITE, "four");
        commit(SITE, "five");
        catalogue.close();
        Files.write(log(), before);
        catalogue = open(false);
        assertThat(catalogue.problems()).hasSize(2).allSatisfy(line -> assertThat(line)
                .contains("nobody recorded"));
    }

    @Test
    void anOlderFolderOfSnapshotsIsNoticed() throws IOException {
        commitThree();
        commit(SITE, "four");
        Files.delete(file(SITE, 4));
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("0004.snapshot", "missing");
        assertThat(commit(SITE, "five").id()).isEqualTo(5);
    }

    @Test
    void aLostRecordStopsDeletionsAndNoBackupUntilItIsAccepted() throws IOException {
        commitThree();
        catalogue.close();
        Files.delete(log());
        catalogue = open(false);
        assertThat(catalogue.problems()).singleElement().asString().contains("catalogue.log is missing", "accept-");
        assertThat(catalogue.ids()).containsExactly(1L, 2L, 3L);
        commit(SITE, "four");
        reopen();
        assertThat(catalogue.problems()).hasSize(1);
        assertThat(catalogue.whyNotDelete(SITE, List.of(1L))).isPresent();
        Catalogue.Accepted accepted = catalogue.accept();
        assertThat(accepted.kept()).isEqualTo(4);
        assertThat(accepted.lost()).isEmpty();
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.whyNotDelete(SITE, List.of(1L))).isEmpty();
    }

    @Test
    void aRecordAndItsSnapshotsThatAreBothLostAreNoticed() throws IOException {
        commitThree();
        catalogue.close();
        Files.delete(log());
        Files.move(root.resolve("snapshots"), root.resolve("aside"));
        catalogue = open(false);
        assertThat(catalogue.problems()).singleElement().asString().contains("catalogue.log is missing");
    }

    @Test
    void acceptingGivesUpWhatIsMissingAndTakesInWhatIsThere() throws IOException {
        commitThree();
        Path aside = root.resolve("aside");
        Files.copy(file(SITE, 2), aside);
        catalogue.delete(SITE, List.of(2L));
        catalogue.delete(OTHER, List.of(3L));
        commit(OTHER, "four");
        Files.move(aside, file(SITE, 2));
        Files.delete(file(SITE, 1));
        reopen();
        assertThat(catalogue.problems()).hasSize(2);
        Catalogue.Accepted accepted = catalogue.accept();
        assertThat(accepted.lost()).extracting(CatalogueEntry::id).containsExactly(1L);
        assertThat(accepted.found()).extracting(CatalogueEntry::id).containsExactly(2L);
        assertThat(catalogue.ids()).containsExactly(2L, 4L);
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(2L, 4L);
        assertThat(commit(SITE, "five").id()).isEqualTo(5);
    }

    /** Every bit of it: either nothing is lost by it, or it is named. */
    @InTurn(days = 3)
    @Test
    void damageOfTheRecordIsNamedOrHarmless() throws IOException {
        commitThree();
        catalogue.delete(SITE, List.of(2L));
        catalogue.close();
        byte[] whole = Files.readAllBytes(log());
        Random random = new Random(1);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(log(), damaged);
            catalogue = open(false);
            boolean named = !catalogue.problems().isEmpty();
            assertThat(catalogue.ids()).as("flip at %d", at).contains(1L, 3L);
            assertThat(named || catalogue.ids().equals(List.of(1L, 3L)))
                    .as("flip at %d", at)
                    .isTrue();
            catalogue.close();
        }
        Files.write(log(), whole);
        catalogue = open(false);
        assertThat(catalogue.problems()).isEmpty();
    }

    @Test
    void anotherRepositorysRecordIsNotTaken() throws IOException {
        commitThree();
        catalogue.close();
        Path other = Files.createTempDirectory("other");
        Files.createDirectories(other.resolve("incoming"));
        Catalogue.open(new LocalStorage(other), other, new UUID(5, 6), true, Clock.systemUTC())
                .close();
        Files.copy(other.resolve("catalogue.log"), log(), StandardCopyOption.REPLACE_EXISTING);
        catalogue = open(false);
        assertThat(catalogue.problems()).singleElement().asString().contains("belongs to repository");
        assertThat(catalogue.ids()).containsExactly(1L, 2L, 3L);
    }

    @InTurn(days = 3)
    @Test
    void aLongRecordIsWrittenAnewShorter() throws IOException {
        commitThree();
        for (long id = 4; id < 300; id++) {
            commit(SITE, "x");
            catalogue.delete(SITE, List.of(id));
        }
        long before = Files.size(log());
        reopen();
        assertThat(Files.size(log())).isLessThan(before / 50);
        assertThat(catalogue.ids()).containsExactly(1L, 2L, 3L);
        assertThat(commit(SITE, "y").id()).isEqualTo(300);
    }

    /** Longer than what is read of the record at once, single ones and all together. */
    @Test
    void whatIsRecordedOfASnapshotIsReadBackHoweverLongTheRecordIs() throws IOException {
        List<SnapshotInfo> committed = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            committed.add(commit(SITE, "s".repeat(i == 0 ? 1 : SnapshotInfo.MAX_SUMMARY_BYTES - i)));
        }
        assertThat(Files.size(log())).isGreaterThan(1 << 20);
        assertRecorded(committed);
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertRecorded(committed);
        committed.add(commit(SITE, "last"));
        assertRecorded(committed);
        Files.write(log(), new byte[3 << 20], StandardOpenOption.APPEND); // The file had grown when the power was lost.
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertRecorded(committed);
        Catalogue.Accepted accepted = catalogue.accept();
        assertThat(accepted.lost()).isEmpty();
        assertThat(accepted.found()).isEmpty();
        assertRecorded(committed);
    }

    private void assertRecorded(List<SnapshotInfo> committed) throws IOException {
        List<SnapshotInfo> recorded = new ArrayList<>();
        for (CatalogueEntry entry : catalogue.list(SITE, NAME, 0).values()) {
            recorded.add(catalogue.info(entry).orElseThrow());
        }
        assertThat(recorded).isEqualTo(committed);
    }

    @Test
    void damageOfTheRecordIsNamedWhenASnapshotIsLookedUpThere() throws IOException {
        commitThree();
        byte[] whole = Files.readAllBytes(log());
        CatalogueEntry second = Objects.requireNonNull(catalogue.list(SITE, 0).get(2L));
        CatalogueEntry third = Objects.requireNonNull(catalogue.list(OTHER, 0).get(3L));
        for (int at = (int) second.recordAt(); at < third.recordAt(); at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            for (byte[] other : List.of(damaged, Arrays.copyOf(whole, at))) {
                Files.write(log(), other);
                assertThatThrownBy(() -> catalogue.info(second))
                        .isInstanceOf(DamagedDataException.class)
                        .hasMessageContaining("catalogue.log");
            }
        }
        Files.write(log(), whole);
        assertThat(catalogue.info(second)).isPresent();
    }

    @Test
    void snapshotsOfASeriesShareTheirNamesInMemory() throws IOException {
        commitThree();
        reopen();
        commit(SITE, "four");
        assertThat(catalogue.list(SITE, 0).values()).hasSize(3).allSatisfy(entry -> assertThat(entry.name())
                .isSameAs(catalogue.list(SITE, 0).get(1L).name()));
    }
}
