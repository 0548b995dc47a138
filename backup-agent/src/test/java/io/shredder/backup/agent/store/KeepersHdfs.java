// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A real HDFS of three DataNodes, folders of which are keepers. */
final class KeepersHdfs implements AutoCloseable {

    private final MiniDFSCluster cluster;
    private final AtomicInteger folders = new AtomicInteger();

    KeepersHdfs(Path work) throws IOException {
        cluster = new MiniDFSCluster.Builder(new HdfsConfiguration(), work.toFile())
                .numDataNodes(3)
                .build();
        cluster.waitActive();
    }

    MiniDFSCluster cluster() {
        return cluster;
    }

    DistributedFileSystem files() throws IOException {
        return cluster.getFileSystem();
    }

    /** An empty folder. */
    URI madeFolder() throws IOException {
        DistributedFileSystem hdfs = files();
        var folder = new org.apache.hadoop.fs.Path("/keepers/" + folders.incrementAndGet());
        hdfs.mkdirs(folder, new FsPermission((short) 0700));
        return hdfs.makeQualified(folder).toUri();
    }

    @Override
    public void close() {
        cluster.shutdown(true);
    }
}
