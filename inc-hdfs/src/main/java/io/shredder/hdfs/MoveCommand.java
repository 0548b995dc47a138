// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.upload.ManifestPublisher;
import java.io.IOException;
import java.util.LinkedList;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.CopyCommandWithMultiThread;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * {@code -mv}: Hadoop's own, with which a file's manifest goes along: whoever may enter the file's new folder may enter
 * its manifest's, and the old folder may go. Hadoop's class can't be extended from here; nothing is copied.
 */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class MoveCommand extends CopyCommandWithMultiThread {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "mv";

    /** The synopsis. */
    public static final String USAGE = "<src> ... <dst>";

    /** The help text. */
    public static final String DESCRIPTION =
            "Move files that match the specified file pattern <src> to a destination <dst>. When moving multiple files, the"
                    + " destination must be a directory. A file's manifest goes along.";

    @Override
    protected void processOptions(LinkedList<String> args) throws IOException {
        new CommandFormat(2, Integer.MAX_VALUE).parse(args);
        getRemoteDestination(args);
    }

    @Override
    protected void processPath(PathData src, PathData target) throws IOException {
        if (!fileSystemOf(src).equals(fileSystemOf(target))) {
            throw new PathIOException(src.toString(), "Does not match target filesystem");
        }
        if (target.exists) {
            throw new PathExistsException(target.toString());
        }
        if (!target.fs.rename(src.path, target.path)) {
            throw new PathIOException(src.toString());
        }
        moveManifest(src, target);
    }

    private static String fileSystemOf(PathData path) {
        return path.fs.getUri().getScheme() + "://" + path.fs.getUri().getHost();
    }

    /** The attribute leads to it all the same, so a failure is worth no more than a warning. */
    private void moveManifest(PathData src, PathData target) {
        if (!(target.fs instanceof DistributedFileSystem hdfs) || !src.stat.isFile()) {
            return;
        }
        try {
            Path old = ManifestPaths.of(src.path);
            long fileId = ((HdfsFileStatus) src.stat).getFileId();
            if (ManifestPaths.isFor(hdfs, old, fileId)) {
                hdfs.rename(old, ManifestPublisher.claimName(hdfs, target.path, fileId), Rename.OVERWRITE);
            }
        } catch (IOException e) {
            displayWarning(target + " is moved, its manifest stays behind: " + e.getMessage());
        }
    }
}
