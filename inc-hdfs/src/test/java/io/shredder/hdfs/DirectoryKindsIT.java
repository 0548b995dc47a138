// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Manifest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** The same file, whose blocks are segments, in whatever kind of directory; temporary files never outlive an upload. */
class DirectoryKindsIT extends HdfsCase {

    private static final String CODED = "XOR-2-1-1024k";

    @Test
    void anErasureCodedDirectoryTakesSegmentsOneByOneAndSideBySide() throws Exception {
        fs.enableErasureCodingPolicy(CODED);
        fs.setErasureCodingPolicy(folder, CODED);
        uploadBothWays(2 << 20);
        assertThat(fs.getErasureCodingPolicy(path("/upload/sideBySide")).getName())
                .isEqualTo(CODED);
        assertThat(fs.getErasureCodingPolicy(path("/upload/oneByOne")).getName())
                .isEqualTo(CODED);
    }

    @Test
    void aBlockSizeBelowACellIsRefusedWithTheOptionThatRaisesIt() throws Exception {
        fs.enableErasureCodingPolicy(CODED);
        fs.setErasureCodingPolicy(folder, CODED);
        String source = write("a", TextFiles.lines(1000, 1)).toString();
        ShellRun run =
                ShellRun.of(conf, "-D", "dfs.blocksize=512k", "-copyFromLocalGPU", "-avg", "4k", source, "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .endsWith("more than the block size 524288: use -D dfs.blocksize=1048576 or more");
    }

    @Test
    void anEncryptionZoneTakesSegments(MiniDFSCluster cluster) throws Exception {
        KeyProvider keys = cluster.getNameNode().getNamesystem().getProvider();
        keys.createKey("zone", KeyProvider.options(keys.getConf()));
        keys.flush();
        fs.createEncryptionZone(folder, "zone");
        uploadBothWays(1 << 20);
        assertThat(fs.getFileStatus(path("/upload/sideBySide")).isEncrypted()).isTrue();
    }

    @Test
    void segmentsWrittenSideBySideAreThoseWrittenOneByOneEvenIfTheyArePutTogetherInSteps() throws Exception {
        uploadBothWays(14 << 20);
        assertThat(blockLengths("/upload/sideBySide")).hasSizeGreaterThan(65);
    }

    private void uploadBothWays(int bytes) throws Exception {
        byte[] data = TextFiles.lines(bytes, 1);
        Path source = write("a", data);
        Manifest one = uploaded(source, data, "1", "/upload/oneByOne");
        Manifest four = uploaded(source, data, "4", "/upload/sideBySide");
        assertThat(four.chunks()).isEqualTo(one.chunks());
        assertThat(one.segmentLengths()).hasSizeGreaterThan(2);
        assertThat(names("/upload"))
                .containsExactlyInAnyOrder(
                        "oneByOne", "sideBySide", ".oneByOne.shredder-manifest", ".sideBySide.shredder-manifest");
    }

    private Manifest uploaded(Path source, byte[] data, String threads, String target) throws Exception {
        ShellRun run = shell("-t", threads, source.toString(), target);
        assertThat(run.err()).isEmpty();
        assertThat(read(target)).isEqualTo(data);
        Manifest manifest = manifest(target);
        assertThat(blockLengths(target)).isEqualTo(manifest.segmentLengths());
        return manifest;
    }

    @Test
    void aNameQuotaThatOnePieceFitsIntoIsEnoughForOneThreadAndTheRefusalSaysSo() throws Exception {
        Path source = write("a", TextFiles.lines(2 << 20, 2));
        fs.setQuota(folder, 5, HdfsConstants.QUOTA_DONT_SET);
        try {
            ShellRun refused = shell("-t", "4", source.toString(), "/upload/a");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.errLines()).hasSize(1);
            assertThat(refused.err()).contains("quota", "-t 1 needs the fewest names");
            assertThat(names("/upload")).isEmpty();

            assertThat(shell("-t", "1", source.toString(), "/upload/a").exitCode())
                    .isZero();
            assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest");
        } finally {
            fs.setQuota(folder, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
        }
    }

    @Test
    void aDirectoryThatMayBeWrittenButNotReadTakesUploadsOfAnyUser() throws Exception {
        fs.setPermission(folder, new FsPermission((short) 0733));
        Path source = write("a", TextFiles.lines(500_000, 5));
        ShellRun run = as("someone", source.toString(), "/upload/a");
        assertThat(run.err()).isEmpty();
        assertThat(fs.getFileStatus(path("/upload/a")).getOwner()).isEqualTo("someone");
        assertThat(blockLengths("/upload/a")).isEqualTo(manifest("/upload/a").segmentLengths());
    }

    @Test
    void nobodyReplacesAnothersFileInAStickyFolder() throws Exception {
        fs.setPermission(folder, new FsPermission((short) 01777));
        byte[] data = TextFiles.lines(100_000, 6);
        upload(write("a", data), "/upload/a");
        byte[] others = TextFiles.lines(90_000, 7);
        String source = write("b", others).toString();
        ShellRun refused = as("someone", "-f", source, "/upload/a");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errLines()).singleElement().asString().contains("Permission denied by sticky bit");
        assertThat(read("/upload/a")).isEqualTo(data);
        assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest");

        fs.setOwner(path("/upload/a"), "someone", "someone");
        ShellRun own = as("someone", "-f", source, "/upload/a");
        assertThat(own.exitCode()).as(own.err()).isZero();
        assertThat(read("/upload/a")).isEqualTo(others);
    }

    @Test
    void anotherFilesManifestThatMayNotBeMovedKeepsItsName() throws Exception {
        fs.setPermission(folder, new FsPermission((short) 01777));
        byte[] data = TextFiles.lines(100_000, 8);
        upload(write("a", data), "/upload/a");
        assertThat(fs.rename(path("/upload/a"), path("/upload/b"))).isTrue();
        byte[] others = TextFiles.lines(90_000, 9);
        String source = write("other", others).toString();
        ShellRun run = as("someone", source, "/upload/a");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(manifest("/upload/a").length()).isEqualTo(others.length);
        assertThat(manifest("/upload/b").length()).isEqualTo(data.length);
        assertThat(names("/upload"))
                .containsExactlyInAnyOrder(
                        "a",
                        "b",
                        ".a.shredder-manifest",
                        ".a.shredder-manifest." + manifest("/upload/a").fileId());
    }

    @Test
    void aFileThatHasItsNameButNoManifestIsSaidToBeThere() throws Exception {
        fs.mkdirs(path("/upload/.a.shredder-manifest"));
        byte[] data = TextFiles.lines(100_000, 10);
        ShellRun run = run(write("a", data), "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .contains("`/upload/a': is uploaded, but has no manifest: ")
                .contains("'hadoop shredder scan --write' gives it one");
        assertThat(read("/upload/a")).isEqualTo(data);
        assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest");
    }

    private ShellRun as(String user, String... words) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<ShellRun>) () -> shell(words));
    }

    @Test
    void whatAKilledUploadLeftGoesWithTheNextUploadOfTheSameFile() throws Exception {
        fs.mkdirs(path("/upload/.a.shredder-upload"));
        fs.create(path("/upload/.a.shredder-upload/segment-0-0")).close();
        upload(write("a", TextFiles.lines(500_000, 3)), "/upload/a");
        assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest");
    }

    @Test
    void whatAnothersKilledUploadLeftIsInNobodysWay() throws Exception {
        fs.setPermission(folder, new FsPermission((short) 0777));
        org.apache.hadoop.fs.Path left = path("/upload/.a.shredder-upload");
        fs.mkdirs(new org.apache.hadoop.fs.Path(left, "files"));
        fs.setPermission(left, new FsPermission((short) 0700));
        byte[] data = TextFiles.lines(100_000, 11);
        String source = write("a", data).toString();
        ShellRun run = as("someone", source, "/upload/a");
        assertThat(run.err()).isEmpty();
        assertThat(manifest("/upload/a").length()).isEqualTo(data.length);
        assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest", ".a.shredder-upload");
    }

    @Test
    void aFileHasTheModeThatAnyNewFileThereHas() throws Exception {
        upload(write("a", TextFiles.lines(500_000, 4)), "/upload/a");
        fs.create(path("/upload/plain")).close();
        FsPermission mode = fs.getFileStatus(path("/upload/plain")).getPermission();
        assertThat(modeOf("/upload/a")).isEqualTo(mode);
        assertThat(modeOf("/upload/.a.shredder-manifest")).isEqualTo(mode);
    }

    private FsPermission modeOf(String file) throws IOException {
        return fs.getFileStatus(path(file)).getPermission();
    }
}
