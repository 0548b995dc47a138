// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.task.IncoopCounter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stock WordCount jar on a real YARN. */
class IncrementalYarnIT {

    @TempDir
    static File folder;

    private static YarnCluster cluster;
    private static FileSystem fs;

    /** Not before all: on some days no test has its turn. */
    @BeforeEach
    void startCluster() throws Exception {
        if (cluster == null) {
            cluster = new YarnCluster(folder);
            fs = cluster.fs();
        }
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @InTurn(days = 2)
    @Test
    void theStockJarIsIncrementalWithoutBeingChanged() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<String> lines = EditedTexts.lines(random, 20000);
        org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/in/text");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Path confFolder = writeConf();

        String cold = launch(confFolder, "inc-yarn", "/out-cold");
        assertThat(cold).contains(" 0 reused");
        Map<String, String> expected = plain(input);
        assertThat(parts("/out-cold")).isEqualTo(expected).hasSize(2);

        String again = launch(confFolder, "inc-yarn", "/out-again");
        assertThat(again).contains(" 0 to compute in 0 map tasks").contains("CHUNKS_COMPUTED=0");
        assertThat(parts("/out-again")).isEqualTo(expected);

        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.edited(random, lines, 3)));
        String edited = launch(confFolder, "inc-yarn", "/out-edited", "verify", "--sample", "0");
        assertThat(edited).containsPattern("equal: job_\\d+_\\d+: of \\d+ chunks with kept output 0 mapped again");
        assertThat(counter(edited, "CHUNKS_COMPUTED")).isBetween(1L, 9L);
        assertThat(counter(edited, "CHUNKS_TOTAL")).isGreaterThan(20);
        assertThat(parts("/out-edited")).isEqualTo(plain(input));

        try (OutputStream bare = fs.create(new org.apache.hadoop.fs.Path("/in/bare"))) {
            bare.write(EditedTexts.bytes(EditedTexts.lines(random, 5000)));
        }
        String mixed = launch(confFolder, "inc-yarn", "/out-mixed");
        assertThat(mixed)
                .contains("1 of 2 files are mapped plainly: ")
                .contains("CHUNKS_COMPUTED=0")
                .contains("PLAIN_FILES=1");
        assertThat(parts("/out-mixed")).isEqualTo(plain(input));
    }

    /**
     * While a job of the old API runs: a map's process dies, the NameNode is restarted, the job's master is killed, and
     * what an earlier run has left is truncated, changed and removed.
     */
    @InTurn(days = 3)
    @Test
    void whateverFailsOnTheWayTheResultIsRight() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(51), 12000);
        org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/faulty/text");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Path faults = Files.createDirectory(folder.toPath().resolve("faults"));
        assertThat(faultyJob("inc-yarn", faults, "/out-calm").waitForCompletion(false))
                .isTrue();
        lines.add(2000, "fault halt");
        lines.add(6000, "fault namenode");
        lines.add(10000, "fault master");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        Job job = faultyJob("inc-yarn", faults, "/out-faulty");
        job.submit();
        assertThat(job.getConfiguration().getInt("mapreduce.job.maps", -1)).isBetween(1, 3);
        Faults.await(faults, "namenode");
        cluster.hdfs().restartNameNode(true);
        Faults.damageMemos(fs, FaultMapper.class.getName());
        Faults.done(faults, "namenode");
        Faults.await(faults, "master");
        Faults.killMaster(job.getJobID());
        Faults.done(faults, "master");

        assertThat(job.waitForCompletion(false)).isTrue();
        assertThat(Files.exists(faults.resolve("halt.done"))).isTrue();
        assertThat(faultyJob("local", faults, "/out-right").waitForCompletion(false))
                .isTrue();
        assertThat(parts("/out-faulty")).isEqualTo(parts("/out-right")).hasSize(2);
    }

    private static Job faultyJob(String framework, Path faults, String output) throws Exception {
        JobConf conf = new JobConf(framework(framework));
        conf.setJar(Faults.jar(folder.toPath(), FaultMapper.class, OldApiJobs.class));
        conf.set("tmpjars", Faults.jar(folder.toPath(), "hadoop-common-faults.jar", FaultSite.class));
        conf.set(FaultMapper.FOLDER, faults.toString());
        conf.set(IncoopKeys.MAP_TASK_BYTES, "100k");
        conf.setMapperClass(FaultMapper.class);
        conf.setCombinerClass(OldApiJobs.Sum.class);
        conf.setReducerClass(OldApiJobs.Sum.class);
        conf.setOutputKeyClass(Text.class);
        conf.setOutputValueClass(IntWritable.class);
        conf.setNumReduceTasks(2);
        conf.set("mapreduce.input.fileinputformat.inputdir", "/faulty");
        conf.set("mapreduce.output.fileoutputformat.outputdir", output);
        return Job.getInstance(conf, "faulty");
    }

    @InTurn(days = 3)
    @Test
    void aJobWithoutReducersMapsTheSplitsThatHaveChanged() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(52), 12000);
        org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/map-only/text");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Job cold = mapOnlyJob("inc-yarn", "/out-map-only-cold");
        Job again = mapOnlyJob("inc-yarn", "/out-map-only-again");
        long splits = splits(cold, IncoopCounter.SPLITS_TOTAL);

        assertThat(parts("/out-map-only-cold"))
                .isEqualTo(parts("/out-map-only-again"))
                .hasSize((int) splits)
                .hasSizeGreaterThan(3);
        assertThat(splits(cold, IncoopCounter.SPLITS_COMPUTED)).isEqualTo(splits);
        assertThat(splits(again, IncoopCounter.SPLITS_COMPUTED)).isZero();
        assertThat(splits(again, IncoopCounter.PARTS_REUSED)).isEqualTo(splits);
        lines.set(2000, "x".repeat(lines.get(2000).length()));
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        Job edited = mapOnlyJob("inc-yarn", "/out-map-only-edited");
        Job plain = mapOnlyJob("local", "/out-map-only-plain");

        assertThat(splits(edited, IncoopCounter.SPLITS_COMPUTED)).isBetween(1L, 2L);
        assertThat(parts("/out-map-only-edited")).isEqualTo(parts("/out-map-only-plain"));
        assertThat(edited.getCounters().findCounter("mine", "lines").getValue())
                .isEqualTo(plain.getCounters().findCounter("mine", "lines").getValue())
                .isEqualTo(lines.size());
    }

    private static long splits(Job job, IncoopCounter counter) throws IOException {
        return job.getCounters()
                .findCounter(IncoopCounter.GROUP, counter.name())
                .getValue();
    }

    private static Job mapOnlyJob(String framework, String output) throws Exception {
        Configuration conf = framework(framework);
        conf.setLong("mapreduce.input.fileinputformat.split.maxsize", 100_000);
        Job job = Job.getInstance(conf, "map only");
        job.setJar(Faults.jar(folder.toPath(), MapOnlyMappers.class));
        job.setMapperClass(MapOnlyMappers.Capitals.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(0);
        job.getConfiguration().set("mapreduce.input.fileinputformat.inputdir", "/map-only");
        job.getConfiguration().set("mapreduce.output.fileoutputformat.outputdir", output);
        assertThat(job.waitForCompletion(false)).isTrue();
        return job;
    }

    private static long counter(String printed, String name) {
        Matcher value = Pattern.compile("\\b" + name + "=(\\d+)").matcher(printed);
        assertThat(value.find()).as("%s in %s", name, printed).isTrue();
        return Long.parseLong(value.group(1));
    }

    private static Map<String, String> plain(org.apache.hadoop.fs.Path input) throws Exception {
        Configuration conf = framework("local");
        return FinishedJob.wordCount(conf, fs, input.getParent(), job -> {}).output();
    }

    private static Map<String, String> parts(String output) throws IOException {
        return FinishedJob.parts(fs, new org.apache.hadoop.fs.Path(output));
    }

    /** Runs the stock jar's own main program through bin/incoop; gives what it printed. */
    private static String launch(Path confFolder, String framework, String output, String... command) throws Exception {
        Path log = Files.createTempFile(folder.toPath(), "incoop", ".log");
        List<String> words = new ArrayList<>();
        words.add(Path.of("..", "bin", "incoop").toString());
        words.addAll(List.of(command));
        words.addAll(List.of(
                "jar",
                examplesJar(),
                "wordcount",
                "-Dmapreduce.framework.name=" + framework,
                "-Dmapreduce.job.reduces=2",
                "/in",
                output));
        ProcessBuilder program =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        program.environment().put("HADOOP_CONF_DIR", confFolder.toString());
        program.environment().put("HADOOP_CLIENT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        program.environment().remove("HADOOP_CLASSPATH");
        Process process = program.start();
        boolean ended = process.waitFor(150, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        String printed = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(ended).as("not ended in time: %s", printed).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    private static String examplesJar() {
        return System.getProperty("examples.jar");
    }

    private static Path writeConf() throws IOException {
        Path confFolder = Files.createDirectory(folder.toPath().resolve("conf"));
        // Each of Hadoop's defaults is overridden by the site file of the same name only.
        for (String site : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")) {
            try (OutputStream out = Files.newOutputStream(confFolder.resolve(site))) {
                framework("yarn").writeXml(out);
            }
        }
        return confFolder;
    }

    private static Configuration framework(String name) {
        return cluster.framework(name);
    }
}
