// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/**
 * A real HDFS and a real YARN of one node, whose containers are processes of their own and know nothing of this project
 * but what a job brings along.
 */
final class YarnCluster implements AutoCloseable {

    /** Containers live for seconds: the second compiler would cost more than it gives. */
    private static final String CONTAINER_JVM =
            "-Xmx300m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions"
                    + " -XX:-BytecodeVerificationRemote";

    private final MiniDFSCluster hdfs;
    private final MiniMRYarnCluster yarn;
    private final FileSystem fs;

    YarnCluster(File folder) throws IOException {
        Configuration conf = new Configuration();
        conf.setLong("dfs.blocksize", 1 << 20);
        hdfs = new MiniDFSCluster.Builder(conf, new File(folder, "dfs"))
                .numDataNodes(1)
                .build();
        fs = hdfs.getFileSystem();
        Configuration yarnConf = new Configuration(fs.getConf());
        yarnConf.set("hadoop.tmp.dir", new File(folder, "tmp").toString());
        yarnConf.setInt("yarn.scheduler.minimum-allocation-mb", 128);
        yarnConf.setInt("yarn.nodemanager.resource.memory-mb", 3072);
        yarnConf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        yarnConf.setFloat("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 99.5f);
        yarnConf.setLong("yarn.nodemanager.log.retain-seconds", 3600); // For those that fail, and say so by them.
        yarn = new MiniMRYarnCluster("incoop", 1);
        yarn.init(yarnConf);
        yarn.start();
    }

    MiniDFSCluster hdfs() {
        return hdfs;
    }

    FileSystem fs() {
        return fs;
    }

    /** For its clients: {@code mapreduce.framework.name} is given, containers have Hadoop's jars, none of ours. */
    Configuration framework(String name) {
        Configuration conf = new Configuration(yarn.getConfig());
        conf.set("mapreduce.framework.name", name);
        conf.setBoolean("yarn.is.minicluster", false);
        conf.set("yarn.application.classpath", containerClassPath());
        conf.set("mapreduce.application.classpath", "/none");
        String javaHome = "JAVA_HOME=" + System.getProperty("java.home");
        for (String env : List.of("yarn.app.mapreduce.am.env", "mapreduce.map.env", "mapreduce.reduce.env")) {
            conf.set(env, javaHome);
        }
        conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
        conf.set("yarn.app.mapreduce.am.command-opts", CONTAINER_JVM);
        for (String task : List.of("map", "reduce")) {
            conf.setInt("mapreduce." + task + ".memory.mb", 512);
            conf.set("mapreduce." + task + ".java.opts", CONTAINER_JVM);
        }
        conf.setInt("mapreduce.task.io.sort.mb", 32);
        return conf;
    }

    /** What containers that ran so far have logged, of it the lines that contain this. */
    List<String> logged(String words) throws IOException {
        try (Stream<Path> files = Files.walk(yarn.getTestWorkDir().toPath())) {
            return files.filter(file -> file.endsWith("syslog"))
                    .flatMap(file -> linesOf(file).filter(line -> line.contains(words)))
                    .toList();
        }
    }

    private static Stream<String> linesOf(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            return Stream.of(file + ": " + e);
        }
    }

    private static String containerClassPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar") && entry.contains("/.m2/"))
                .filter(entry -> !entry.contains("examples"))
                .collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        yarn.stop();
        hdfs.shutdown();
    }
}
