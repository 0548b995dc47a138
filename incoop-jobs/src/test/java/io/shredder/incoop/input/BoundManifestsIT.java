// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.incoop.SharedHdfs;
import io.shredder.incoop.Uploads;
import io.shredder.incoop.config.PlainRunException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every rule of docs/formats/manifest.md, "Binding", on a real HDFS. */
@ExtendWith(SharedHdfs.class)
class BoundManifestsIT {

    @TempDir
    static File folder;

    private static FileSystem fs;

    private final Path file = new Path("/in/text");
    private byte[] data;

    @BeforeAll
    static void take(FileSystem hdfs) {
        fs = hdfs;
    }

    @BeforeEach
    void upload() throws IOException {
        fs.delete(new Path("/in"), true);
        data = new byte[50_000];
        new Random(1).nextBytes(data);
        Uploads.upload(fs, file, data);
    }

    @Test
    void aManifestThatKeepsAllRulesIsUsed() throws Exception {
        assertThat(read().length()).isEqualTo(data.length);
    }

    @Test
    void withoutTheAttributeItIsStale() throws Exception {
        fs.removeXAttr(file, Uploads.MANIFEST_BINDING);

        assertStale("no attribute user.shredder.manifest");
    }

    @Test
    void anAttributeOfOtherBlocksMakesItStale() throws Exception {
        byte[] last = Arrays.copyOfRange(data, data.length - 10, data.length);
        assertThat(fs.truncate(file, data.length - 512)).isFalse();
        waitUntilClosed();
        try (FSDataOutputStream out = fs.append(file)) {
            out.write(new byte[502]);
            out.write(last);
        }

        assertStale("its attribute");
    }

    @Test
    void aReplacedFileHasAnotherId() throws Exception {
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(data);
        }

        assertStale("another file id");
    }

    @Test
    void anotherLengthMakesItStale() throws Exception {
        try (FSDataOutputStream out = fs.append(file)) {
            out.write(1);
        }

        assertStale("length");
    }

    @Test
    void blocksOfAnyLengthAreAcceptedIfTheAttributeNamesThemAndStaleOnceTheyAreOthers() throws Exception {
        Uploads.uploadUneven(fs, file, data);

        assertThat(read().chunks())
                .isEqualTo(Uploads.manifest(data, "text", new byte[] {'\n'}).chunks());

        byte[] last = Arrays.copyOfRange(data, 20_000, data.length);
        assertThat(fs.truncate(file, 20_000)).isTrue();
        try (FSDataOutputStream out = ((DistributedFileSystem) fs)
                .append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
            out.write(last);
        }
        assertStale("the blocks differ");
    }

    @Test
    void otherBlocksMakeItStale() throws Exception {
        try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 1, 1 << 20)) {
            out.write(data, 0, 20_000);
        }
        Manifest manifest = Uploads.manifest(data, "text", new byte[] {'\n'});
        try (FSDataOutputStream out = ((DistributedFileSystem) fs)
                .append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
            out.write(data, 20_000, 30_000);
        }
        Uploads.writeManifest(fs, file, manifest.withFileId(Uploads.fileId(fs, file)));
        fs.removeXAttr(file, Uploads.MANIFEST_BINDING);

        assertStale("the blocks differ");
    }

    @Test
    void aDamagedManifestIsNamedWithItsOffset() throws Exception {
        byte[] bytes = ManifestCodec.encode(manifest());
        bytes[100] ^= 1;
        try (FSDataOutputStream out = fs.create(Uploads.sideFile(file), true)) {
            out.write(bytes);
        }

        assertThatThrownBy(this::read)
                .isInstanceOf(PlainRunException.class)
                .hasMessageContaining(".text.shredder-manifest")
                .hasMessageContaining("damaged at offset");
    }

    @Test
    void aRenamedFileHasItsManifestByTheAttributeThatNamesIt() throws Exception {
        Uploads.nameManifest(fs, file);
        fs.mkdirs(new Path("/in/other"));
        Path moved = new Path("/in/other/name");
        assertThat(fs.rename(file, moved)).isTrue();

        assertThat(read(moved).length()).isEqualTo(data.length);

        try (FSDataOutputStream out = fs.append(moved)) {
            out.write(1);
        }
        assertThatThrownBy(() -> read(moved)).hasMessageContaining("is stale").hasMessageContaining("length");
    }

    @Test
    void anAttributeThatLeadsToNothingOrElsewhereIsNoManifest() throws Exception {
        Path other = new Path("/in/other");
        Uploads.upload(fs, other, data);
        Path moved = new Path("/in/moved");
        assertThat(fs.rename(file, moved)).isTrue();
        for (String place : List.of(
                "v1 inode=" + Uploads.fileId(fs, Uploads.sideFile(other)),
                "v1 inode=" + Uploads.fileId(fs, other),
                "v1 inode=999999999",
                "v2 inode=1",
                "")) {
            fs.setXAttr(moved, Uploads.MANIFEST_PLACE, place.getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> read(moved)).as(place).hasMessageContaining("has no manifest");
        }
    }

    @Test
    void aManifestForOtherRecordsIsNotUsed() {
        assertThatThrownBy(() -> BoundManifests.read(file, "text:233b", fs.getConf()))
                .isInstanceOf(PlainRunException.class)
                .hasMessageContaining("'text'")
                .hasMessageContaining("'text:233b'");
    }

    @Test
    void aManifestWithOtherDigestsIsNotUsed() throws Exception {
        ChunkingParams params =
                ChunkingParams.builder().digest(DigestAlgorithm.BLAKE3).build();
        Manifest.Builder manifest = Manifest.builder(params).recordFormat("text");
        for (Chunk chunk : Uploads.manifest(data, "text", new byte[] {'\n'}).chunks()) {
            manifest.add(chunk);
        }
        Uploads.writeManifest(
                fs, file, manifest.fileId(Uploads.fileId(fs, file)).build());

        assertThatThrownBy(this::read)
                .isInstanceOf(PlainRunException.class)
                .hasMessageContaining("BLAKE3 digests: upload it again with -digest sha256");
    }

    @Test
    void aFileWithoutAManifestIsToldHowToGetOne() throws Exception {
        fs.delete(Uploads.sideFile(file), false);

        assertThatThrownBy(this::read).isInstanceOf(PlainRunException.class).hasMessageContaining("-copyFromLocalGPU");
    }

    @Test
    void aFileThatIsNotOnHdfsHasNoManifest() throws Exception {
        File local = new File(folder, "local");
        assertThat(local.createNewFile()).isTrue();

        assertThatThrownBy(() -> BoundManifests.read(new Path(local.toURI()), "text", fs.getConf()))
                .isInstanceOf(PlainRunException.class)
                .hasMessageContaining("not on HDFS");
    }

    private Manifest read() throws IOException, PlainRunException {
        return read(file);
    }

    private static Manifest read(Path path) throws IOException, PlainRunException {
        return BoundManifests.read(fs.makeQualified(path), "text", fs.getConf());
    }

    private void assertStale(String why) {
        assertThatThrownBy(this::read)
                .isInstanceOf(PlainRunException.class)
                .hasMessageContaining("is stale")
                .hasMessageContaining(why);
    }

    private Manifest manifest() throws IOException {
        return Uploads.manifest(data, "text", new byte[] {'\n'}).withFileId(Uploads.fileId(fs, file));
    }

    private void waitUntilClosed() throws Exception {
        GenericTestUtils.waitFor(
                () -> {
                    try {
                        return ((DistributedFileSystem) fs).isFileClosed(file);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                50,
                30_000);
    }
}
