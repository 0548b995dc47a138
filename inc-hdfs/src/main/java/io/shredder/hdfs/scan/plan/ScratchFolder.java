// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** A folder in the user's home for what jobs write to the command; it goes with the command, however that ends. */
public final class ScratchFolder implements Closeable {

    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

    private final FileSystem fs;
    private final Path path;

    /** Makes it. */
    public ScratchFolder(Configuration conf) throws IOException {
        Path wanted = new Path(FileSystem.get(conf).getHomeDirectory(), ".shredder-scan-" + UUID.randomUUID());
        this.fs = wanted.getFileSystem(conf);
        this.path = fs.makeQualified(wanted);
        fs.mkdirs(path, OWNER_ONLY);
        fs.deleteOnExit(path);
    }

    /** Of a file or folder in it. */
    public Path path(String name) {
        return new Path(path, name);
    }

    /** Deletes it with all that is in it. */
    @Override
    public void close() throws IOException {
        fs.delete(path, true);
        fs.cancelDeleteOnExit(path);
    }
}
