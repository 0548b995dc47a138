// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.TagList;
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
import java.util.stream.Stream;
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

    private static Fingerprint identity(int number) {
        return Fingerprint.ofData(ByteBuffer.wrap(new byte[] {(byte) number, (byte) (number >> 8)}));
    }

    /** Of some pieces; some of parts of two others. */
    private static CachedChunk chunk(int number) {
        int bytes = 3000 + number % 3 * 5000;
        ChunkRef ref = new ChunkRef(bytes, identity(number));
        int first = 1 + number % Pieces.BYTES;
        int count = Pieces.count(bytes, first);
        ByteBuffer tags = ByteBuffer.allocate(count * TagList.TAG_BYTES).putInt(0, number);
        Pieces pieces = new Pieces(first, TagList.read(tags, count));
        if (number % 4 != 3) {
            return CachedChunk.whole(ref, pieces);
        }
        List<Pointer> parts = List.of(
                new Pointer(new ChunkRef(70_000, identity(number - 1)), 20, bytes - 1),
                Pointer.to(new ChunkRef(1, identity(number + 1))));
        return new CachedChunk(ref, parts, pieces);
    }

    /** Chunks, each {@code copies} times. */
    private void write(int chunks, int copies) {
        try (CacheWriter writer = caches.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            for (int i = 0; i < chunks * copies; i++) {
                writer.add(chunk(i / copies));
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
        for (int chunks : new int[] {0, 1, 3000, 9000}) {
            write(chunks, 1 + chunks % 3);
            try (CacheReader reader = caches.open(key, last, PARAMS).orElseThrow()) {
                List<CachedRun> runs = runs(reader);
                assertThat(runs).hasSize(chunks);
                assertThat(reader.imageBytes())
                        .isEqualTo(runs.stream().mapToLong(CachedRun::bytes).sum());
                for (int i = 0; i < chunks; i++) {
                    assertThat(runs.get(i)).isEqualTo(new CachedRun(chunk(i), 1 + chunks % 3));
                }
            }
        }
        assertThat(file().getParent().toFile().list()).containsExactly("vm.cache");
    }

    @Test
    void aChunkThatComesSeveralTimesAtOnceIsARunAsOneByOne() throws IOException {
        try (CacheWriter writer = caches.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            writer.add(chunk(1), 1000);
            writer.add(chunk(1));
            writer.add(chunk(2), 3);
            writer.add(chunk(2), Integer.MAX_VALUE - 2);
            writer.publish(last);
        }
        try (CacheReader reader = caches.open(key, last, PARAMS).orElseThrow()) {
            List<CachedRun> runs = runs(reader);
            assertThat(runs)
                    .containsExactly(
                            new CachedRun(chunk(1), 1001),
                            new CachedRun(chunk(2), 3),
                            new CachedRun(chunk(2), Integer.MAX_VALUE - 2));
            assertThat(reader.imageBytes())
                    .isEqualTo(runs.stream().mapToLong(CachedRun::bytes).sum());
        }
    }

    @Test
    void theFileThatAnotherProgramWroteIsRead() throws IOException {
        Files.createDirectories(file().getParent());
        Files.copy(Path.of("..", "testvectors", "cache-v3.bin"), file());
        String old = "an older chunk ".repeat(100);
        List<String> plains = List.of(
                "content-defined chunk ".repeat(300),
                "\0".repeat(4096),
                old.substring(100, 1100) + "something new" + old.substring(1113),
                "the end");
        KeyedTags tags = ChunkTagging.under(key);
        SnapshotInfo snapshot = Snapshots.of(key, "content digest");
        try (CacheReader reader = caches.open(key, snapshot, PARAMS).orElseThrow()) {
            List<CachedRun> runs = runs(reader);
            assertThat(reader.imageBytes()).isEqualTo(6600 + 3 * 4096 + 1400 + 7);
            long offset = 0;
            for (int i = 0; i < 4; i++) {
                byte[] plain = plains.get(i).getBytes(StandardCharsets.US_ASCII);
                ByteBuffer direct =
                        ByteBuffer.allocateDirect(plain.length).put(plain).flip();
                int first = Pieces.firstAt(offset);
                Pieces pieces = new Pieces(first, tags.of(direct, Pieces.lengths(plain.length, first)));
                assertThat(runs.get(i).chunk().ref()).isEqualTo(ref(plains.get(i)));
                assertThat(runs.get(i).chunk().pieces()).isEqualTo(pieces);
                assertThat(runs.get(i).count()).isEqualTo(i == 1 ? 3 : 1);
                assertThat(runs.get(i).chunk().isWhole()).isEqualTo(i != 2);
                offset += runs.get(i).bytes();
            }
            assertThat(runs.get(2).chunk().pointers())
                    .containsExactly(
                            new Pointer(ref(old), 100, 1000),
                            Pointer.to(ref("something new")),
                            new Pointer(ref(old), 1113, 387));
        }
    }

    private ChunkRef ref(String plain) throws IOException {
        byte[] bytes = plain.getBytes(StandardCharsets.US_ASCII);
        return new ChunkRef(
                bytes.length, new ChunkIdentity(key, DigestAlgorithm.SHA_256).ofData(ByteBuffer.wrap(bytes)));
    }

    @Test
    void aCacheOfAnotherVersionIsLeftAside() throws IOException {
        Files.createDirectories(file().getParent());
        byte[] other = Files.readAllBytes(Path.of("..", "testvectors", "cache-v3.bin"));
        other[9] = 2;
        Files.write(file(), other);
        assertThat(caches.open(key, Snapshots.of(key, "content digest"), PARAMS))
                .isEmpty();
        assertThatThrownBy(this::readAll).hasMessageContaining("version 2 is not known here");
    }

    @Test
    void anyFlippedBitAndAnyLostEndIsFoundAndNamesTheFile() throws IOException {
        write(4, 2);
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
            writer.add(chunk(9));
        }
        assertThat(file()).hasBinaryContent(before);
        assertThat(file().getParent().toFile().list()).containsExactly("vm.cache");
    }

    @Test
    void whatKilledBackupsLeftGoes() throws IOException {
        write(1, 1);
        Path old = Files.createFile(file().resolveSibling(".vm.cache.new-1"));
        Path young = Files.createFile(file().resolveSibling(".vm.cache.new-2"));
        makeOld(old);
        write(1, 1);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void whatARunningBackupWritesStaysHoweverLongItTakes() throws Exception {
        write(1, 1);
        Process other = otherProcessThatHolds(".vm.cache.new-1");
        try (CacheWriter writer = caches.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            writer.add(chunk(9));
            try (Stream<Path> files = Files.list(file().getParent())) {
                for (Path each : (Iterable<Path>) files::iterator) {
                    makeOld(each);
                }
            }
            write(1, 1);
            assertThat(file().getParent().toFile().list()).hasSize(3);
            writer.publish(last);
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(caches.open(key, last, PARAMS)).isPresent();
        makeOld(file().resolveSibling(".vm.cache.new-1"));
        write(1, 1);
        assertThat(file().getParent().toFile().list()).containsExactly("vm.cache");
    }

    private static void makeOld(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(120)));
    }

    /** As a backup of another process writes it. */
    private Process otherProcessThatHolds(String name) throws IOException {
        Path program = Files.writeString(
                folder.resolve("Hold.java"),
                """
                class Hold {
                    public static void main(String[] words) throws Exception {
                        var file = java.nio.file.Path.of(words[0]);
                        var channel = java.nio.channels.FileChannel.open(
                                file,
                                java.nio.file.StandardOpenOption.CREATE_NEW,
                                java.nio.file.StandardOpenOption.WRITE);
                        channel.lock();
                        System.out.println("held");
                        Thread.sleep(600_000);
                    }
                }
                """);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process other = new ProcessBuilder(
                        java, program.toString(), file().resolveSibling(name).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(other.inputReader().readLine()).isEqualTo("held");
        return other;
    }

    @Test
    void aFolderThatCannotBeWrittenCostsTheCacheOnly() throws IOException {
        Path blocked = Files.createFile(folder.resolve("a-file"));
        SnapshotCaches nowhere = SnapshotCaches.in(blocked);
        try (CacheWriter writer = nowhere.write(key, Snapshots.NAME, PARAMS).orElseThrow()) {
            writer.add(chunk(1));
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
