// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.binding.ManifestNames;
import io.shredder.hdfs.manifest.Inodes;
import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.upload.HdfsDestination;
import java.io.IOException;
import java.util.LinkedList;
import java.util.OptionalLong;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;

/** {@code -sweepManifests}: deletes manifests whose file is no more. */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class SweepManifestsCommand extends FsCommand {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "sweepManifests";

    /** The synopsis. */
    public static final String USAGE = "[-n] <dir> ...";

    /** The help text. */
    public static final String DESCRIPTION =
            "Delete the manifests below directories whose file is no more, under any name in HDFS, the trash included. Prints a"
                    + " line for each. A file that only a snapshot has is no more; the snapshot has its manifest as well.\n"
                    + "  -n : Only tell which ones would be deleted.\n";

    private boolean dryRun;

    @Override
    protected void processOptions(LinkedList<String> args) {
        CommandFormat format = new CommandFormat(1, Integer.MAX_VALUE, "n");
        format.parse(args);
        dryRun = format.getOpt("n");
        setRecursive(true);
    }

    @Override
    protected void processPathArgument(PathData item) throws IOException {
        HdfsDestination.requireHdfs(item);
        super.processPathArgument(item);
    }

    @Override
    protected void processPath(PathData item) throws IOException {
        if (!item.stat.isFile() || !ManifestNames.isManifest(item.path.getName())) {
            return;
        }
        DistributedFileSystem fs = HdfsDestination.requireHdfs(item);
        OptionalLong owner = ManifestPaths.owner(fs, item.path);
        if (owner.isPresent() && isGone(fs, owner.getAsLong())) {
            if (!Inodes.leadTo(fs, (HdfsFileStatus) item.stat)) {
                throw new PathIOException(
                        item.toString(),
                        "files can't be found by their ids from here, as through a Router, so nobody knows whether its"
                                + " file is gone: name the folder in the file system that has it,"
                                + " hdfs://NAMESERVICE/PATH");
            }
            if (!dryRun) {
                fs.delete(item.path, false);
            }
            out.println((dryRun ? "would delete " : "deleted ") + item);
        }
    }

    /** Of a file that may live where this user may not look nothing is known. */
    private static boolean isGone(DistributedFileSystem fs, long fileId) throws IOException {
        try {
            return !Inodes.exists(fs, fileId);
        } catch (AccessControlException e) {
            return false;
        }
    }
}
