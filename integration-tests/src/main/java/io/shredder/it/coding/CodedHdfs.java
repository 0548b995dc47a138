// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import io.shredder.it.cluster.ClusterExtras;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.process.Child;
import io.shredder.it.process.Command;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS with directories of RS-6-3-1024k, on real daemons: what writes take with one raw coder and another, and what
 * DataNodes take that repair. Half of the twelve DataNodes have Shredder's coder, half have {@code rs_java}; none may
 * fall through to another one.
 */
public final class CodedHdfs implements AutoCloseable {
    private static final String POLICY = "RS-6-3-1024k";
    private static final List<String> REPAIRERS = List.of(CodedWrites.RS_SHREDDER, HadoopCoders.RS_JAVA);
    private static final org.apache.hadoop.fs.Path REPAIRED = new org.apache.hadoop.fs.Path("/repaired");
    private static final String REPAIRED_BLOCK_BYTES = String.valueOf(4 << 20);

    /** A DataNode is dead after 11 s of silence, and what it had is repaired from the next second on. */
    private static final Map<String, String> QUICK_REPAIR = Map.of(
            "dfs.namenode.heartbeat.recheck-interval", "500",
            "dfs.namenode.redundancy.interval.seconds", "1",
            "dfs.namenode.redundancy.considerLoad", "false");

    private final HadoopCluster cluster;
    private final NativePrograms programs;
    private final Path services;
    private final DistributedFileSystem fs;

    private CodedHdfs(HadoopCluster cluster, NativePrograms programs, Path services) throws IOException {
        this.cluster = cluster;
        this.programs = programs;
        this.services = services;
        Configuration conf = cluster.clientConfiguration();
        conf.set(CodedWrites.CODERS_PROPERTY, HadoopCoders.RS_JAVA);
        conf.set("dfs.blocksize", REPAIRED_BLOCK_BYTES);
        this.fs = (DistributedFileSystem) FileSystem.newInstance(conf);
        fs.enableErasureCodingPolicy(POLICY);
        for (org.apache.hadoop.fs.Path folder : List.of(CodedWrites.FOLDER, REPAIRED)) {
            fs.mkdirs(folder);
            fs.setErasureCodingPolicy(folder, POLICY);
        }
    }

    /**
     * Starts the daemons.
     *
     * @param work an empty folder, or none yet, for all that they write
     * @param programs of the build whose library is measured
     */
    public static CodedHdfs start(Path work, NativePrograms programs) throws IOException, InterruptedException {
        var extras = new ClusterExtras(
                Map.of(),
                QUICK_REPAIR,
                number -> Map.of(CodedWrites.CODERS_PROPERTY, REPAIRERS.get(number % REPAIRERS.size())),
                // Compiled as a DataNode would be that an operator starts.
                List.of("-XX:TieredStopAtLevel=4", library(programs)),
                true);
        HadoopCluster cluster = HadoopCluster.started(work, HadoopCluster.Shape.HDFS_OF_TWELVE, extras);
        try {
            return new CodedHdfs(cluster, programs, NullCoders.serviceFolder(work.resolve("null-coders")));
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static String library(NativePrograms programs) {
        return "-Dshredder.library.path=" + programs.build().resolve("libshredder.so");
    }

    /** Writes files with each of {@link CodedWrites#CODERS} in turn; the program's rows. */
    public NativePrograms.Output write(int mebibytes, int rounds) throws IOException, InterruptedException {
        String classPath = services + ":" + clientClassPath();
        List<String> words = List.of(String.valueOf(mebibytes), String.valueOf(rounds));
        List<String> jvm = List.of("-Xmx1g", library(programs));
        return programs.run("hdfs-writes", Map.of(), Command.java(jvm, classPath, CodedWrites.class.getName(), words));
    }

    private String clientClassPath() {
        return cluster.clientFolder() + ":" + System.getProperty("java.class.path");
    }

    /** Whether {@code hdfs debug verifyEC} finds right what a coder wrote last. */
    public boolean isRight(String coder) throws IOException, InterruptedException {
        return isRight(CodedWrites.file(coder), coder);
    }

    /** It computes the parity again, by Hadoop's coder, and compares. */
    private boolean isRight(org.apache.hadoop.fs.Path file, String name) throws IOException, InterruptedException {
        Path log = programs.logs().resolve("verify-" + name + ".log");
        Files.deleteIfExists(log);
        List<String> words = List.of(
                "-D" + CodedWrites.CODERS_PROPERTY + "=" + HadoopCoders.RS_JAVA,
                "verifyEC",
                "-file",
                file.toUri().getPath());
        List<String> command =
                Command.java(List.of("-Xmx1g"), clientClassPath(), "org.apache.hadoop.hdfs.tools.DebugAdmin", words);
        Child verify = programs.children()
                .start(new Command(
                        "verify-" + name, command, Map.of(), Path.of("").toAbsolutePath(), log));
        int exitCode = verify.waitFor();
        String said = Files.readString(log, StandardCharsets.UTF_8);
        boolean right = said.contains("All EC block group status: OK");
        if (!right && !said.contains("ERROR")) {
            throw new IOException("verifyEC gave no verdict (" + log + "):\n" + verify.logTail());
        }
        return right && exitCode == 0;
    }

    /**
     * What DataNodes counted that repaired.
     *
     * @param ours of those with Shredder's coder
     * @param javas of those with {@code rs_java}
     * @param right whether {@code verifyEC} finds the file right that they repaired
     */
    public record Repaired(RepairCounters ours, RepairCounters javas, boolean right) {}

    /**
     * Writes a file by {@code rs_java}, loses three DataNodes one by one, and reads the file when it is whole again.
     * Other files, which would be repaired, too, are deleted first.
     */
    public Repaired repair(int mebibytes) throws IOException, InterruptedException {
        fs.delete(CodedWrites.FOLDER, true);
        var file = new StampedFile(new org.apache.hadoop.fs.Path(REPAIRED, "file"), (long) mebibytes << 20);
        file.write(fs);
        Map<String, RepairCounters> counted = new DataNodeRepair(fs, file).run(REPAIRERS);
        file.check(fs);
        return new Repaired(
                counted.getOrDefault(CodedWrites.RS_SHREDDER, RepairCounters.NONE),
                counted.getOrDefault(HadoopCoders.RS_JAVA, RepairCounters.NONE),
                isRight(file.path(), "repaired"));
    }

    @Override
    public void close() throws IOException {
        try {
            fs.close();
        } finally {
            cluster.close();
        }
    }
}
