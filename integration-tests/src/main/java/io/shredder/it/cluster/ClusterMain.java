// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A program that runs a cluster until it is interrupted, for trying things by hand. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description = "Runs HDFS and YARN on free loopback ports until Ctrl-C; prints the HADOOP_CONF_DIR to use.")
public final class ClusterMain implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", description = "work folder for data, logs and configuration; kept at the end")
    private Path folder;

    @Option(names = "--hdfs-only", description = "no YARN")
    private boolean hdfsOnly;

    public static void main(String[] args) {
        System.exit(new CommandLine(new ClusterMain()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        var shape = hdfsOnly ? HadoopCluster.Shape.HDFS : HadoopCluster.Shape.HDFS_AND_YARN;
        try (HadoopCluster cluster = HadoopCluster.started(folder, shape)) {
            System.out.println("HADOOP_CONF_DIR=" + cluster.clientFolder());
            new CountDownLatch(1).await(); // until a signal ends the JVM, whose end closes the cluster
            return 0;
        } catch (IOException e) {
            System.err.println("cluster: " + e.getMessage());
            return 1;
        }
    }
}
