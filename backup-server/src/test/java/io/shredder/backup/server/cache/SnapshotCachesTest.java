// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ChunkTag;
import io.shredder.engine.KeyedTags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotCachesTest {

    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(4096);

    @TempDir
    private Path folder;

    private final RepositoryKey key = Keys.counted();
    private final SnapshotInfo last = Snapshots.of(key, "last");
    private SnapshotCaches caches;

    @BeforeEach
    void whereTagsAreFast() {
        assumeTrue(KeyedTags.areFast(), "this CPU has no carry-less multiplication");
        caches = SnapshotCaches.in(folder.resolve("new").resolve("cache"));
    }

    private Path file() {
        return folder.resolve("new/cache/" + key.id() + "/vm.cache");
    }

    private static ChunkRef chunk(int number) {
        return new ChunkRef(
                1000 + number % 3,
                Fingerprint.ofData(ByteBuffer.wrap(new byte[] {(byte) number, (byte) (number >> 8)})));
    }

    /** Chunks, each {@code copies} times. */
    private void write(int chunks, int copies) {
        try (CacheWriter writer = caches.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            for (int i = 0; i < chunks * copies; i++) {
                writer.add(chunk(i / copies), new ChunkTag(i / copies, 5));
            }
            writer.publish(last);
        }
    }

    private static List<CachedRun> runs(CacheReader reader) throws IOException {
        List<CachedRun> runs = new ArrayList<>();
        for (List<CachedRun> page = reader.nextPage(); !page.isEmpty(); page = reader.nextPage()) {
            runs.addAll(page);
        }
        return runs;
    }

    @Test
    void whatWasWrittenIsReadWholeWhateverItsLength() throws IOException {
        for (int chunks : new int[] {0, 1, 2047, 2048, 2049, 5000}) {
            write(chunks, 1 + chunks % 3);
            try (CacheReader reader = caches.open(key, last, PARAMS).orElseThrow()) {
                List<CachedRun> runs = runs(reader);
                assertThat(runs).hasSize(chunks);
                assertThat(reader.imageBytes())
                        .isEqualTo(runs.stream().mapToLong(CachedRun::bytes).sum());
                for (int i = 0; i < chunks; i++) {
                    assertThat(runs.get(i)).isEqualTo(new CachedRun(chunk(i), 1 + chunks % 3, new ChunkTag(i, 5)));
                }
            }
        }
        assertThat(file().getParent().toFile().list()).containsExactly("vm.cache");
    }

    @Test
    void theFileThatAnotherProgramWroteIsRead() throws IOException {
        Files.createDirectories(file().getParent());
        Files.copy(Path.of("..", "testvectors", "cache-v1.bin"), file());
        List<byte[]> plains = List.of(
                "content-defined chunk ".repeat(300).getBytes(StandardCharsets.US_ASCII),
                new byte[4096],
                "the end".getBytes(StandardCharsets.US_ASCII));
        ChunkIdentity identities = new ChunkIdentity(key);
        KeyedTags tags = ChunkTagging.under(key);
        SnapshotInfo snapshot = Snapshots.of(key, "content digest");
        try (CacheReader reader = caches.open(key, snapshot, PARAMS).orElseThrow()) {
            List<CachedRun> runs = runs(reader);
            assertThat(reader.imageBytes()).isEqualTo(6600 + 3 * 4096 + 7);
            for (int i = 0; i < 3; i++) {
                byte[] plain = plains.get(i);
                ByteBuffer direct =
                        ByteBuffer.allocateDirect(plain.length).put(plain).flip();
                ChunkRef ref = new ChunkRef(plain.length, identities.ofData(ByteBuffer.wrap(plain)));
                ChunkTag tag = tags.of(direct, new int[] {plain.length}).get(0);
                assertThat(runs.get(i)).isEqualTo(new CachedRun(ref, i == 1 ? 3 : 1, tag));
            }
        }
    }

    @Test
    void anyFlippedBitAndAnyLostEndIsFoundAndNamesTheFile() throws IOException {
        write(3, 2);
        byte[] good = Files.readAllBytes(file());
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= (byte) (1 << (i % 8));
            Files.write(file(), bad);
            assertThatThrownBy(this::readAll).as("byte %d", i).hasMessageContaining(file().toString());
        }
        for (int length = 0; length < good.length; length++) {
            Files.write(file(), java.util.Arrays.copyOf(good, length));
            assertThatThrownBy(this::readAll).as("length %d", length).hasMessageContaining(file().toString());
            assertThat(caches.open(key, last, PARAMS)).isEmpty();
        }
    }

    private void readAll() throws IOException {
        try (CacheReader reader = CacheReader.open(file(), key, Snapshots.NAME)) {
            runs(reader);
        }
    }

    @Test
    void itServesOneSnapshotCutOneWayWithOneKeyAndSeries() throws IOException {
        assertThat(caches.open(key, last, PARAMS)).isEmpty();
        write(3, 1);
        assertThat(caches.open(key, Snapshots.of(key, "newer"), PARAMS)).isEmpty();
        assertThat(caches.open(key, last, ChunkingParams.ofAverage(8192))).isEmpty();
        RepositoryKey other = RepositoryKey.generate(new SecureRandom());
        assertThat(caches.open(other, last, PARAMS)).isEmpty();
        assertThatThrownBy(() -> CacheReader.open(file(), other, Snapshots.NAME))
                .hasMessageContaining("not with key");
        assertThatThrownBy(() -> CacheReader.open(file(), key, new SnapshotName("other")))
                .hasMessageContaining("the seal of its end is broken");
        Optional<CacheReader> whole = caches.open(key, last, PARAMS);
        assertThat(whole).isPresent();
        whole.get().close();
    }

    @Test
    void parametersWhoseCutsDependOnWhatIsBeforeHaveNoCache() {
        ChunkingParams shorter =
                ChunkingParams.builder().averageBytes(64).minBytes(47).build();
        assertThat(caches.write(key, Snapshots.NAME, shorter)).isEmpty();
        assertThat(SnapshotCaches.none().write(key, Snapshots.NAME, PARAMS)).isEmpty();
        assertThat(SnapshotCaches.none().open(key, last, PARAMS)).isEmpty();
    }

    @Test
    void onlyTheOwnerMayLookAndWhatIsNotPublishedLeavesNothing() throws IOException {
        write(1, 1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
        byte[] before = Files.readAllBytes(file());
        try (CacheWriter writer = caches.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            writer.add(chunk(9), new ChunkTag(9, 9));
        }
        assertThat(file()).hasBinaryContent(before);
        assertThat(file().getParent().toFile().list()).containsExactly("vm.cache");
    }

    @Test
    void whatKilledBackupsLeftLongAgoGoes() throws IOException {
        write(1, 1);
        Path old = Files.createFile(file().resolveSibling(".vm.cache.new-1"));
        Path young = Files.createFile(file().resolveSibling(".vm.cache.new-2"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(40L * 24 * 3600)));
        write(1, 1);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void aFolderThatCannotBeWrittenCostsTheCacheOnly() throws IOException {
        Path blocked = Files.createFile(folder.resolve("a-file"));
        SnapshotCaches nowhere = SnapshotCaches.in(blocked);
        try (CacheWriter writer = nowhere.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            writer.add(chunk(1), new ChunkTag(1, 1));
            writer.publish(last);
        }
        assertThat(nowhere.open(key, last, PARAMS)).isEmpty();
        assertThat(blocked).isEmptyFile();
    }

    @Test
    void theUsersFolderFollowsXdg() {
        Path home = Path.of("/h");
        assertThat(CacheFolder.ofUser(Map.of(), home)).isEqualTo(Path.of("/h/.cache/shredder"));
        assertThat(CacheFolder.ofUser(Map.of("XDG_CACHE_HOME", "/x"), home)).isEqualTo(Path.of("/x/shredder"));
        assertThat(CacheFolder.ofUser(Map.of("XDG_CACHE_HOME", "relative"), home))
                .isEqualTo(Path.of("/h/.cache/shredder"));
    }
}
