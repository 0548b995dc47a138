// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.corpus.CorpusEditor;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The demo's steps with a text, on a small one: Hadoop's daemons and the programs are processes of their own. */
class WholeProductIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Jobs of seconds: no second compiler in their tasks, and containers that start and end ten times a second. */
    private static final Map<String, String> SHORT_JOBS = Map.of(
            "mapred.child.java.opts", "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100",
            "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100",
            "yarn.nodemanager.process-kill-wait.ms", "500");

    private static HadoopCluster cluster;

    @TempDir
    private static Path clusterFolder;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster =
                HadoopCluster.started(clusterFolder.resolve("cluster"), HadoopCluster.Shape.HDFS_AND_YARN, SHORT_JOBS);
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** Files, and what is kept of jobs over files of the same content. */
    @BeforeEach
    void deleteAll() throws IOException {
        try (FileSystem fs = FileSystem.newInstance(cluster.clientConfiguration())) {
            for (String path : List.of("/user", "/demo")) {
                fs.delete(new org.apache.hadoop.fs.Path(path), true);
            }
        }
    }

    @Test
    void aTextIsUploadedAndItsWordsAreCountedIncrementally() throws Exception {
        Path text = folder.resolve("text-1");
        Path edited = folder.resolve("text-2");
        writeText(text, 6_000_000);
        CorpusEditor.edit(text, edited, 1, 0.01, 5);

        try (var children = new Children();
                FileSystem fs = FileSystem.newInstance(cluster.clientConfiguration())) {
            var programs = programs(
                    children, Map.of("HADOOP_CONF_DIR", cluster.clientFolder().toString()));
            var steps = new TextSteps(new Steps(System.out), programs, fs, folders());

            assertThat(steps.upload(List.of(text, edited))).allMatch(DemoReport.Upload::equal);
            assertThat(steps.compare().percent()).isBetween(50.0, 99.99);

            List<DemoReport.Job> jobs = steps.countWords();
            DemoReport.Job cold = jobs.get(1);
            DemoReport.Job warm = jobs.get(3);
            assertThat(cold.partsSha256()).isEqualTo(jobs.get(0).partsSha256());
            assertThat(warm.partsSha256()).isEqualTo(jobs.get(2).partsSha256());
            assertThat(cold.mapsRun()).isEqualTo(cold.mapsTotal()).isGreaterThan(8);
            assertThat(warm.mapsRun()).isPositive().isLessThan(warm.mapsTotal() / 2);
        }
    }

    @EnabledIfEnvironmentVariable(named = LongTests.VARIABLE, matches = "1")
    @Test
    void textsThatWerePutPlainlyAreScannedOnYarnAndThenCountedIncrementally() throws Exception {
        Path text = folder.resolve("text-1");
        Path edited = folder.resolve("text-2");
        writeText(text, 6_000_000);
        CorpusEditor.edit(text, edited, 1, 0.01, 5);
        try (var children = new Children();
                FileSystem fs = FileSystem.newInstance(cluster.clientConfiguration())) {
            put(fs, text, "/demo/1/text.txt");
            put(fs, edited, "/demo/2/text.txt");
            var programs = programs(
                    children, Map.of("HADOOP_CONF_DIR", cluster.clientFolder().toString()));
            var scan = programs.run(
                    "hdfs",
                    "shredder",
                    "scan",
                    "-Dmapreduce.framework.name=yarn",
                    "-Dinc-hdfs.scan.part=2m",
                    "--write",
                    "-avg",
                    "64k",
                    "/demo");
            assertThat(scan.text()).contains("/demo/1/text.txt: ").contains(", manifest written");
            programs.run("hdfs", "dfs", "-verifyChunks", "/demo/1/text.txt", "/demo/2/text.txt");
            assertThat(programs.run("hdfs", "shredder", "scan", "-Dinc-hdfs.scan.part=2m", "--verify", "/demo")
                            .text())
                    .contains("2 files verified, 0 damaged, 0 stale");
            assertThat(programs.run(
                                    "hdfs",
                                    "shredder",
                                    "scan",
                                    "-Dinc-hdfs.scan.part=2m",
                                    "--report",
                                    "-avg",
                                    "64k",
                                    "/demo")
                            .text())
                    .contains("/demo/1 and ")
                    .contains(" % of the smaller");

            List<DemoReport.Job> jobs = new TextSteps(new Steps(System.out), programs, fs, folders()).countWords();
            DemoReport.Job cold = jobs.get(1);
            DemoReport.Job warm = jobs.get(3);
            assertThat(cold.partsSha256()).isEqualTo(jobs.get(0).partsSha256());
            assertThat(warm.partsSha256()).isEqualTo(jobs.get(2).partsSha256());
            assertThat(cold.mapsRun()).isEqualTo(cold.mapsTotal()).isGreaterThan(8);
            assertThat(warm.mapsRun()).isPositive().isLessThan(warm.mapsTotal() / 2);
        }
    }

    @InTurn(days = 4)
    @Test
    void aScanThatIsInterruptedEndsItsJobAndLeavesNothing() throws Exception {
        Path text = folder.resolve("text");
        writeText(text, 12_000_000);
        Configuration conf = cluster.clientConfiguration();
        try (var children = new Children();
                FileSystem fs = FileSystem.newInstance(conf);
                YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(conf);
            yarn.start();
            put(fs, text, "/demo/text");
            String hdfs = ROOT.resolve("bin").resolve("hdfs").toString();
            // What runs in the background of a shell ignores Ctrl-C, and so does what it starts.
            var words = List.of(
                    "env",
                    "--default-signal=INT",
                    hdfs,
                    "shredder",
                    "scan",
                    "-Dinc-hdfs.scan.part=1m",
                    "--write",
                    "-avg",
                    "64k",
                    "/demo");
            Child scan = children.start(new Command(
                    "scan",
                    words,
                    Map.of("HADOOP_CONF_DIR", cluster.clientFolder().toString()),
                    ROOT,
                    folder.resolve("scan.log")));
            Condition.await("tasks that run", LIMIT, List.of(scan), () -> !scans(fs, "/outcomes/_temporary")
                    .isEmpty());
            ApplicationId job = yarn(() -> yarn.getApplications(EnumSet.of(YarnApplicationState.RUNNING)))
                    .get(0)
                    .getApplicationId();

            assertThat(new ProcessBuilder("kill", "-INT", Long.toString(scan.pid()))
                            .start()
                            .waitFor())
                    .isZero();

            assertThat(scan.waitFor()).isNotZero();
            assertThat(scans(fs, "")).isEmpty();
            Condition.await(
                    "the job's end",
                    LIMIT,
                    List.of(),
                    () -> yarn(() -> yarn.getApplicationReport(job)).getFinalApplicationStatus()
                            == FinalApplicationStatus.KILLED);
            assertThat(scans(fs, "")).isEmpty();
            assertThat(fs.globStatus(new org.apache.hadoop.fs.Path("/demo/*"))).hasSize(1);
        }
    }

    /** What scans have in the home of whoever runs them. */
    private static List<FileStatus> scans(FileSystem fs, String below) throws IOException {
        return List.of(fs.globStatus(new org.apache.hadoop.fs.Path("/user/*/.shredder-scan-*" + below)));
    }

    private static <T> T yarn(Callable<T> question) throws IOException {
        try {
            return question.call();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** In blocks of 1 MiB, as any program does. */
    private static void put(FileSystem fs, Path source, String target) throws IOException {
        try (var out = fs.create(new org.apache.hadoop.fs.Path(target), true, 4096, (short) 1, 1 << 20)) {
            Files.copy(source, out);
        }
    }

    private Programs programs(Children children, Map<String, String> environment) {
        return new Programs(ROOT, folder.resolve("logs"), children, environment);
    }

    private DemoFolders folders() {
        return new DemoFolders(ROOT, folder.resolve("cache"), folder.resolve("out"), false);
    }

    private static void writeText(Path file, long bytes) throws IOException {
        var random = new Random(3);
        try (Writer out = Files.newBufferedWriter(file)) {
            for (long written = 0; written < bytes; ) {
                String word = Integer.toString(random.nextInt(40_000), 36);
                out.write(word);
                out.write(random.nextInt(9) == 0 ? '\n' : ' ');
                written += word.length() + 1;
            }
        }
    }
}
