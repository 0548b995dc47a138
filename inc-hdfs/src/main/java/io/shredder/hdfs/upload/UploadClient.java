// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Opens HDFS clients that suit uploads, which close a file for each block. */
public final class UploadClient {

    private static final String DEFAULTS = "hdfs-default.xml";

    /**
     * Closing a file asks the NameNode until the block's first replica is reported, which takes a few milliseconds;
     * stock clients ask again after 400. The pauses double, so that these retries last longer than the stock ones,
     * about 20 s.
     */
    private static final Map<String, String> SETTINGS = Map.of(
            "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "20",
            "dfs.client.block.write.locateFollowingBlock.retries", "10");

    private UploadClient() {}

    /** A client of {@code target}'s file system, the caller's to close. Keeps what site or command line set. */
    public static DistributedFileSystem open(PathData target, Configuration conf) throws IOException {
        HdfsDestination.requireHdfs(target);
        Configuration own = new Configuration(conf);
        SETTINGS.forEach((key, value) -> setUnlessChosen(own, key, value));
        return (DistributedFileSystem) FileSystem.newInstance(target.fs.getUri(), own);
    }

    private static void setUnlessChosen(Configuration conf, String key, String value) {
        String[] sources = conf.getPropertySources(key);
        if (sources == null || sources.length == 0 || sources[sources.length - 1].equals(DEFAULTS)) {
            conf.set(key, value);
        }
    }
}
