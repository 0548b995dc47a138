// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.LongTests;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.process.Child;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** A machine that goes down while a scan runs on it, NodeManager and tasks: others do its part. */
@EnabledIfEnvironmentVariable(named = LongTests.VARIABLE, matches = "1")
class LostNodeScanIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int PARTS = 16;
    private static final int PART_BYTES = 1 << 20;
    private static final Path SCANNED = new Path("/data/scanned");
    private static final Path WHOLE = new Path("/data/whole");
    private static final float SOME = 0.15f;
    private static final Pattern MASTER = Pattern.compile("MRAppMaster");
    private static final Pattern MAPS = Pattern.compile("YarnChild .*_m_");
    private static final String[] CUTS = {"-avg", "64k", "-min", "16k", "-max", "256k"};

    private static HadoopCluster cluster;
    private static FileSystem fs;

    @TempDir
    private static java.nio.file.Path folder;

    @BeforeAll
    static void startCluster() throws Exception {
        Map<String, String> settings = new HashMap<>(ScanRun.SHORT_JOBS);
        // A node is given up soon, by whoever talks to it.
        settings.put("yarn.nm.liveness-monitor.expiry-interval-ms", "8000");
        settings.put("yarn.client.nodemanager-connect.max-wait-ms", "1000");
        settings.put("yarn.client.nodemanager-connect.retry-interval-ms", "200");
        settings.put("yarn.nodemanager.resource.memory-mb", "2048");
        cluster =
                HadoopCluster.started(folder.resolve("cluster"), HadoopCluster.Shape.ONE_DATA_NODE_AND_YARN, settings);
        fs = FileSystem.newInstance(cluster.clientConfiguration());
    }

    @AfterAll
    static void stopCluster() throws IOException {
        if (fs != null) {
            fs.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private static void putText(Path file) throws IOException {
        var random = new Random(5);
        try (var out = fs.create(file, true, 4096, (short) 1, PART_BYTES)) {
            for (long written = 0; written < (long) PARTS * PART_BYTES; ) {
                byte[] line = (Long.toString(random.nextLong(), 36) + "\n").getBytes(StandardCharsets.US_ASCII);
                out.write(line);
                written += line.length;
            }
        }
    }

    private static Configuration client(String framework) {
        Configuration conf = cluster.clientConfiguration();
        conf.set("mapreduce.framework.name", framework);
        conf.set("hadoop.tmp.dir", folder.resolve("client-tmp").toString());
        return conf;
    }

    private static ScanRun scan(Path file, String framework, String part) {
        try {
            return ScanRun.of(client(framework), words(file, part));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String[] words(Path file, String part) {
        return new String[] {
            "-D",
            "inc-hdfs.scan.part=" + part,
            "--write",
            CUTS[0],
            CUTS[1],
            CUTS[2],
            CUTS[3],
            CUTS[4],
            CUTS[5],
            "" + file
        };
    }

    @Test
    void theManifestIsThatOfAWholeFileThoughANodeWithMapsWentDown() throws Exception {
        scanAndLose(node -> !has(node, MASTER));
    }

    /** Another master goes on with what was done. */
    @Test
    void theManifestIsThatOfAWholeFileThoughTheNodeWithTheApplicationMasterWentDown() throws Exception {
        scanAndLose(node -> has(node, MASTER));
    }

    @Test
    void aClusterWithoutGpusRefusesThem() throws Exception {
        ScanRun run = ScanRun.of(client("yarn"), "-gpus", "1", "/");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("-gpus 1: this cluster's resource types have no yarn.io/gpu");
    }

    private static void scanAndLose(Predicate<Child> victim) throws Exception {
        if (cluster.nodeManagers().filter(Child::isAlive).count() < 2) {
            cluster.addNodeManager();
        }
        fs.delete(new Path("/data"), true);
        for (Path file : List.of(SCANNED, WHOLE)) {
            putText(file);
        }
        ScanRun whole = scan(WHOLE, "local", "1g");
        assertThat(whole.exitCode()).as(whole.err()).isZero();
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(cluster.clientConfiguration());
            yarn.start();
            CompletableFuture<ScanRun> run = CompletableFuture.supplyAsync(() -> scan(SCANNED, "yarn", "1m"), beside);
            Condition.await(
                    "a node with maps after some have ended",
                    LIMIT,
                    List.of(),
                    () -> run.isDone() || someEnded(yarn) && running(victim).isPresent());
            kill(running(victim).orElseThrow(() -> new AssertionError("it ended before: " + run.join())));

            assertThat(run.get().exitCode()).as(run.get().err()).isZero();
            assertThat(run.get().out()).contains("in " + (PARTS + 1) + " tasks").contains(", manifest written");
            assertThat(manifest(SCANNED)).isEqualTo(manifest(WHOLE));
            assertThat(fs.globStatus(new Path("/user/*/.shredder-scan-*"))).isEmpty();
            assertThat(fs.listStatus(new Path("/data"))).hasSize(4);
        } finally {
            beside.shutdownNow();
        }
    }

    private static Optional<Child> running(Predicate<Child> victim) {
        return cluster.nodeManagers()
                .filter(Child::isAlive)
                .filter(node -> has(node, MAPS))
                .filter(victim)
                .findFirst();
    }

    private static List<?> manifest(Path file) throws IOException {
        return HdfsManifests.find(fs, file).manifest().orElseThrow().chunks();
    }

    private static boolean someEnded(YarnClient yarn) throws IOException {
        return ask(() -> yarn.getApplications(EnumSet.of(YarnApplicationState.RUNNING))).stream()
                .anyMatch(job -> job.getProgress() > SOME);
    }

    private static <T> T ask(Callable<T> question) throws IOException {
        try {
            return question.call();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static boolean has(Child node, Pattern task) {
        return ProcessHandle.of(node.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(process -> process.info().commandLine().orElse(""))
                .anyMatch(command -> task.matcher(command).find());
    }

    /** With all its tasks, as a machine without power. */
    private static void kill(Child node) {
        List<ProcessHandle> tasks =
                ProcessHandle.of(node.pid()).orElseThrow().descendants().toList();
        node.kill();
        tasks.forEach(ProcessHandle::destroyForcibly);
    }
}
