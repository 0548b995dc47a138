// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who shares a force of the disk, and what comes of it when it fails. */
class CatalogueWritesTest {

    private static final UUID REPOSITORY = new UUID(3, 4);
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final int CLIENTS = 6;

    @TempDir
    private Path folder;

    private static Catalogue open(Path root, boolean isNew) throws IOException {
        return Catalogue.open(new LocalStorage(root), root, REPOSITORY, isNew, Clock.systemUTC());
    }

    private static SnapshotDraft.Contents contents(SnapshotDraft draft, String summary) {
        SealedBytes sealed = new SealedBytes(summary.getBytes(StandardCharsets.US_ASCII));
        return new SnapshotDraft.Contents(100, 0, draft.finishDigest(), sealed);
    }

    private byte[] ofVersion(int version, SnapshotInfo info) throws IOException {
        ByteBuffer head = new FileHeader(FileHeader.CATALOGUE_MAGIC, version, 0, REPOSITORY).encode();
        long length = Files.size(folder.resolve("snapshots/site1/vm/0000000000000001.snapshot"));
        ByteBuffer record = CatalogueFormat.encode(
                new CatalogueRecord.Committed(SITE, info, length), CatalogueFormat.chain(new byte[0], head));
        ByteBuffer log = ByteBuffer.allocate(head.remaining() + record.remaining());
        return log.put(head).put(record).array();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aRecordOfAnOlderVersionIsWrittenAnew(int version) throws IOException {
        Files.createDirectory(folder.resolve("incoming"));
        Path log = folder.resolve("catalogue.log");
        SnapshotInfo info;
        try (Catalogue catalogue = open(folder, true);
                SnapshotDraft draft = catalogue.begin(SITE, new SnapshotName("vm"), Samples.SEAL)) {
            info = catalogue.publish(draft, contents(draft, "one"));
        }
        Files.write(log, ofVersion(version, info));
        try (Catalogue catalogue = open(folder, false)) {
            assertThat(catalogue.problems()).isEmpty();
            assertThat(catalogue.open(1).orElseThrow().info()).isEqualTo(info);
        }
        assertThat(ByteBuffer.wrap(Files.readAllBytes(log)).getShort(8)).isEqualTo((short) CatalogueFormat.VERSION);
        try (Catalogue catalogue = open(folder, false)) {
            assertThat(catalogue.problems()).isEmpty();
            assertThat(catalogue.ids()).containsExactly(1L);
        }
    }

    @Test
    void thoseWhoWaitForTheDiskShareTheNextForce() throws IOException {
        List<List<CatalogueRecord>> written = new ArrayList<>();
        CatalogueWrites[] writes = new CatalogueWrites[1];
        writes[0] = new CatalogueWrites(
                record -> {
                    while (written.isEmpty()
                            && writes[0].waiting() < CLIENTS - record.all().size()) {
                        Thread.onSpinWait(); // The disk is slow until all others have come.
                    }
                    written.add(record.all());
                },
                0);
        Together.run(CLIENTS, number -> writes[0].append(new CatalogueRecord.Deleted(List.of((long) number))));
        assertThat(written).hasSize(2);
        assertThat(written.get(1)).hasSize(CLIENTS - written.get(0).size());
    }

    @Test
    void aDiskThatRefusesARecordFailsAllWhoShareItAndTheNextGoesOn() throws IOException {
        List<CatalogueRecord> written = new ArrayList<>();
        CatalogueWrites[] writes = new CatalogueWrites[1];
        int[] first = {0};
        writes[0] = new CatalogueWrites(
                record -> {
                    boolean isFirst = first[0] == 0;
                    first[0] += isFirst ? record.all().size() : 0;
                    while (isFirst && writes[0].waiting() < CLIENTS - first[0]) {
                        Thread.onSpinWait();
                    }
                    if (!isFirst && record.all().size() > 1) {
                        throw new IOException("No space left on device");
                    }
                    written.add(record);
                },
                0);
        int[] failed = {0};
        Together.run(CLIENTS, number -> {
            try {
                writes[0].append(new CatalogueRecord.Deleted(List.of((long) number)));
            } catch (IOException e) {
                assertThat(DurableFiles.isFull(e)).isTrue();
                synchronized (failed) {
                    failed[0]++;
                }
            }
        });
        assertThat(failed[0]).isEqualTo(CLIENTS - first[0]);
        writes[0].append(new CatalogueRecord.Deleted(List.of(99L)));
        assertThat(written).hasSize(2);
    }

    private CatalogueRecord.Committed committed() throws IOException {
        Files.createDirectory(folder.resolve("incoming"));
        try (Catalogue catalogue = open(folder, true);
                SnapshotDraft draft = catalogue.begin(SITE, new SnapshotName("vm"), Samples.SEAL)) {
            return new CatalogueRecord.Committed(SITE, catalogue.publish(draft, contents(draft, "one")), 1);
        }
    }

    @Test
    void aSnapshotThatCouldNotBeRecordedDoesNotAppearLater() throws IOException {
        Path file = folder.resolve("1.snapshot");
        CatalogueWrites writes = new CatalogueWrites(
                record -> {
                    assertThat(file).exists();
                    throw new IOException("No space left on device");
                },
                0);
        CatalogueRecord.Committed committed = committed();
        assertThatThrownBy(() -> writes.publish(committed, new CatalogueWrites.NamedFile() {
                    @Override
                    public void publish() throws IOException {
                        Files.createFile(file);
                    }

                    @Override
                    public void withdraw() throws IOException {
                        Files.delete(file);
                    }
                }))
                .hasMessageContaining("No space left");
        assertThat(file).doesNotExist();
    }

    @Test
    void aSnapshotWhoseStorageFailsUncheckedIsWithdrawnAllTheSame() throws IOException {
        Path file = folder.resolve("1.snapshot");
        CatalogueWrites writes = new CatalogueWrites(record -> {}, 0);
        CatalogueRecord.Committed committed = committed();
        assertThatThrownBy(() -> writes.publish(committed, new CatalogueWrites.NamedFile() {
                    @Override
                    public void publish() throws IOException {
                        Files.createFile(file);
                        throw new UncheckedIOException(new IOException("the store was taken over"));
                    }

                    @Override
                    public void withdraw() throws IOException {
                        Files.delete(file);
                        throw new IllegalStateException("the log is closed");
                    }
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("the store was taken over")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(file).doesNotExist();
    }
}
