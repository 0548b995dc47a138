// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** A streaming job that has run, with its part files. */
record StreamingRun(Counters counters, Map<String, String> output) {

    private static final AtomicInteger OUTPUTS = new AtomicInteger();
    private static final String MAIN = "org.apache.hadoop.streaming.StreamJob";

    /** Runs one as {@code hadoop jar} does, with two reducers; {@code -D} and other options as on the command line. */
    static StreamingRun of(
            Configuration conf, FileSystem fs, Path input, String mapper, String reducer, String... options)
            throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        URL jar = new File(System.getProperty("streaming.jar")).toURI().toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, outside)) {
            thread.setContextClassLoader(loader);
            Configuration own = new Configuration(conf);
            own.setClassLoader(loader);
            own.setInt("mapreduce.job.reduces", 2);
            own.setInt("mapreduce.task.io.sort.mb", 16);
            Tool tool = (Tool) loader.loadClass(MAIN).getDeclaredConstructor().newInstance();
            Path output = new Path("/streaming-out/" + OUTPUTS.getAndIncrement());
            assertThat(ToolRunner.run(own, tool, words(input, output, mapper, reducer, options)))
                    .isZero();
            return new StreamingRun(counters(own, job(tool)), FinishedJob.parts(fs, output));
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private static String[] words(Path input, Path output, String mapper, String reducer, String... options) {
        List<String> words = new ArrayList<>(Arrays.asList(options));
        words.addAll(List.of("-input", input.toString(), "-output", output.toString()));
        words.addAll(List.of("-mapper", mapper, "-reducer", reducer));
        return words.toArray(String[]::new);
    }

    /** Streaming closes its client when the job has ended, and YARN's can't be asked any more. */
    private static Counters counters(Configuration conf, RunningJob job) throws IOException {
        if (!conf.get("mapreduce.framework.name", "").endsWith("yarn")) {
            return job.getCounters();
        }
        JobConf yarn = new JobConf(conf);
        yarn.set("mapreduce.framework.name", "yarn");
        try (JobClient client = new JobClient(yarn)) {
            // Of a job that was given up for a plain run, which has another id here, there may be none.
            Counters counters = client.getJob(job.getID()).getCounters();
            return counters == null ? new Counters() : counters;
        }
    }

    private static RunningJob job(Tool tool) throws ReflectiveOperationException {
        Field running = tool.getClass().getDeclaredField("running_");
        running.setAccessible(true);
        return (RunningJob) running.get(tool);
    }

    long incoop(String name) {
        return counter("Incoop", name);
    }

    long counter(String group, String name) {
        return counters.findCounter(group, name).getCounter();
    }
}
