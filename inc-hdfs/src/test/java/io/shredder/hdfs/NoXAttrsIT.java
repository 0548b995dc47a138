// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.scan.ScanTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.ToolRunner;
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

    @Test
    void aScannedFileWhoseBlocksOnlyTheAttributeCouldNameIsRefused() throws Exception {
        DistributedFileSystem fs = cluster.getFileSystem();
        org.apache.hadoop.fs.Path uneven = new org.apache.hadoop.fs.Path("/uneven");
        for (EnumSet<CreateFlag> how :
                List.of(EnumSet.of(CreateFlag.CREATE), EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK))) {
            try (FSDataOutputStream out = fs.exists(uneven) ? fs.append(uneven, how, 4096, null) : fs.create(uneven)) {
                out.write(TextFiles.lines(10_000, 2));
            }
        }
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Configuration conf = new Configuration(fs.getConf());
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        ScanTool tool = new ScanTool(
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(ToolRunner.run(conf, tool, new String[] {"--write", "/uneven"}))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("/uneven: its blocks are not all of one length")
                .contains("dfs.namenode.xattrs.enabled");
        assertThat(fs.exists(ManifestPaths.of(uneven))).isFalse();
    }
}
