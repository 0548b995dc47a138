// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.storage.HeldStorage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of snapshots that come after the next process has listed the storage: nobody was told of them. */
class LateFilesTest {

    private static final UUID REPOSITORY = new UUID(3, 4);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final String VM = "vm";

    @TempDir
    private Path root;

    /** Of files, by name; what stands for the metadata of objects. */
    private final Map<String, UUID> writers = new HashMap<>();

    private UUID hold = new UUID(0, 0);
    private boolean fails;
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
        hold = new UUID(0, hold.getLeastSignificantBits() + 1);
        return Catalogue.open(
                HeldStorage.of(root, hold, writers, () -> fails), root, REPOSITORY, isNew, Clock.systemUTC());
    }

    private void reopen() throws IOException {
        catalogue.close();
        catalogue = open(false);
    }

    private SnapshotInfo commit(String name) throws IOException {
        SealedBytes sealed = new SealedBytes("summary".getBytes(StandardCharsets.US_ASCII));
        try (SnapshotDraft draft = catalogue.begin(SITE, new SnapshotName(name), Samples.SEAL)) {
            return catalogue.publish(draft, new SnapshotDraft.Contents(100, 0, draft.finishDigest(), sealed));
        }
    }

    private static String file(String name, long id) {
        return String.format("snapshots/site1/%s/%016d.snapshot", name, id);
    }

    /** A snapshot that is on its way. */
    private interface Late {
        void arrives() throws IOException;
    }

    /** As if the process had died with a snapshot on its way: its file, and the log without its record. */
    private Late dieWithOneOnItsWay() throws IOException {
        UUID writer = hold;
        byte[] record = Files.readAllBytes(root.resolve("catalogue.log"));
        long id = commit(VM).id();
        byte[] bytes = Files.readAllBytes(root.resolve(file(VM, id)));
        catalogue.close();
        Files.delete(root.resolve(file(VM, id)));
        Files.write(root.resolve("catalogue.log"), record);
        return () -> arrive(VM, id, bytes, writer);
    }

    /** The same with snapshot 2, beside one that was committed, and the next process has begun. */
    private Late begunBehindOneOnItsWay() throws IOException {
        commit(VM);
        Late late = dieWithOneOnItsWay();
        catalogue = open(false);
        return late;
    }

    private void arrive(String name, long id, byte[] bytes, UUID writer) throws IOException {
        Path file = root.resolve(file(name, id));
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        writers.put(file(name, id), writer);
    }

    @Test
    void oneThatComesBeforeTheNextProcessListsIsTakenIn() throws IOException {
        commit(VM);
        Late late = dieWithOneOnItsWay();
        late.arrives();
        catalogue = open(false);
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(1L, 2L);
    }

    @Test
    void oneThatComesAfterwardsIsLeftOut() throws IOException {
        Late late = begunBehindOneOnItsWay();
        late.arrives();
        for (int i = 0; i < 2; i++) {
            reopen();
            assertThat(catalogue.problems()).isEmpty();
            assertThat(catalogue.ids()).containsExactly(1L);
        }
    }

    @Test
    void oneThatComesInThePlaceOfOneThatCameLateIsLeftOut() throws IOException {
        Late late = begunBehindOneOnItsWay();
        Late later = dieWithOneOnItsWay();
        late.arrives();
        catalogue = open(false);
        later.arrives();
        for (int i = 0; i < 2; i++) {
            reopen();
            assertThat(catalogue.problems()).isEmpty();
            assertThat(catalogue.ids()).containsExactly(1L);
        }
        assertThat(commit("db").id()).isEqualTo(3);
    }

    @Test
    void oneThatComesUnderTheIdOfAnotherLeavesThatOneAlone() throws IOException {
        Late late = begunBehindOneOnItsWay();
        assertThat(commit("db").id()).isEqualTo(2);
        late.arrives();
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.list(SITE, 0)).containsOnlyKeys(1L, 2L);
        assertThat(catalogue.lastOf(SITE, new SnapshotName("db"))).isEqualTo(2);
        assertThat(catalogue.lastOf(SITE, new SnapshotName(VM))).isEqualTo(1);
    }

    @Test
    void oneWhoseClientWasToldThatItFailedIsDeletedWhenItComes() throws IOException {
        commit(VM);
        byte[] any = Files.readAllBytes(root.resolve(file(VM, 1)));
        fails = true;
        assertThatThrownBy(() -> commit(VM)).hasMessageContaining("no answer");
        fails = false;
        arrive(VM, 2, any, hold);
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(1L);
        assertThat(root.resolve(file(VM, 2))).doesNotExist();
    }

    @Test
    void oneThatWasDeletedInTheLastHoldAndIsBackIsNamedUnlessItWentLast() throws IOException {
        commit(VM);
        commit(VM);
        commit(VM);
        byte[] first = Files.readAllBytes(root.resolve(file(VM, 1)));
        byte[] second = Files.readAllBytes(root.resolve(file(VM, 2)));
        UUID writer = hold;
        reopen();
        catalogue.delete(SITE, List.of(1L));
        catalogue.delete(SITE, List.of(2L));
        arrive(VM, 1, first, writer);
        arrive(VM, 2, second, writer);
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("0001.snapshot", "or it was deleted");
        assertThat(root.resolve(file(VM, 2))).doesNotExist();
    }

    @Test
    void whatWasCommittedAfterAnOlderRecordStaysNamedAndItsIdIsNotGivenOut() throws IOException {
        commit(VM);
        reopen();
        byte[] older = Files.readAllBytes(root.resolve("catalogue.log"));
        commit(VM);
        commit(VM);
        catalogue.close();
        Files.write(root.resolve("catalogue.log"), older);
        catalogue = open(false);
        for (int i = 0; i < 3; i++) {
            assertThat(catalogue.problems()).hasSize(2);
            reopen();
        }
        assertThat(commit("db").id()).isGreaterThan(3);
        catalogue.accept();
        assertThat(catalogue.ids()).hasSize(4);
        reopen();
        assertThat(catalogue.problems()).isEmpty();
    }

    @Test
    void acceptingLeavesOutWhatCameLateAndAlsoBesideAnotherOfItsId() throws IOException {
        Late late = begunBehindOneOnItsWay();
        commit("db");
        late.arrives();
        reopen();
        catalogue.accept();
        assertThat(catalogue.list(SITE, 0)).containsOnlyKeys(1L, 2L);
        assertThat(catalogue.lastOf(SITE, new SnapshotName("db"))).isEqualTo(2);
        Files.delete(root.resolve("catalogue.log"));
        Files.delete(root.resolve(file(VM, 2)));
        reopen();
        assertThat(catalogue.ids()).containsExactly(1L, 2L);
    }

    @Test
    void oneOfAnothersIdThatNobodyCanExplainIsNamedAndTheAgentStarts() throws IOException {
        commit(VM);
        arrive("other", 1, Files.readAllBytes(root.resolve(file(VM, 1))), new UUID(9, 9));
        reopen();
        assertThat(catalogue.problems())
                .singleElement()
                .asString()
                .contains("other/0000000000000001", "nobody recorded");
        assertThat(catalogue.ids()).containsExactly(1L);
    }

    @Test
    void whatIsLateStaysKnownOverManyHolds() throws IOException {
        Late late = begunBehindOneOnItsWay();
        commit("db");
        late.arrives();
        for (int i = 0; i < 700; i++) {
            reopen();
        }
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(1L, 2L);
    }

    @Test
    void whatTheRecordCantExplainIsNamedAsEver() throws IOException {
        commit(VM);
        byte[] any = Files.readAllBytes(root.resolve(file(VM, 1)));
        arrive("other", 7, any, new UUID(9, 9));
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("nobody recorded");
    }

    @Test
    void oneThatWasDeletedAndIsBackIsNamedAsEver() throws IOException {
        commit(VM);
        commit(VM);
        byte[] any = Files.readAllBytes(root.resolve(file(VM, 1)));
        UUID writer = hold;
        reopen();
        catalogue.delete(SITE, List.of(1L));
        reopen();
        arrive(VM, 1, any, writer);
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("or it was deleted");
    }

    @Test
    void oneThatWasWithdrawnIsLeftOutHoweverLateItComes() throws IOException {
        commit(VM);
        byte[] any = Files.readAllBytes(root.resolve(file(VM, 1)));
        UUID writer = hold;
        fails = true;
        assertThatThrownBy(() -> commit(VM)).hasMessageContaining("no answer");
        fails = false;
        commit(VM);
        reopen();
        arrive(VM, 2, any, writer);
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(1L, 3L);
    }

    @Test
    void anOlderRecordTakesNothingThatCameAfterItForLate() throws IOException {
        commit(VM);
        reopen();
        commit(VM);
        byte[] older = Files.readAllBytes(root.resolve("catalogue.log"));
        for (int i = 0; i < 3; i++) {
            reopen();
            commit(VM);
        }
        catalogue.close();
        Files.write(root.resolve("catalogue.log"), older);
        catalogue = open(false);
        assertThat(catalogue.problems()).hasSize(3);
    }

    @Test
    void whatIsLateIsKnownOfARecordThatWasWrittenAnew() throws IOException {
        Late late = begunBehindOneOnItsWay();
        catalogue.accept();
        late.arrives();
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(1L);
    }

    @Test
    void oneThatWasWithdrawnGoesAndALateOneOfItsIdIsLeftOut() throws IOException {
        Late late = begunBehindOneOnItsWay();
        byte[] any = Files.readAllBytes(root.resolve(file(VM, 1)));
        fails = true;
        assertThatThrownBy(() -> commit("db")).hasMessageContaining("no answer");
        fails = false;
        late.arrives();
        arrive("db", 2, any, hold);
        reopen();
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(1L);
        assertThat(root.resolve(file("db", 2))).doesNotExist();
    }

    @Test
    void oneThatWasTakenInAndDeletedAndIsBackIsNamedAsEver() throws IOException {
        commit(VM);
        UUID writer = hold;
        Late onItsWay = dieWithOneOnItsWay();
        onItsWay.arrives();
        byte[] second = Files.readAllBytes(root.resolve(file(VM, 2)));
        catalogue = open(false);
        catalogue.delete(SITE, List.of(2L));
        reopen();
        arrive(VM, 2, second, writer);
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("or it was deleted");
    }

    @Test
    void anIdFarAboveAllOthersIsNamedAndNotGoneOnFrom() throws IOException {
        commit(VM);
        byte[] any = Files.readAllBytes(root.resolve(file(VM, 1)));
        arrive("other", 9_999_999_999_999_999L, any, new UUID(9, 9));
        reopen();
        assertThat(catalogue.problems()).singleElement().asString().contains("nobody recorded");
        assertThat(commit(VM).id()).isEqualTo(2);
    }

    @Test
    void ofMoreThanARecordHoldsTheNewestMayStillCome() {
        UnderWay underWay = new UnderWay(HeldStorage.of(root, hold, writers, () -> fails));
        underWay.held(new CatalogueRecord.Held(hold, 0, List.of()));
        for (long id = 1; id <= 2000; id++) {
            underWay.deleted(List.of(id), Map.of());
        }
        underWay.publishing(List.of(7L));
        assertThat(underWay.open(Set.of(1999L)))
                .hasSize(CatalogueRecord.MAX_PUBLISHING - 1)
                .isSorted()
                .startsWith(7L)
                .endsWith(1998L, 2000L);
    }
}
