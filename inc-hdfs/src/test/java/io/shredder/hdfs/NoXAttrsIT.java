// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfs.manifest.HdfsManifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that has extended attributes switched off. */
class NoXAttrsIT {

    @TempDir
    private static Path folder;

    private static MiniDFSCluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setBoolean("dfs.namenode.xattrs.enabled", false);
        cluster = new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
                .numDataNodes(1)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.shutdown();
        }
    }

    @Test
    void anUploadHasItsManifestWithoutTheAttribute() throws Exception {
        Path source = Files.write(folder.resolve("a"), TextFiles.lines(100_000, 1));
        DistributedFileSystem fs = cluster.getFileSystem();

        ShellRun run = ShellRun.of(
                fs.getConf(), "-copyFromLocalGPU", "-avg", "4k", "-blockAvg", "32k", source.toString(), "/a");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        HdfsManifests.Lookup lookup = HdfsManifests.find(fs, new org.apache.hadoop.fs.Path("/a"));
        assertThat(lookup.manifest()).hasValueSatisfying(manifest -> assertThat(manifest.length())
                .isEqualTo(source.toFile().length()));
    }
}
