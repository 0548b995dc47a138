// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A running cluster: NameNode, three DataNodes and, if asked for, ResourceManager, NodeManager and JobHistoryServer.
 *
 * <p>How the tests and the demo get their daemons: {@link #start} formats, launches every
 * daemon and returns when all of them serve. Everything lies in one work folder; {@link #close} stops the
 * daemons and the containers they started, and frees the ports; the JVM's end closes too. Not safe for use from several
 * threads, except close.
 */
public final class HadoopCluster implements AutoCloseable {
    /** Which daemons to start. */
    public enum Shape {
        HDFS(3, false),
        HDFS_AND_YARN(3, true),
        /** So many that three of them may be lost while each block group of RS-6-3 has its nine. */
        HDFS_OF_TWELVE(12, false),
        /** For those who write one replica of all. */
        ONE_DATA_NODE(1, false),
        ONE_DATA_NODE_AND_YARN(1, true);

        private final int dataNodes;
        private final boolean yarn;

        Shape(int dataNodes, boolean yarn) {
            this.dataNodes = dataNodes;
            this.yarn = yarn;
        }
    }

    private static final String NODE_MANAGER = "nodemanager";
    private static final String NODE_MANAGER_CLASS = "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    /** Hadoop's own classes need no verification at each start, which is a fifth of what it costs. */
    private static final List<String> DAEMON_JVM = List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED");

    private final Path work;
    private final ClusterExtras extras;
    private final String classPath;
    private final ClusterFiles files;
    private final Path clientFolder;
    private final Children children = new Children();
    private final List<Child> daemons = new CopyOnWriteArrayList<>();
    private final Thread stopHook = new Thread(this::close, "cluster-stop");

    private HadoopCluster(Path work, String classPath, ClusterExtras extras) throws IOException {
        this.work = work;
        this.extras = extras;
        this.classPath = classPath;
        this.files = new ClusterFiles(work, classPath, FreePorts.find(ClusterFiles.portsNeeded()), extras);
        this.clientFolder = files.writeFolder("client", Map.of());
        Runtime.getRuntime().addShutdownHook(stopHook);
    }

    /**
     * A cluster that will live in a work folder; nothing runs yet.
     *
     * @param workFolder empty, or created if need be; left behind by {@link #close}
     */
    public static HadoopCluster in(Path workFolder) throws IOException {
        return in(workFolder, ClusterExtras.of(Map.of()));
    }

    private static HadoopCluster in(Path workFolder, ClusterExtras extras) throws IOException {
        requireEmpty(Files.createDirectories(workFolder));
        String classPath = extras.ownClasses() ? System.getProperty("java.class.path") : hadoopClassPath();
        return new HadoopCluster(workFolder.toRealPath(), classPath, extras);
    }

    /** {@link #in} and {@link #start} in one; nothing is left running if it fails. */
    public static HadoopCluster started(Path workFolder, Shape shape) throws IOException, InterruptedException {
        return started(workFolder, shape, Map.of());
    }

    /** The same with settings that daemons and clients have besides and instead. */
    public static HadoopCluster started(Path workFolder, Shape shape, Map<String, String> more)
            throws IOException, InterruptedException {
        return started(workFolder, shape, ClusterExtras.of(more));
    }

    /** The same with whatever it has besides. */
    public static HadoopCluster started(Path workFolder, Shape shape, ClusterExtras extras)
            throws IOException, InterruptedException {
        HadoopCluster cluster = in(workFolder, extras);
        try {
            cluster.start(shape);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Starts the daemons and returns once all of them serve.
     *
     * @throws IOException if a daemon ends or does not serve in time, with the end of its log
     */
    public void start(Shape shape) throws IOException, InterruptedException {
        startDaemons(shape);
        awaitServing(shape);
    }

    private static void requireEmpty(Path workFolder) throws IOException {
        try (Stream<Path> entries = Files.list(workFolder)) {
            if (entries.findAny().isPresent()) {
                throw new IOException("work folder " + workFolder + " is not empty; name a new one");
            }
        }
    }

    /** The folder to use as {@code HADOOP_CONF_DIR}. */
    public Path clientFolder() {
        return clientFolder;
    }

    /** The configuration a client in this JVM needs. */
    public Configuration clientConfiguration() {
        var conf = new Configuration();
        Stream.of("core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml")
                .forEach(site -> conf.addResource(
                        new org.apache.hadoop.fs.Path(clientFolder.resolve(site).toUri())));
        return conf;
    }

    /** The jars of Hadoop and what it needs: this JVM's class path without the project's own classes. */
    private static String hadoopClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(":", -1))
                .filter(entry -> entry.endsWith(".jar") && !entry.contains("/target/"))
                .collect(Collectors.joining(":"));
    }

    private void startDaemons(Shape shape) throws IOException, InterruptedException {
        Path nameNodeFolder = files.writeDaemonFolder("namenode", Map.of());
        if (shape.yarn) {
            start("resourcemanager", "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager", Map.of());
            start(NODE_MANAGER, NODE_MANAGER_CLASS, Map.of());
        }
        String nameNode = "org.apache.hadoop.hdfs.server.namenode.NameNode";
        children.run(daemon("namenode-format", nameNodeFolder, nameNode, List.of("-format", "-force")));
        daemons.add(children.start(daemon("namenode", nameNodeFolder, nameNode, List.of())));
        for (int i = 1; i <= shape.dataNodes; i++) {
            String name = "datanode" + i;
            String dataFolder = work.resolve(name).toUri().toString();
            var settings = new TreeMap<>(extras.ofDataNode().apply(i));
            settings.put("dfs.datanode.data.dir", dataFolder);
            Path folder = files.writeDaemonFolder(name, settings);
            daemons.add(
                    children.start(daemon(name, folder, "org.apache.hadoop.hdfs.server.datanode.DataNode", List.of())));
        }
    }

    private Child start(String name, String mainClass, Map<String, String> more)
            throws IOException, InterruptedException {
        Path folder = files.writeDaemonFolder(name, more);
        Child daemon = children.start(daemon(name, folder, mainClass, List.of()));
        daemons.add(daemon);
        return daemon;
    }

    /** Starts one more NodeManager, with folders of its own, and returns it once it serves; close stops it, too. */
    public Child addNodeManager() throws IOException, InterruptedException {
        String name = NODE_MANAGER + (nodeManagers().count() + 1);
        long alive = nodeManagers().filter(Child::isAlive).count();
        Child added = start(
                name,
                NODE_MANAGER_CLASS,
                Map.of(
                        "yarn.nodemanager.local-dirs",
                                work.resolve(name + "-local").toString(),
                        "yarn.nodemanager.log-dirs",
                                work.resolve(name + "-logs").toString()));
        Condition.await(name, START_LIMIT, List.of(added), () -> yarnServes(alive + 1));
        return added;
    }

    /** All that were started, in this order; some may have ended. */
    public Stream<Child> nodeManagers() {
        return daemons.stream().filter(daemon -> daemon.name().startsWith(NODE_MANAGER));
    }

    private Command daemon(String name, Path confFolder, String mainClass, List<String> arguments) {
        String home = System.getProperty("java.home");
        List<String> jvm =
                Stream.concat(DAEMON_JVM.stream(), extras.jvm().stream()).toList();
        return new Command(
                name,
                Command.java(jvm, confFolder + ":" + classPath, mainClass, arguments),
                Map.of("HADOOP_CONF_DIR", confFolder.toString(), "JAVA_HOME", home),
                work,
                work.resolve("logs").resolve(name + ".log"));
    }

    private void awaitServing(Shape shape) throws IOException, InterruptedException {
        int dataNodes = shape.dataNodes;
        Condition.await("HDFS with " + dataNodes + " DataNodes", START_LIMIT, daemons, () -> hdfsServes(dataNodes));
        if (shape.yarn) {
            // The history server creates its folders on HDFS, so it comes when HDFS serves.
            start("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer", Map.of());
            Condition.await("a NodeManager at the ResourceManager", START_LIMIT, daemons, () -> yarnServes(1));
        }
    }

    private boolean hdfsServes(int dataNodes) throws IOException {
        var conf = clientConfiguration();
        conf.setInt("ipc.client.connect.max.retries", 0);
        try (var fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
            return !fs.setSafeMode(SafeModeAction.GET)
                    && fs.getDataNodeStats(DatanodeReportType.LIVE).length == dataNodes;
        }
    }

    private boolean yarnServes(long nodeManagers) throws IOException {
        var conf = new YarnConfiguration(clientConfiguration());
        conf.setInt("ipc.client.connect.max.retries", 0);
        conf.setLong("yarn.resourcemanager.connect.max-wait.ms", 0);
        try (var client = YarnClient.createYarnClient()) {
            client.init(conf);
            client.start();
            return client.getYarnClusterMetrics().getNumNodeManagers() >= nodeManagers;
        } catch (YarnException e) {
            throw new IOException(e);
        }
    }

    /** Stops the daemons, and with them every container of theirs, and waits until all are gone. Idempotent. */
    @Override
    public synchronized void close() {
        forgetStopHook();
        // First those that own containers, while their ResourceManager still answers.
        nodeManagers().forEach(daemon -> daemon.stop(STOP_LIMIT));
        children.close();
        killLeftovers();
    }

    private void forgetStopHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(stopHook);
        } catch (IllegalStateException e) {
            // The JVM is going down and the hook may be what runs this.
        }
    }

    /** Kills processes that name the work folder on their command line: containers whose NodeManager was killed. */
    private void killLeftovers() {
        ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> process.info().commandLine().orElse("").contains(work + "/"))
                .forEach(process -> {
                    process.destroyForcibly();
                    process.onExit().join();
                });
    }
}
