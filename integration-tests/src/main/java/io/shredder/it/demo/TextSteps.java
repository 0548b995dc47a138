// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import io.shredder.it.demo.Programs.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;

/** The demo's steps on the two texts: upload, compare, count words. */
final class TextSteps {
    private static final String AVERAGE_CHUNK = "256k";
    private static final String AVERAGE_BLOCK = "8m";
    private static final int REDUCERS = 2;

    private final Steps steps;
    private final Programs programs;
    private final FileSystem fs;
    private final DemoFolders folders;

    TextSteps(Steps steps, Programs programs, FileSystem fs, DemoFolders folders) {
        this.steps = steps;
        this.programs = programs;
        this.fs = fs;
        this.folders = folders;
    }

    List<DemoReport.Upload> upload(List<Path> texts) throws IOException, InterruptedException {
        var uploads = new ArrayList<DemoReport.Upload>();
        for (Path text : texts) {
            String version = Integer.toString(uploads.size() + 1);
            programs.run("hdfs", "dfs", "-mkdir", "-p", "/demo/" + version);
            var timed = steps.timed(
                    "text " + version + ": hdfs dfs -copyFromLocalGPU",
                    () -> programs.run(
                            "hdfs",
                            "dfs",
                            "-copyFromLocalGPU",
                            "-inputFormat",
                            "text",
                            "-avg",
                            AVERAGE_CHUNK,
                            "-blockAvg",
                            AVERAGE_BLOCK,
                            text,
                            target(version)));
            List<String> summary =
                    timed.value().find(": ([0-9,]+) bytes, ([0-9,]+) chunks, ([0-9,]+) blocks, .*, backend (\\S+)$");
            boolean equal = Digests.ofFile(text).equals(Digests.ofFile(fs, target(version)));
            uploads.add(new DemoReport.Upload(
                    version,
                    number(summary.get(0)),
                    number(summary.get(1)),
                    number(summary.get(2)),
                    timed.seconds(),
                    summary.get(3),
                    equal));
        }
        return uploads;
    }

    DemoReport.Shared compare() throws IOException, InterruptedException {
        Output diff = steps.timed(
                        "texts compared by content: hdfs dfs -chunkDiff",
                        () -> programs.run("hdfs", "dfs", "-chunkDiff", target("1"), target("2")))
                .value();
        List<String> chunks = diff.find("^chunks\\t(\\d+)\\t(\\d+)\\t(\\d+)\\t(\\d+)\\t");
        List<String> blocks = diff.find("^blocks\\t(\\d+)\\t(\\d+)\\t");
        return new DemoReport.Shared(
                number(chunks.get(0)),
                number(chunks.get(1)),
                number(chunks.get(2)),
                number(chunks.get(3)),
                number(blocks.get(0)),
                number(blocks.get(1)));
    }

    List<DemoReport.Job> countWords() throws IOException, InterruptedException {
        var jobs = new ArrayList<DemoReport.Job>();
        for (String version : List.of("1", "2")) {
            jobs.add(countWords(version, false));
            jobs.add(countWords(version, true));
        }
        return jobs;
    }

    /** The stock WordCount of Hadoop's examples, never recompiled, on YARN; only the framework's name differs. */
    private DemoReport.Job countWords(String version, boolean incremental) throws IOException, InterruptedException {
        String kind = incremental ? "incremental" : "plain";
        String output = "/demo/" + version + "-words-" + kind;
        Path jar = examplesJar();
        var timed = steps.timed(
                "text " + version + ": word count on YARN, " + kind,
                () -> programs.run(
                        "incoop",
                        "jar",
                        jar,
                        "wordcount",
                        "-Dmapreduce.framework.name=" + (incremental ? "inc-yarn" : "yarn"),
                        "-Dmapreduce.job.reduces=" + REDUCERS,
                        target(version),
                        output));
        long mapTasks = launchedMaps(timed.value());
        return new DemoReport.Job(
                version,
                incremental,
                incremental ? timed.value().number("CHUNKS_COMPUTED=(\\d+)") : mapTasks,
                incremental ? timed.value().number("CHUNKS_TOTAL=(\\d+)") : mapTasks,
                mapTasks,
                timed.seconds(),
                Digests.ofParts(fs, output));
    }

    /** Hadoop leaves a counter out of its listing while it is 0. */
    private static long launchedMaps(Output output) throws IOException {
        return output.text().contains("Launched map tasks=") ? output.number("Launched map tasks=(\\d+)") : 0;
    }

    private Path examplesJar() throws IOException {
        Path apps = folders.root().resolve("incoop-jobs/target/apps");
        try (Stream<Path> jars = Files.list(apps)) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith("hadoop-mapreduce-examples"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no WordCount jar in " + apps + "; run ./run build"));
        }
    }

    private static String target(String version) {
        return "/demo/" + version + "/text.txt";
    }

    private static long number(String digits) {
        return Long.parseLong(digits.replace(",", ""));
    }
}
