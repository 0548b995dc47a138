// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A folder that can't be listed doesn't keep a scan from all others. */
class ScanFoldersIT extends ScanCase {

    private static final FsPermission CLOSED = new FsPermission((short) 0700);

    @BeforeEach
    void makeFolders() throws IOException {
        put(TextFiles.lines(BLOCK / 8, 1), "/upload/open/a");
        put(TextFiles.lines(BLOCK / 8, 2), "/upload/closed/deep/b");
        put(TextFiles.lines(BLOCK / 8, 3), "/upload/other/c");
        fs.mkdirs(path("/user/someone"));
        fs.setOwner(path("/user/someone"), "someone", "someone");
    }

    @AfterEach
    void forgetClient() {
        conf.unset("fs.hdfs.impl");
        conf.unset("fs.hdfs.impl.disable.cache");
        conf.unset("mapreduce.jobtracker.staging.root.dir");
    }

    private ShellRun scanAsSomeone(String... words) throws Exception {
        return asSomeone(() -> scan(words));
    }

    private ShellRun asSomeone(PrivilegedExceptionAction<ShellRun> what) throws Exception {
        conf.set("mapreduce.jobtracker.staging.root.dir", "/user");
        return UserGroupInformation.createRemoteUser("someone").doAs(what);
    }

    @Test
    void aFolderThatMayNotBeReadIsNotVerified() throws Exception {
        fs.setPermission(path("/upload/closed"), CLOSED);
        fs.setPermission(path("/user"), new FsPermission((short) 0777));
        ShellRun run = asSomeone(() -> command("--verify", "/upload"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly("scan: " + fs.makeQualified(path("/upload/closed"))
                        + ": could not be verified: it may not be read");
        assertThat(run.out()).endsWith("2 without a manifest, 1 could not be read\n");
    }

    @Test
    void filesOfOthersAreRefusedBeforeTheyAreReadAndOnesOwnGetManifests() throws Exception {
        for (String name : new String[] {"/user", "/upload/open", "/upload/open/a", "/upload/other"}) {
            fs.setPermission(path(name), new FsPermission((short) 0777));
        }
        fs.setOwner(path("/upload/other/c"), "someone", null);
        ShellRun run = scanAsSomeone("--write", "/upload/open", "/upload/other");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("/upload/open/a: left out: it belongs to ")
                .contains("only that user or the superuser can give it a manifest")
                .contains("scanning 1 files");
        assertThat(manifest("/upload/other/c").chunks()).isNotEmpty();
        assertThat(names("/upload/open")).containsExactly("a");
    }

    @Test
    void aFileThatIsBeingWrittenIsNamedAndNoFailureOfAVerification() throws Exception {
        try (FSDataOutputStream out = fs.create(path("/upload/open/growing"))) {
            out.write(1);
            out.hsync();
            ShellRun run = command("--verify", "/upload");
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
            assertThat(run.outLines())
                    .contains(fs.makeQualified(path("/upload/open/growing")) + ": left out: it is being written");
        }
    }

    @Test
    void aFolderThatMayNotBeReadIsNamedAndTheOthersAreScanned() throws Exception {
        fs.setPermission(path("/upload/closed"), CLOSED);
        fs.setPermission(path("/user"), new FsPermission((short) 0777));
        ShellRun run = scanAsSomeone("/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines())
                .hasSize(4)
                .contains(fs.makeQualified(path("/upload/closed")) + ": left out: it may not be read");
        assertThat(run.out())
                .contains("scanning 2 files")
                .contains("; 1 left out\n")
                .contains("/upload/open/a: ")
                .contains("/upload/other/c: ");

        ShellRun root = scanAsSomeone("/upload/open", "/upload/closed");
        assertThat(root.exitCode()).as("named by whoever scans").isEqualTo(1);
        assertThat(root.err()).contains("Permission denied").contains("/upload/closed");
    }

    /** A real HDFS, in which folders of one name go away just before they are listed. */
    public static final class GoingFolders extends DistributedFileSystem {

        @Override
        public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path folder)
                throws FileNotFoundException, IOException {
            if (folder.getName().equals("closed")) {
                delete(folder, true);
            }
            return super.listLocatedStatus(folder);
        }
    }

    /** A real HDFS that has lost one manifest's block. */
    public static final class LostManifest extends DistributedFileSystem {

        @Override
        public FSDataInputStream open(Path file, int bufferBytes) throws IOException {
            if (file.getName().equals(".a.shredder-manifest")) {
                throw new BlockMissingException(file.toString(), "Could not obtain block", 0);
            }
            return super.open(file, bufferBytes);
        }
    }

    @Test
    void aManifestThatCannotBeReadIsReplacedAndEndsNoScan() throws Exception {
        assertThat(scan("--write", "/upload").exitCode()).isZero();
        conf.set("fs.hdfs.impl", LostManifest.class.getName());
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        ShellRun run = scan("--write", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("scanning 1 files").contains("/upload/open/a: ");

        ShellRun verified = command("--verify", "/upload");
        assertThat(verified.exitCode()).isEqualTo(1);
        assertThat(verified.errLines()).singleElement().asString().contains("/upload/open/a: could not be verified: ");
        assertThat(verified.out()).contains("2 files verified, 0 damaged, ").endsWith(", 1 could not be read\n");
    }

    @Test
    void aFolderThatGoesAwayWhileItIsListedIsNamedAndTheOthersAreScanned() throws Exception {
        conf.set("fs.hdfs.impl", GoingFolders.class.getName());
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        ShellRun run = scan("--write", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines())
                .hasSize(4)
                .contains(fs.makeQualified(path("/upload/closed")) + ": left out: it went away while it was listed");
        assertThat(manifest("/upload/other/c").chunks()).isNotEmpty();
        assertThat(names("/upload")).containsExactly("open", "other");

        ShellRun gone = scan("/upload/closed");
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.err()).contains("/upload/closed isn't there");
    }
}
