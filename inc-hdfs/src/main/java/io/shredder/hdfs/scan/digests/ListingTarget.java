// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Where a listing is to be: a name in HDFS that nothing has yet. For one thread. */
public final class ListingTarget {

    /** It names files, and tells which are alike, also to those who may read none of them. */
    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);

    private final DistributedFileSystem fs;
    private final Path path;
    private final Configuration conf;

    private ListingTarget(DistributedFileSystem fs, Path path, Configuration conf) {
        this.fs = fs;
        this.path = path;
        this.conf = conf;
    }

    /**
     * A listing as it was published.
     *
     * @param path whole, with its file system
     * @param files that are in it
     * @param bytes its length
     */
    public record Published(Path path, long files, long bytes) {}

    /**
     * Writes nothing yet.
     *
     * @throws IOException if the name is taken, in no folder, or not in HDFS, with what to name instead
     */
    public static ListingTarget of(String name, Configuration conf) throws IOException {
        Path wanted = new Path(name);
        if (!(wanted.getFileSystem(conf) instanceof DistributedFileSystem fs)) {
            throw new IOException("--digests-only " + name + " is not in HDFS: name a file there");
        }
        Path path = fs.makeQualified(wanted);
        if (fs.exists(path)) {
            throw new IOException("--digests-only " + name + " is there already, and stays: name a new file");
        }
        Path folder = path.getParent();
        if (folder == null || !fs.exists(folder) || !fs.getFileStatus(folder).isDirectory()) {
            throw new IOException("--digests-only " + name + ": its folder isn't there: make it first");
        }
        return new ListingTarget(fs, path, conf);
    }

    /**
     * Makes a listing of what the tasks of a job wrote down. It appears whole or not at all, and replaces nothing.
     *
     * @param outcomes where the job wrote
     */
    public Published publish(Path outcomes) throws IOException {
        Path temporary = new Path(path.getParent(), "." + path.getName() + ".shredder-digests-" + UUID.randomUUID());
        fs.deleteOnExit(temporary);
        try {
            Published published = write(outcomes, temporary);
            fs.rename(temporary, path, Rename.NONE);
            return published;
        } finally {
            fs.delete(temporary, false);
            fs.cancelDeleteOnExit(temporary);
        }
    }

    private Published write(Path outcomes, Path temporary) throws IOException {
        Published written;
        try (FSDataOutputStream out =
                fs.createFile(temporary).overwrite(false).permission(OWNER_ONLY).build()) {
            ListingWriter writer = new ListingWriter(out);
            TaskRecords.forEach(
                    ListedDigests.folder(outcomes),
                    value -> writer.add(ByteBuffer.wrap(value.getBytes(), 0, value.getLength())),
                    conf);
            long files = writer.files();
            written = new Published(path, files, writer.finish());
            out.hsync();
        }
        FileStatus status = fs.getFileStatus(temporary);
        if (status.getLen() != written.bytes()) {
            throw new IOException(temporary + " has " + status.getLen() + " bytes of " + written.bytes()
                    + " that were written: try again");
        }
        return written;
    }
}
