// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Writes the configuration folders of the daemons and of the cluster's clients. */
final class ClusterFiles {
    private static final String ANY_PORT = "127.0.0.1:0";

    /** Of application masters, which live for seconds. */
    private static final String MASTER_JVM = "-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
            + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

    /** The web applications' folders that the daemons insist on finding on their class path, even empty. */
    private static final List<String> WEB_APPS =
            List.of("hdfs", "datanode", "secondary", "cluster", "node", "jobhistory", "proxy", "static", "mapreduce");

    private static final String LOGGING =
            """
            log4j.rootLogger=INFO,console
            log4j.appender.console=org.apache.log4j.ConsoleAppender
            log4j.appender.console.target=System.err
            log4j.appender.console.layout=org.apache.log4j.PatternLayout
            log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
            """;

    private final Path work;
    private final String hadoopClassPath;
    private final Map<String, String> core = new TreeMap<>();
    private final Map<String, String> hdfs = new TreeMap<>();
    private final Map<String, String> yarn = new TreeMap<>();
    private final Map<String, String> mapred = new TreeMap<>();

    ClusterFiles(Path work, String hadoopClassPath, FreePorts ports, ClusterExtras extras) {
        this.work = work;
        this.hadoopClassPath = hadoopClassPath;
        fillHdfs(ports);
        fillYarn(ports);
        fillMapReduce(ports);
        // A site file overrides only the defaults that Hadoop reads beside it.
        List.of(core, yarn, mapred).forEach(site -> site.putAll(extras.sites()));
        hdfs.putAll(extras.hdfs());
    }

    private void fillHdfs(FreePorts ports) {
        core.put("fs.defaultFS", "hdfs://" + ports.nextAddress());
        core.put("hadoop.tmp.dir", work.resolve("tmp").toString());
        core.put("hadoop.http.staticuser.user", System.getProperty("user.name"));
        hdfs.put("dfs.namenode.http-address", ports.nextAddress());
        hdfs.put("dfs.namenode.name.dir", work.resolve("name").toUri().toString());
        hdfs.put("dfs.namenode.safemode.extension", "0");
        hdfs.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        hdfs.put("dfs.replication", "3");
        hdfs.put("dfs.heartbeat.interval", "1");
        hdfs.put("dfs.datanode.address", ANY_PORT);
        hdfs.put("dfs.datanode.http.address", ANY_PORT);
        hdfs.put("dfs.datanode.ipc.address", ANY_PORT);
    }

    private void fillYarn(FreePorts ports) {
        yarn.put("yarn.resourcemanager.hostname", "127.0.0.1");
        yarn.put("yarn.resourcemanager.address", ports.nextAddress());
        yarn.put("yarn.resourcemanager.scheduler.address", ports.nextAddress());
        yarn.put("yarn.resourcemanager.resource-tracker.address", ports.nextAddress());
        yarn.put("yarn.resourcemanager.admin.address", ports.nextAddress());
        yarn.put("yarn.resourcemanager.webapp.address", ports.nextAddress());
        yarn.put("yarn.nodemanager.address", ANY_PORT);
        yarn.put("yarn.nodemanager.localizer.address", ANY_PORT);
        yarn.put("yarn.nodemanager.collector-service.address", ANY_PORT);
        yarn.put("yarn.nodemanager.webapp.address", ANY_PORT);
        yarn.put("yarn.nodemanager.local-dirs", work.resolve("nm-local").toString());
        yarn.put("yarn.nodemanager.log-dirs", work.resolve("nm-logs").toString());
        yarn.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
        yarn.put("yarn.nodemanager.vmem-check-enabled", "false");
        yarn.put("yarn.nodemanager.pmem-check-enabled", "false");
        yarn.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        yarn.put("yarn.nodemanager.resource.memory-mb", String.valueOf(ClusterSize.gib() << 10));
        yarn.put("yarn.nodemanager.resource.cpu-vcores", String.valueOf(ClusterSize.cores()));
        yarn.put("yarn.nodemanager.delete.debug-delay-sec", "0");
        yarn.put("yarn.scheduler.minimum-allocation-mb", "256");
        yarn.put("yarn.application.classpath", hadoopClassPath);
    }

    private void fillMapReduce(FreePorts ports) {
        mapred.put("mapreduce.framework.name", "yarn");
        mapred.put("mapreduce.shuffle.port", "0");
        mapred.put("mapreduce.application.classpath", hadoopClassPath);
        mapred.put("mapreduce.jobhistory.address", ports.nextAddress());
        mapred.put("mapreduce.jobhistory.webapp.address", ports.nextAddress());
        mapred.put("mapreduce.jobhistory.admin.address", ports.nextAddress());
        mapred.put("yarn.app.mapreduce.am.staging-dir", "/staging");
        mapred.put("yarn.app.mapreduce.am.resource.mb", "512");
        mapred.put("yarn.app.mapreduce.am.command-opts", MASTER_JVM);
        mapred.put("mapreduce.task.io.sort.mb", "200");
        mapred.put("mapreduce.map.memory.mb", "768");
        mapred.put("mapreduce.reduce.memory.mb", "768");
        mapred.put("mapred.child.java.opts", "-Xmx512m -XX:+UseSerialGC");
        mapred.put("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
    }

    /** How many ports the constructor takes. */
    static int portsNeeded() {
        return 10;
    }

    /**
     * Writes the folder {@code name} with all four site files and logging to the console.
     *
     * @param more of HDFS or YARN
     */
    Path writeFolder(String name, Map<String, String> more) throws IOException {
        Path folder = Files.createDirectories(work.resolve("conf").resolve(name));
        writeSite(folder.resolve("core-site.xml"), core);
        writeSite(folder.resolve("hdfs-site.xml"), with(hdfs, more));
        writeSite(folder.resolve("yarn-site.xml"), with(yarn, more));
        writeSite(folder.resolve("mapred-site.xml"), mapred);
        Files.writeString(folder.resolve("log4j.properties"), LOGGING);
        return folder;
    }

    private static Map<String, String> with(Map<String, String> site, Map<String, String> more) {
        var all = new TreeMap<>(site);
        all.putAll(more);
        return all;
    }

    /** Writes a daemon's folder: sites with further properties, web application folders, scheduler queues. */
    Path writeDaemonFolder(String name, Map<String, String> more) throws IOException {
        Path folder = writeFolder(name, more);
        writeSite(
                folder.resolve("capacity-scheduler.xml"),
                Map.of(
                        "yarn.scheduler.capacity.root.queues", "default",
                        "yarn.scheduler.capacity.root.default.capacity", "100",
                        "yarn.scheduler.capacity.maximum-am-resource-percent", "0.8",
                        "yarn.scheduler.capacity.root.default.state", "RUNNING"));
        for (String webApp : WEB_APPS) {
            Files.createDirectories(folder.resolve("webapps").resolve(webApp));
        }
        return folder;
    }

    private static void writeSite(Path file, Map<String, String> properties) throws IOException {
        var conf = new Configuration(false);
        properties.forEach(conf::set);
        try (Writer out = Files.newBufferedWriter(file)) {
            conf.writeXml(out);
        }
    }
}
