// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.SharedHdfs;
import io.shredder.incoop.Uploads;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The jobs know nothing of reuse, and are incremental all the same. */
@ExtendWith(SharedHdfs.class)
class IncrementalJobsIT {
    @TempDir
    static java.nio.file.Path folder;

    private static FileSystem fs;
    private static int runs;

    @BeforeAll
    static void take(FileSystem hdfs) throws IOException {
        fs = hdfs;
        fs.delete(new Path("/user"), true);
    }

    @InTurn(days = 3)
    @Test
    void jobsOnTextReuseWhatHasNotChanged() throws Exception {
        List<String> lines = new ArrayList<>();
        var random = new Random(31);
        for (int i = 0; i < 12000; i++) {
            lines.add("w" + random.nextInt(200) + " w" + random.nextInt(9) + " (w" + random.nextInt(50) + ")");
        }
        String vocabulary = Files.writeString(folder.resolve("vocabulary"), "w1\nw2\nw3\nw4\n")
                .toUri()
                .toString();
        reusesAndIsExact("/text", lines, "w7 w8", new WordCount());
        reusesAndIsExact("/text", lines, "w1 w2 w3", new CoOccurrence(), "--vocabulary", vocabulary);
    }

    @InTurn(days = 3)
    @Test
    void nearestNeighboursReuseWhatHasNotChanged() throws Exception {
        String queries = Files.writeString(folder.resolve("queries"), "10 10\n700 300\n")
                .toUri()
                .toString();

        reusesAndIsExact("/knn", points(), "10 11", new KNearestNeighbours(), "--queries", queries);
    }

    /** With other centroids nothing may be reused: they are part of what a map depends on. */
    @InTurn(days = 3)
    @Test
    void anIterationWithOtherCentroidsReusesNothing() throws Exception {
        List<String> points = points();
        upload("/kmeans", points);
        String first = Files.writeString(folder.resolve("first"), "0 0\n900 900\n")
                .toUri()
                .toString();
        String other = Files.writeString(folder.resolve("other"), "0 0\n900 901\n")
                .toUri()
                .toString();

        JobTool kmeans = new KMeans();
        run(kmeans, "inc-local", "/kmeans", "--centroids", first, "--iterations", "1");
        run(kmeans, "inc-local", "/kmeans", "--centroids", other, "--iterations", "1");
        assertThat(counter(kmeans, IncoopCounter.CHUNKS_TOTAL)).isPositive();
        assertThat(counter(kmeans, IncoopCounter.CHUNKS_REUSED)).isZero();

        points.set(5, "3 3");
        upload("/kmeans", points);
        Map<String, String> incremental =
                run(kmeans, "inc-local", "/kmeans", "--centroids", first, "--iterations", "2");
        assertThat(run(kmeans, "local", "/kmeans", "--centroids", first, "--iterations", "2"))
                .isEqualTo(incremental);
        Map<String, String> bounded =
                run(kmeans, "inc-local", "/kmeans", "--centroids", first, "--iterations", "2", "--bounds", "/bounds");
        assertThat(bounded).isEqualTo(incremental);
    }

    /** Runs a job before and after a line changes, the second time also plainly. */
    private void reusesAndIsExact(String input, List<String> lines, String newLine, JobTool job, String... options)
            throws Exception {
        upload(input, lines);
        run(job, "inc-local", input, options);
        lines.set(lines.size() / 2, newLine);
        upload(input, lines);

        Map<String, String> incremental = run(job, "inc-local", input, options);

        assertThat(counter(job, IncoopCounter.CHUNKS_REUSED)).as(job.name()).isGreaterThan(3);
        assertThat(counter(job, IncoopCounter.CHUNKS_COMPUTED)).as(job.name()).isBetween(1L, 3L);
        assertThat(run(job, "local", input, options)).as(job.name()).isEqualTo(incremental);
    }

    private static List<String> points() {
        var random = new Random(32);
        List<String> points = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            points.add(random.nextInt(1000) + " " + random.nextInt(1000) / 8.0);
        }
        return points;
    }

    private static void upload(String input, List<String> lines) throws IOException {
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, new Path(input, "data"), bytes);
    }

    private Map<String, String> run(JobTool job, String framework, String input, String... options) throws Exception {
        Path output = new Path("/jobs-out/" + runs++);
        List<String> words = new ArrayList<>(List.of("-Dmapreduce.job.reduces=2"));
        words.add("-Dmapreduce.client.progressmonitor.pollinterval=10");
        words.addAll(List.of(options));
        words.addAll(List.of(input, output.toString()));
        Configuration conf = new Configuration(fs.getConf());
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.set("mapreduce.framework.name", framework);
        assertThat(ToolRunner.run(conf, job, words.toArray(new String[0]))).isZero();
        Map<String, String> files = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> all = fs.listFiles(output, true);
        while (all.hasNext()) {
            Path file = all.next().getPath();
            try (FSDataInputStream in = fs.open(file)) {
                String name = file.toString()
                        .substring(fs.makeQualified(output).toString().length());
                files.put(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    private static long counter(JobTool job, IncoopCounter counter) throws IOException {
        return job.lastJob()
                .orElseThrow()
                .getCounters()
                .findCounter(IncoopCounter.GROUP, counter.name())
                .getValue();
    }
}
