// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.binding.ManifestPlace;
import io.shredder.hdfs.manifest.HdfsManifests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people do with files: a manifest goes with its bytes, and is never used for others. */
class FollowingManifestIT extends HdfsCase {

    private byte[] data;
    private List<Chunk> chunks;

    @BeforeEach
    void uploadOneFile() throws Exception {
        data = TextFiles.lines(400_000, 1);
        upload(write("a", data), "/upload/a");
        chunks = unsegmented("/upload/a");
        assertThat(blockLengths("/upload/a")).hasSizeGreaterThan(2);
        assertThat(fs.mkdirs(path("/upload/d"))).isTrue();
    }

    @AfterEach
    void removeSnapshots() throws IOException {
        if (fs.exists(path("/upload/.snapshot/s"))) {
            fs.deleteSnapshot(folder, "s");
            fs.disallowSnapshot(folder);
        }
    }

    private ShellRun ours(String... words) throws Exception {
        ShellRun run = ShellRun.of(conf, words);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        return run;
    }

    private void stock(String... words) throws Exception {
        assertThat(ToolRunner.run(new Configuration(conf), new FsShell(), words))
                .isZero();
    }

    private void assertSameChunks(String file) throws IOException {
        assertThat(read(file)).isEqualTo(data);
        assertThat(unsegmented(file)).isEqualTo(chunks);
    }

    /** A copy has the same chunks in blocks of its own. */
    private List<Chunk> unsegmented(String file) throws IOException {
        return manifest(file).chunks().stream()
                .map(chunk -> new Chunk(chunk.offset(), chunk.length(), chunk.fingerprint(), false))
                .toList();
    }

    private void assertPlain(String file) throws IOException {
        assertThat(HdfsManifests.find(fs, path(file)).manifest()).isEmpty();
    }

    @Test
    void aProgramsRenameKeepsTheManifest() throws IOException {
        assertThat(fs.rename(path("/upload/a"), path("/upload/d/b"))).isTrue();
        assertSameChunks("/upload/d/b");
    }

    @Test
    void theStockShellsMoveKeepsTheManifest() throws Exception {
        stock("-mv", uri("/upload/a"), uri("/upload/b"));
        assertSameChunks("/upload/b");
    }

    @Test
    void ourShellsMoveTakesTheManifestAlongSoTheOldFolderMayGo() throws Exception {
        ours("-mv", "/upload/a", "/upload/d/b");
        assertThat(names("/upload")).containsExactly("d");
        assertSameChunks("/upload/d/b");
        ours("-mv", "/upload/d/b", "/upload");
        assertThat(names("/upload/d")).isEmpty();
        assertSameChunks("/upload/b");
    }

    @Test
    void aMoveOntoAFileIsRefusedAsEver() throws Exception {
        fs.create(path("/upload/b")).close();
        ShellRun run = ShellRun.of(conf, "-mv", "/upload/a", "/upload/b");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactly("mv: `/upload/b': File exists");
        assertSameChunks("/upload/a");
    }

    @Test
    void aRenamedFolderKeepsTheManifestsOfItsFilesAndOfThoseThatLeftIt() throws IOException {
        assertThat(fs.rename(path("/upload/a"), path("/upload/d/b"))).isTrue();
        fs.mkdirs(path("/upload/outer"));
        assertThat(fs.rename(path("/upload/d"), path("/upload/outer/e"))).isTrue();
        assertSameChunks("/upload/outer/e/b");
    }

    @Test
    void aRenameThatReplacesAnUploadBringsItsOwnManifest() throws Exception {
        upload(write("b", TextFiles.lines(300_000, 2)), "/upload/b");
        fs.rename(path("/upload/a"), path("/upload/b"), Rename.OVERWRITE);
        assertSameChunks("/upload/b");
    }

    @Test
    void anUploadUnderTheOldNameLeavesTheManifestOfTheRenamedFile() throws Exception {
        assertThat(fs.rename(path("/upload/a"), path("/upload/b"))).isTrue();
        byte[] other = TextFiles.lines(300_000, 3);
        upload(write("a2", other), "/upload/a");
        assertSameChunks("/upload/b");
        assertThat(manifest("/upload/a").length()).isEqualTo(other.length);
        assertThat(fs.rename(path("/upload/a"), path("/upload/c"))).isTrue();
        assertThat(fs.rename(path("/upload/b"), path("/upload/a"))).isTrue();
        assertSameChunks("/upload/a");
        assertThat(manifest("/upload/c").length()).isEqualTo(other.length);
    }

    @Test
    void aFileThatComesBackFromTheTrashHasItsManifest() throws Exception {
        org.apache.hadoop.fs.Path trashed = path(fs.getTrashRoot(path("/upload/a")) + "/Current/upload/a");
        ShellRun removed = ShellRun.of(conf, "-D", "fs.trash.interval=60", "-rm", "/upload/a");
        assertThat(removed.exitCode()).as(removed.err()).isZero();
        assertThat(fs.exists(trashed)).isTrue();
        assertThat(ours("-sweepManifests", "/upload").out()).isEmpty();
        assertThat(fs.rename(trashed, path("/upload/back"))).isTrue();
        assertSameChunks("/upload/back");
    }

    @Test
    void aCopyHasAManifestOfItsOwnThatOutlivesItsSource() throws Exception {
        ours("-cp", "-t", "2", "/upload/a", "/upload/d/copy");
        assertSameChunks("/upload/d/copy");
        assertThat(manifest("/upload/d/copy").fileId())
                .isNotEqualTo(manifest("/upload/a").fileId());
        fs.delete(path("/upload/a"), false);
        assertThat(fs.rename(path("/upload/d/copy"), path("/upload/moved"))).isTrue();
        assertSameChunks("/upload/moved");
        ours("-verifyChunks", "/upload/moved");
    }

    @Test
    void copiesOfFoldersHaveTheManifestsOfTheCopiesOnly() throws Exception {
        ours("-mv", "/upload/a", "/upload/d");
        fs.create(path("/upload/d/plain")).close();
        ours("-cp", "-p", "-t", "4", "/upload/d", "/upload/e");
        assertSameChunks("/upload/e/a");
        assertPlain("/upload/e/plain");
        assertThat(names("/upload/e")).containsExactlyInAnyOrder("a", ".a.shredder-manifest", "plain");
    }

    @Test
    void aManifestThatIsNamedIsCopiedAsAnyFile() throws Exception {
        ours("-cp", "/upload/.a.shredder-manifest", "/upload/kept");
        assertThat(read("/upload/kept")).isEqualTo(read("/upload/.a.shredder-manifest"));
    }

    @Test
    void aCopyWithModesHidesItsManifestAsWell() throws Exception {
        fs.setPermission(path("/upload/a"), new FsPermission((short) 0600));
        ours("-cp", "-px", "/upload/a", "/upload/b");
        ours("-cp", "-p", "/upload/a", "/upload/c");
        assertSameChunks("/upload/b");
        assertSameChunks("/upload/c");
        assertThat(fs.getFileStatus(path("/upload/.c.shredder-manifest"))
                        .getPermission()
                        .toShort())
                .isEqualTo((short) 0600);
    }

    @Test
    void aStockCopyIsAPlainFileEvenWithTheAttributes() throws Exception {
        stock("-cp", "-px", uri("/upload/a"), uri("/upload/b"));
        assertThat(read("/upload/b")).isEqualTo(data);
        assertPlain("/upload/b");
    }

    @Test
    void aSnapshotHasTheManifestOfItsFileAfterTheFileHasChangedMovedAndGone() throws Exception {
        fs.allowSnapshot(folder);
        fs.createSnapshot(folder, "s");
        assertSameChunks("/upload/.snapshot/s/a");
        ours("-mv", "/upload/a", "/upload/d/b");
        assertSameChunks("/upload/d/b");
        assertSameChunks("/upload/.snapshot/s/a");
        appendTo("/upload/d/b");
        assertPlain("/upload/d/b");
        fs.delete(path("/upload/d/b"), false);
        ours("-sweepManifests", "/upload");
        assertThat(names("/upload/d")).isEmpty();
        assertThat(read("/upload/.snapshot/s/a")).isEqualTo(data);
    }

    @Test
    void whatIsAppendedToTheShellsWayIsReadWholeAndItsManifestNotUsedEvenAfterAMove() throws Exception {
        Path more = write("more", "more\n".getBytes(StandardCharsets.US_ASCII));
        ours("-appendToFile", more.toString(), "/upload/a");
        assertThat(read("/upload/a")).hasSize(data.length + 5).startsWith(data);
        assertPlain("/upload/a");
        ours("-mv", "/upload/a", "/upload/b");
        assertPlain("/upload/b");
    }

    @Test
    void whatIsTruncatedIsShorterAndItsManifestNotUsedEvenAfterAMove() throws Exception {
        ours("-mv", "/upload/a", "/upload/b");
        ours("-truncate", "-w", "1000", "/upload/b");
        assertThat(read("/upload/b")).hasSize(1000);
        assertPlain("/upload/b");
        assertThat(fs.rename(path("/upload/b"), path("/upload/c"))).isTrue();
        assertPlain("/upload/c");
    }

    @Test
    void whatIsWrittenOverOrConcatenatedHasNoManifest() throws Exception {
        upload(write("c", data), "/upload/c");
        fs.concat(path("/upload/a"), new org.apache.hadoop.fs.Path[] {path("/upload/c")});
        assertThat(read("/upload/a")).hasSize(2 * data.length);
        assertPlain("/upload/a");
        try (FSDataOutputStream out = fs.create(path("/upload/a"), true)) {
            out.write(data);
        }
        assertPlain("/upload/a");
    }

    @Test
    void aManifestBesideAFileFromBeforeTheAttributeIsFound() throws IOException {
        fs.removeXAttr(path("/upload/a"), ManifestPlace.XATTR);
        assertSameChunks("/upload/a");
        assertThat(fs.rename(path("/upload/a"), path("/upload/b"))).isTrue();
        assertPlain("/upload/b");
    }

    @Test
    void sweepingDeletesTheManifestsOfFilesThatAreNoMoreAndNoOthers() throws Exception {
        upload(write("b", data), "/upload/d/b");
        upload(write("c", data), "/upload/c");
        assertThat(fs.rename(path("/upload/c"), path("/upload/d/c"))).isTrue();
        fs.delete(path("/upload/d/b"), false);
        assertThat(ours("-sweepManifests", "-n", "/upload").outLines())
                .containsExactly("would delete /upload/d/.b.shredder-manifest");
        assertThat(ours("-sweepManifests", "/upload").outLines())
                .containsExactly("deleted /upload/d/.b.shredder-manifest");
        assertThat(names("/upload/d")).containsExactly("c");
        assertSameChunks("/upload/a");
        assertSameChunks("/upload/d/c");
    }

    /** As it is through a Router: ids are looked up in another file system than names. */
    public static final class OtherInodes extends DistributedFileSystem {

        @Override
        public FileStatus getFileStatus(org.apache.hadoop.fs.Path file) throws IOException {
            if (file.toUri().getPath().startsWith("/.reserved/.inodes/")) {
                throw new FileNotFoundException(file.toString());
            }
            return super.getFileStatus(file);
        }
    }

    @Test
    void nothingIsSweptWhereIdsDoNotLeadToFiles() throws Exception {
        Configuration routed = new Configuration(conf);
        routed.set("fs.hdfs.impl", OtherInodes.class.getName());
        routed.setBoolean("fs.hdfs.impl.disable.cache", true);
        ShellRun run = ShellRun.of(routed, "-sweepManifests", "/upload");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .contains("`/upload/.a.shredder-manifest': files can't be found by their ids from here");
        assertThat(run.out()).isEmpty();
        assertSameChunks("/upload/a");
    }

    @Test
    void whoMayNotReadTheManifestReadsTheFileAsAPlainOne() throws Exception {
        fs.mkdirs(path("/upload/locked"), new FsPermission((short) 0700));
        upload(write("b", data), "/upload/locked/b");
        assertThat(fs.rename(path("/upload/locked/b"), path("/upload/b"))).isTrue();
        assertSameChunks("/upload/b");
        UserGroupInformation someone = UserGroupInformation.createRemoteUser("someone");
        Configuration theirs = new Configuration(conf);
        String reason = someone.doAs((PrivilegedExceptionAction<String>) () -> {
            try (FileSystem own = FileSystem.newInstance(fs.getUri(), theirs)) {
                return HdfsManifests.find(own, path("/upload/b")).reason();
            }
        });
        assertThat(reason).isEqualTo("no manifest");
    }

    private void appendTo(String file) throws IOException {
        try (FSDataOutputStream out = fs.append(path(file))) {
            out.write('\n');
        }
    }

    private String uri(String file) {
        return fs.makeQualified(path(file)).toString();
    }
}
