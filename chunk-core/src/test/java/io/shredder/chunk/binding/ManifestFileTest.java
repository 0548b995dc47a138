// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/formats/manifest.md, "Beside an HDFS file": where a manifest is looked for, and when it may be used. */
class ManifestFileTest {

    private static final String BY_NAME = ".data.shredder-manifest";
    private static final long INODE = 99;
    private static final Fingerprint ANY = Fingerprint.ofData(ByteBuffer.allocate(0));
    private static final Manifest CHUNKS = Manifest.builder(ChunkingParams.ofAverage(8192))
            .add(new Chunk(0, 2000, ANY, false))
            .add(new Chunk(2000, 500, ANY, true))
            .add(new Chunk(2500, 10, ANY, true))
            .build();

    private final MemoryFile file = new MemoryFile();
    private byte[] own;

    @BeforeEach
    void bind() {
        file.lengthBytes = CHUNKS.length();
        file.layout = blocks(1).build();
        own = manifestFor(file.fileId);
        file.siblings.put(BY_NAME, own);
        file.attributes.put(
                ManifestBinding.XATTR,
                ManifestBinding.of(own, blocks(1).build().digest()).encode());
    }

    @Test
    void theOneOfTheNameIsTakenIfItIsTheFiles() throws IOException {
        file.inodes.put(INODE, own);
        placeAt("v1 inode=" + INODE);

        assertThat(found()).contains("/dir/" + BY_NAME);
    }

    @Test
    void anothersOfTheNameGivesWayToTheOneOfTheAttribute() throws IOException {
        file.siblings.put(BY_NAME, manifestFor(8));
        file.inodes.put(INODE, own);
        placeAt("v1 inode=" + INODE);

        assertThat(found()).contains("/inodes/" + INODE);
        assertThat(ManifestFile.of(file).orElseThrow().bytes()).isEqualTo(own);
    }

    @Test
    void anAttributeThatLeadsToNothingOrElsewhereNamesNothing() throws IOException {
        file.siblings.clear();
        file.inodes.put(INODE, manifestFor(8));
        file.inodes.put(INODE + 1, new byte[ManifestFile.HEAD_BYTES - 1]);
        for (String place : List.of("v1 inode=99", "v1 inode=100", "v1 inode=101", "v2 inode=99", "v1 inode=-1", "")) {
            placeAt(place);
            assertThat(found()).as(place).isEmpty();
        }
    }

    @Test
    void whatHasTheNameIsTakenIfNothingElseIsTheFiles() throws IOException {
        file.siblings.put(BY_NAME, new byte[3]);

        ManifestFile found = ManifestFile.of(file).orElseThrow();

        assertThat(found.owner()).isEmpty();
        assertThatThrownBy(found::manifest)
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("/dir/" + BY_NAME + ": damaged at offset 3");
    }

    @Test
    void ofWhatIsAnothersOrNoManifestTheHeadAloneIsRead() throws IOException {
        byte[] others = Arrays.copyOf(manifestFor(8), 64 << 20);
        for (byte[] sibling : List.of(others, new byte[64 << 20])) {
            file.siblings.put(BY_NAME, sibling);
            file.bytesRead = 0;
            assertThat(ManifestFile.of(file)).isPresent();
            assertThat(file.bytesRead).isLessThan(200);
        }
        file.siblings.put(BY_NAME, others);
        assertThat(staleness()).contains("it belongs to another file id: 8, the file has 7");
    }

    @Test
    void aManifestForNoFileIsStale() throws IOException {
        file.siblings.put(BY_NAME, manifestFor(Manifest.UNBOUND));
        assertThat(staleness()).contains("it belongs to another file id: 0, the file has 7");
    }

    @Test
    void ofTheFilesOwnNoMoreIsReadThanItsHeadSays() throws IOException {
        file.siblings.put(BY_NAME, Arrays.copyOf(own, 64 << 20));
        assertThatThrownBy(this::staleness)
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("bytes after the end");
        assertThat(file.bytesRead).isEqualTo(own.length + 1);
    }

    @Test
    void moreChunksThanBytesAreNotReadAndADamage() throws IOException {
        for (long count : new long[] {CHUNKS.length() + 1, Integer.MAX_VALUE, Long.MAX_VALUE, -1}) {
            byte[] bytes = Arrays.copyOf(own, 64 << 20);
            ByteBuffer.wrap(bytes).putLong(88, count);
            file.siblings.put(BY_NAME, bytes);
            file.bytesRead = 0;
            assertThatThrownBy(this::staleness)
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("damaged at offset 88: " + count + " chunks in 2510 bytes");
            assertThat(file.bytesRead).isLessThan(200);
        }
    }

    @Test
    void aManifestThatKeepsAllRulesMayBeUsed() throws IOException {
        assertThat(staleness()).isEmpty();
    }

    @Test
    void anotherFileIdIsStale() throws IOException {
        file.fileId = 8;
        assertThat(staleness()).contains("it belongs to another file id: 7, the file has 8");
    }

    @Test
    void anotherLengthIsStale() throws IOException {
        file.lengthBytes++;
        assertThat(staleness()).contains("the file's length has changed: it describes 2510 bytes, the file has 2511");
    }

    @Test
    void otherBlocksAreStaleAndSegmentsRollOverAtThePreferredSize() throws IOException {
        assertThat(BlockLayout.expected(CHUNKS, MemoryFile.PREFERRED)).containsExactly(1000L, 1000L, 500L, 10L);
        file.layout = new BlockLayout.Builder().add(1, 1, 2500).add(2, 1, 10).build();
        assertThat(staleness()).contains("the blocks differ: it describes 4, the file has 2 or others");
    }

    @Test
    void aBlockOfAnotherGenerationIsStale() throws IOException {
        file.layout = blocks(2).build();
        assertThat(staleness()).contains("the file's blocks or its attribute user.shredder.manifest have changed");
    }

    /** As one segment, whose file was appended to with a new block. */
    private void bindAsOneSegment(BlockLayout.Builder named) {
        own = ManifestCodec.encode(Manifest.builder(CHUNKS.params())
                .fileId(file.fileId)
                .add(new Chunk(0, 2000, ANY, false))
                .add(new Chunk(2000, 510, ANY, true))
                .build());
        file.siblings.put(BY_NAME, own);
        file.layout = new BlockLayout.Builder().add(1, 1, 700).add(2, 1, 1810).build();
        file.attributes.put(
                ManifestBinding.XATTR,
                ManifestBinding.of(own, named.build().digest()).encode());
    }

    @Test
    void oneSegmentMayBeAnyBlocksIfTheAttributeNamesThem() throws IOException {
        bindAsOneSegment(new BlockLayout.Builder().add(1, 1, 700).add(2, 1, 1810));
        assertThat(staleness()).isEmpty();
    }

    @Test
    void oneSegmentOfOtherBlocksThanTheAttributeNamesIsStale() throws IOException {
        for (BlockLayout.Builder other : List.of(
                new BlockLayout.Builder().add(1, 1, 700).add(2, 2, 1810),
                new BlockLayout.Builder().add(1, 1, 700).add(3, 1, 1810),
                new BlockLayout.Builder().add(1, 1, 701).add(2, 1, 1809))) {
            bindAsOneSegment(other);
            assertThat(staleness()).contains("the blocks differ: it describes 3, the file has 2 or others");
        }
        file.attributes.clear();
        assertThat(staleness()).contains("the blocks differ: it describes 3, the file has 2 or others");
        file.attributeFailure = "XAttrs are disabled, set dfs.namenode.xattrs.enabled to enable them";
        assertThat(staleness()).contains("the blocks differ: it describes 3, the file has 2 or others");
    }

    @Test
    void severalSegmentsAreTheBlocksWhateverTheAttributeNames() throws IOException {
        BlockLayout.Builder blocks = new BlockLayout.Builder().add(1, 1, 2500).add(2, 1, 10);
        file.layout = blocks.build();
        file.attributes.put(
                ManifestBinding.XATTR,
                ManifestBinding.of(own, file.layout.digest()).encode());
        assertThat(staleness()).contains("the blocks differ: it describes 4, the file has 2 or others");
    }

    @Test
    void withoutTheAttributeNothingTellsOfAppends() throws IOException {
        file.layout = blocks(2).build();
        file.attributes.clear();
        assertThat(staleness())
                .contains("the file has no attribute user.shredder.manifest,"
                        + " so what was done to it might go unnoticed");
    }

    @Test
    void attributesThatAreSwitchedOffAreNone() throws IOException {
        file.attributeFailure = "XAttrs are disabled, set dfs.namenode.xattrs.enabled to enable them";
        assertThat(staleness()).isEmpty();
        file.siblings.clear();
        assertThat(found()).isEmpty();
    }

    @Test
    void aFileSystemThatFailsIsNotOneWithoutAttributes() {
        file.attributeFailure = "no route to host";
        assertThatThrownBy(this::staleness).hasMessage("no route to host");
    }

    /** As section "Binding" writes it: the digest of 24 bytes a block. */
    @Test
    void theAttributeIsWhatTheFormatSays() {
        ByteBuffer ids =
                ByteBuffer.allocate(24).putLong(5).putLong(1006).putLong(10).flip();
        Fingerprint ofManifest = Fingerprint.of(Arrays.copyOfRange(own, own.length - 32, own.length));

        assertThat(new String(
                        ManifestBinding.of(
                                        own,
                                        new BlockLayout.Builder()
                                                .add(5, 1006, 10)
                                                .build()
                                                .digest())
                                .encode(),
                        StandardCharsets.US_ASCII))
                .isEqualTo("v1 manifest=" + ofManifest + " blocks=" + Fingerprint.ofData(ids));
    }

    @Test
    void namesOfManifestsAreKnownFromOthers() {
        assertThat(ManifestNames.of("a")).isEqualTo(".a.shredder-manifest");
        assertThat(ManifestNames.of("a", 12)).isEqualTo(".a.shredder-manifest.12");
        assertThat(List.of(ManifestNames.of("a"), ManifestNames.of("a", 12))).allMatch(ManifestNames::isManifest);
        assertThat(List.of(".shredder-manifest", "a.shredder-manifest", ".a.shredder-manifest.x", ".a"))
                .noneMatch(ManifestNames::isManifest);
        assertThat(ManifestNames.fileOf(".part-r-00000.shredder-manifest")).contains("part-r-00000");
        for (String other : List.of(".shredder-manifest", "a.shredder-manifest", ".a.shredder-manifest.12", ".a")) {
            assertThat(ManifestNames.fileOf(other)).as(other).isEmpty();
        }
    }

    private Optional<String> found() throws IOException {
        return ManifestFile.of(file).map(ManifestFile::path);
    }

    private Optional<String> staleness() throws IOException {
        ManifestFile found = ManifestFile.of(file).orElseThrow();
        try {
            assertThat(BindingRules.check(file, found).fileId()).isEqualTo(file.fileId);
            return Optional.empty();
        } catch (StaleManifestException e) {
            return Optional.of(e.getMessage());
        }
    }

    private void placeAt(String value) {
        file.attributes.put(ManifestPlace.XATTR, value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] manifestFor(long fileId) {
        return ManifestCodec.encode(CHUNKS.withFileId(fileId));
    }

    private static BlockLayout.Builder blocks(long generation) {
        return new BlockLayout.Builder()
                .add(1, 1, 1000)
                .add(2, 1, 1000)
                .add(3, 1, 500)
                .add(4, generation, 10);
    }
}
