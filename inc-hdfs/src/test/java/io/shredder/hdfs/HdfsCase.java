// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.chunk.binding.ManifestBinding;
import io.shredder.hdfs.manifest.HdfsFile;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What tests against HDFS share: a local folder, an empty folder in HDFS, the shell with small chunks and blocks. */
@ExtendWith(HdfsClusterExtension.class)
abstract class HdfsCase {

    private static final List<String> SMALL =
            List.of("-avg", "4k", "-blockAvg", "128k", "-blockMin", "32k", "-blockMax", "512k");

    @TempDir
    Path local;

    Configuration conf;
    DistributedFileSystem fs;
    org.apache.hadoop.fs.Path folder;

    @BeforeEach
    void emptyFolder(MiniDFSCluster cluster) throws IOException {
        fs = cluster.getFileSystem();
        conf = fs.getConf();
        folder = new org.apache.hadoop.fs.Path("/upload");
        fs.delete(folder, true);
        fs.mkdirs(folder);
    }

    void upload(Path source, String target) throws Exception {
        ShellRun run = run(source, target);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
    }

    ShellRun run(Path source, String target) throws Exception {
        return shell(source.toString(), target);
    }

    ShellRun shell(String... args) throws Exception {
        return ShellRun.of(conf, arguments(args));
    }

    static String[] arguments(String... args) {
        return Stream.of(Stream.of("-copyFromLocalGPU"), SMALL.stream(), Stream.of(args))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    Path write(String name, byte[] data) throws IOException {
        return Files.write(local.resolve(name), data);
    }

    Manifest manifest(String file) throws IOException {
        return HdfsManifests.require(new PathData(fs.makeQualified(path(file)).toString(), conf));
    }

    /** Puts {@code manifest} in the place of a file's own, with everything that makes it valid. */
    void bind(String file, Manifest manifest) throws IOException {
        byte[] bytes = ManifestCodec.encode(manifest);
        try (FSDataOutputStream out = fs.create(ManifestPaths.of(path(file)), true)) {
            out.write(bytes);
        }
        BlockLayout layout = HdfsFile.layout(fs, path(file), manifest.length());
        byte[] binding = ManifestBinding.of(bytes, layout.digest()).encode();
        fs.setXAttr(path(file), ManifestBinding.XATTR, binding, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    byte[] read(String file) throws IOException {
        try (FSDataInputStream in = fs.open(path(file))) {
            return in.readAllBytes();
        }
    }

    List<Long> blockLengths(String file) throws IOException {
        return Arrays.stream(fs.getFileBlockLocations(path(file), 0, Long.MAX_VALUE))
                .map(BlockLocation::getLength)
                .toList();
    }

    List<String> names(String directory) throws IOException {
        return Arrays.stream(fs.listStatus(path(directory)))
                .map(status -> status.getPath().getName())
                .toList();
    }

    static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(name);
    }
}
