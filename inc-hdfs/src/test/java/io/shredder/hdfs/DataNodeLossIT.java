// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Manifest;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DataNode that dies in the middle of an upload. */
class DataNodeLossIT {

    @TempDir
    private static Path folder;

    private static MiniDFSCluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = new MiniDFSCluster.Builder(
                        new HdfsConfiguration(), folder.resolve("hdfs").toFile())
                .numDataNodes(3)
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
    void anUploadGoesOnWithoutItAndIsWhole() throws Exception {
        byte[] data = TextFiles.lines(4 << 20, 1);
        Path source = Files.write(folder.resolve("a"), data);
        PathData target =
                new PathData(cluster.getURI() + "/a", cluster.getFileSystem().getConf());

        try (Shredder engine = Shredder.open(ShredderOptions.defaults());
                HdfsDestination destination = new HdfsDestination(target)) {
            UploadSource from = UploadSource.ofFile(new PathData(source.toUri(), target.fs.getConf()));
            new Upload(engine, smallBlocks(target)).copy(from, destination, stopADataNodeAfter(1 << 20));
        }

        assertThat(cluster.getDataNodes()).hasSize(2);
        target.refreshStatus();
        Manifest manifest = HdfsManifests.require(target);
        assertThat(manifest.length()).isEqualTo(data.length);
        try (FSDataInputStream in = target.fs.open(target.path)) {
            assertThat(in.readAllBytes()).isEqualTo(data);
        }
    }

    private static UploadOptions smallBlocks(PathData target) {
        CommandFormat format = new CommandFormat(0, Integer.MAX_VALUE);
        UploadOptions.VALUE_OPTIONS.forEach(format::addOptionWithValue);
        format.parse(new LinkedList<>(List.of("-avg", "16k", "-blockAvg", "1m")));
        return UploadOptions.of(format, target.fs.getConf());
    }

    private static LongConsumer stopADataNodeAfter(long bytes) {
        return written -> {
            if (written > bytes && cluster.getDataNodes().size() == 3) {
                cluster.stopDataNode(0);
            }
        };
    }
}
