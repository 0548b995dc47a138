// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.ManifestCodec;
import io.shredder.chunk.binding.ManifestBinding;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.PathIsDirectoryException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A manifest that no longer describes its file is found out, whatever was done to the file. */
class StaleManifestIT extends HdfsCase {

    private byte[] data;

    @BeforeEach
    void uploadOneFile() throws Exception {
        data = TextFiles.lines(400_000, 1);
        upload(write("a", data), "/upload/a");
        assertThat(find("/upload/a").manifest()).isPresent();
    }

    @Test
    void aReplacedFileHasAnotherFileId() throws IOException {
        writeOver("/upload/a", data);
        assertStale("file id");
    }

    @Test
    void anAppendedFileHasAnotherLength() throws IOException {
        append(new byte[] {'x', '\n'});
        assertStale(data.length + " bytes");
    }

    @Test
    void aFileTruncatedAndAppendedToItsOldBlocksIsFoundOut() throws Exception {
        long lastBlockBytes =
                blockLengths("/upload/a").get(blockLengths("/upload/a").size() - 1);
        assertThat(fs.truncate(path("/upload/a"), data.length - lastBlockBytes)).isTrue();
        try (FSDataOutputStream out = fs.append(path("/upload/a"), true)) {
            out.write(new byte[(int) lastBlockBytes]);
        }
        assertThat(fs.getFileStatus(path("/upload/a")).getLen()).isEqualTo(data.length);
        String manifest = ManifestPaths.of(path("/upload/a")).toString();
        assertThat(blockLengths("/upload/a"))
                .isEqualTo(ManifestCodec.decode(read(manifest), manifest).segmentLengths());
        assertStale("blocks or its attribute");
    }

    @Test
    void withoutTheAttributeNothingTellsOfAppends() throws IOException {
        fs.removeXAttr(path("/upload/a"), ManifestBinding.XATTR);
        assertStale("no attribute " + ManifestBinding.XATTR);
    }

    @Test
    void anAttributeOfAnotherManifestIsFoundOut() throws IOException {
        fs.setXAttr(path("/upload/a"), ManifestBinding.XATTR, new byte[] {'v', '1'});
        assertStale("attribute");
    }

    @Test
    void aDamagedManifestIsAnErrorWithFileAndOffset() throws Exception {
        org.apache.hadoop.fs.Path manifest = ManifestPaths.of(path("/upload/a"));
        byte[] bytes = read(manifest.toString());
        bytes[20] ^= 1;
        writeOver(manifest.toString(), bytes);
        assertThatThrownBy(() -> find("/upload/a")).isInstanceOf(DamagedDataException.class);
        ShellRun run = ShellRun.of(conf, "-chunks", "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).contains(".a.shredder-manifest: damaged at offset ");
    }

    @Test
    void aTruncatedManifestIsAnErrorAtAnyLength() throws IOException {
        String manifest = ManifestPaths.of(path("/upload/a")).toString();
        byte[] bytes = read(manifest);
        for (int length = 0; length < bytes.length; length += 97) {
            writeOver(manifest, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> find("/upload/a")).isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void whatHasAManifestsNameButIsNoneIsNotReadOn() throws IOException {
        writeOver(ManifestPaths.of(path("/upload/a")).toString(), new byte[64 << 20]);
        long before = bytesRead();
        assertThatThrownBy(() -> find("/upload/a"))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("not a Shredder manifest");
        assertThat(bytesRead() - before).isLessThan(1000);
    }

    private static long bytesRead() {
        return FileSystem.getGlobalStorageStatistics().get("hdfs").getLong("bytesRead");
    }

    @Test
    void aFolderHasNoManifest() {
        assertThatThrownBy(() -> find("/upload")).isInstanceOf(PathIsDirectoryException.class);
    }

    @Test
    void aMissingFileIsAnError() {
        assertThatThrownBy(() -> find("/upload/none")).isInstanceOf(FileNotFoundException.class);
    }

    private HdfsManifests.Lookup find(String file) throws IOException {
        return HdfsManifests.find(fs, path(file));
    }

    private void assertStale(String why) throws IOException {
        HdfsManifests.Lookup lookup = find("/upload/a");
        assertThat(lookup.manifest()).isEmpty();
        assertThat(lookup.reason()).startsWith("stale manifest, not used: ").contains(why);
    }

    private void writeOver(String file, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(path(file), true)) {
            out.write(bytes);
        }
    }

    private void append(byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fs.append(path("/upload/a"))) {
            out.write(bytes);
        }
    }
}
