// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.storage.HeldStorage;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions that were recorded, and whose files a storage didn't delete at once. */
class OwedDeletionsTest {

    private static final UUID REPOSITORY = new UUID(3, 4);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName OTHER = new SnapshotName("site2");

    @TempDir
    private Path root;

    /** What stands for the metadata of objects. */
    private final Map<String, UUID> writers = new HashMap<>();

    private final Set<String> undeletable = new HashSet<>();
    private long holds;
    private Catalogue catalogue;

    @AfterEach
    void close() throws IOException {
        catalogue.close();
    }

    /** @param isHeld whether the storage tells in which hold of it files were written, as an object store does */
    private void open(boolean isHeld) throws IOException {
        boolean isNew = Files.notExists(root.resolve("catalogue.log"));
        Files.createDirectories(root.resolve("incoming"));
        Storage files =
                isHeld ? HeldStorage.of(root, new UUID(0, ++holds), writers, () -> false) : new LocalStorage(root);
        catalogue = Catalogue.open(refusing(files), root, REPOSITORY, isNew, Clock.systemUTC());
    }

    private void reopen(boolean isHeld) throws IOException {
        catalogue.close();
        open(isHeld);
    }

    private Storage refusing(Storage files) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, call, args) -> {
                    if (call.getName().equals("delete") && undeletable.contains((String) args[0])) {
                        throw new IOException("SlowDown");
                    }
                    try {
                        return call.invoke(files, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void commit(SnapshotName namespace) throws IOException {
        try (SnapshotDraft draft = catalogue.begin(namespace, new SnapshotName("vm"), Samples.SEAL)) {
            catalogue.publish(
                    draft, new SnapshotDraft.Contents(100, 0, draft.finishDigest(), new SealedBytes(new byte[] {1})));
        }
    }

    private static String file(SnapshotName namespace, long id) {
        return String.format("snapshots/%s/vm/%016d.snapshot", namespace, id);
    }

    private void commitThreeAndOne() throws IOException {
        for (int i = 0; i < 3; i++) {
            commit(SITE);
        }
        commit(OTHER);
    }

    private void failToDelete(long id, List<Long> ids) {
        undeletable.add(file(SITE, id));
        assertThatThrownBy(() -> catalogue.delete(SITE, ids)).hasMessage("SlowDown");
        undeletable.clear();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesThatAreOwedWhenAnotherDeletesGoAtTheNextStart(boolean isHeld) throws IOException {
        open(isHeld);
        commitThreeAndOne();
        reopen(isHeld);
        failToDelete(2, List.of(1L, 2L, 3L));
        catalogue.delete(OTHER, List.of(4L));
        for (int i = 0; i < 2; i++) {
            reopen(isHeld);
            assertThat(catalogue.problems()).isEmpty();
            assertThat(catalogue.ids()).isEmpty();
            assertThat(root.resolve(file(SITE, 2))).doesNotExist();
            assertThat(root.resolve(file(SITE, 3))).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesThatAreDeletedAtTheSecondAttemptAreOwedNoLonger(boolean isHeld) throws IOException {
        open(isHeld);
        commitThreeAndOne();
        reopen(isHeld);
        failToDelete(2, List.of(1L, 2L, 3L));
        byte[] second = Files.readAllBytes(root.resolve(file(SITE, 2)));
        assertThat(catalogue.ids()).containsExactly(2L, 3L, 4L);
        catalogue.delete(SITE, List.of(2L, 3L));
        catalogue.delete(OTHER, List.of(4L));
        Files.write(root.resolve(file(SITE, 2)), second);
        reopen(isHeld);
        assertThat(catalogue.problems()).singleElement().asString().contains(file(SITE, 2));
        assertThat(root.resolve(file(SITE, 2))).exists();
    }

    @Test
    void whatIsOwedAndAcceptedAsItIsStays() throws IOException {
        open(false);
        commitThreeAndOne();
        failToDelete(2, List.of(1L, 2L, 3L));
        catalogue.accept();
        catalogue.delete(OTHER, List.of(4L));
        reopen(false);
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.ids()).containsExactly(2L, 3L);
    }

    @Test
    void moreThanARecordNamesIsNeverOwed() throws IOException {
        open(false);
        int count = 2 * CatalogueRecord.MAX_DELETED;
        for (int i = 0; i < count; i++) {
            commit(SITE);
        }
        List<Long> ids =
                new ArrayList<>(LongStream.rangeClosed(1, count).boxed().toList());
        while (!ids.isEmpty()) {
            List<Long> some = List.copyOf(ids.subList(0, Math.min(300, ids.size())));
            some.forEach(id -> undeletable.add(file(SITE, id)));
            assertThatThrownBy(() -> catalogue.delete(SITE, some)).hasMessage("SlowDown");
            ids.removeAll(some);
        }
        undeletable.clear();
        commit(OTHER);
        catalogue.delete(OTHER, List.of(count + 1L));
        reopen(false);
        assertThat(catalogue.problems()).isEmpty();
    }
}
