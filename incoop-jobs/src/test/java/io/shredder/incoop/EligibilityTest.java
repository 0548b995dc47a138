// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.MultithreadedMapRunner;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.db.DBInputFormat;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NamedCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.junit.jupiter.api.Test;

/** Each kind of job that runs plainly says why in one line of its own. */
class EligibilityTest {

    @Test
    void anOrdinaryJobOfEitherApiIsServed() throws IOException {
        assertThat(Eligibility.objection(newApi(job -> {}))).isEmpty();
        assertThat(Eligibility.objection(oldApi(job -> {}))).isEmpty();
    }

    @Test
    void aJobWithoutReducersIsServedIfEachMapWritesOneFile() throws IOException {
        assertThat(Eligibility.objection(newApi(job -> job.setNumReduceTasks(0))))
                .isEmpty();
        assertThat(Eligibility.objection(oldApi(job -> job.setNumReduceTasks(0))))
                .isEmpty();
        assertThat(reason(job -> {
                    job.setNumReduceTasks(0);
                    job.setOutputFormatClass(NullOutputFormat.class);
                }))
                .contains("it has no reduce phase", "NullOutputFormat");
        assertThat(reason(job -> {
                    job.setNumReduceTasks(0);
                    FileOutputFormat.setOutputPath(job, new Path("/out"));
                    job.getConfiguration()
                            .set("mapreduce.outputcommitter.factory.class", NamedCommitterFactory.class.getName());
                }))
                .contains("output committer of its own", "NamedCommitterFactory");
        assertThat(reason(job -> {
                    job.setNumReduceTasks(0);
                    MultipleInputs.addInputPath(job, new Path("/a"), TextInputFormat.class, Mapper.class);
                }))
                .contains("several input formats");
        assertThat(reason(job -> {
                    job.setNumReduceTasks(0);
                    job.getConfiguration().setInt("incoop.part.max.bytes", 0);
                }))
                .contains("incoop.part.max.bytes");
    }

    @Test
    void encryptedMapOutputIsNot() throws IOException {
        assertThat(reason(job -> job.getConfiguration().setBoolean("mapreduce.job.encrypted-intermediate-data", true)))
                .isEqualTo("its intermediate data are encrypted (mapreduce.job.encrypted-intermediate-data)");
    }

    @Test
    void severalInputsWithMappersOfTheirOwnAre() throws IOException {
        assertThat(Eligibility.objection(newApi(
                        job -> MultipleInputs.addInputPath(job, new Path("/a"), TextInputFormat.class, Mapper.class))))
                .isEmpty();
        assertThat(Eligibility.objection(oldApi(job -> org.apache.hadoop.mapred.lib.MultipleInputs.addInputPath(
                        job, new Path("/a"), org.apache.hadoop.mapred.TextInputFormat.class))))
                .isEmpty();
    }

    @Test
    void aMapperOfOneInputThatCantBeWatchedIsNamed() throws IOException {
        assertThat(reason(job -> {
                    MultipleInputs.addInputPath(job, new Path("/a"), TextInputFormat.class, Mapper.class);
                    MultipleInputs.addInputPath(job, new Path("/b"), TextInputFormat.class, ChainMapper.class);
                }))
                .contains("is a chain");
    }

    @Test
    void combinedFilesAreNot() throws IOException {
        assertThat(reason(job -> job.setInputFormatClass(CombineTextInputFormat.class)))
                .isEqualTo("its input format " + CombineTextInputFormat.class.getName()
                        + " puts parts of several files into one split");
        assertThat(oldReason(job -> job.setInputFormat(org.apache.hadoop.mapred.lib.CombineTextInputFormat.class)))
                .contains("parts of several files");
    }

    @Test
    void anUnknownInputFormatIsNamed() throws IOException {
        assertThat(reason(job -> job.setInputFormatClass(DBInputFormat.class)))
                .contains(DBInputFormat.class.getName())
                .contains("TextInputFormat");
        assertThat(reason(job -> job.getConfiguration().set("mapreduce.job.inputformat.class", "no.Such")))
                .isEqualTo("its input format no.Such can't be loaded here");
    }

    @Test
    void chainsAndThreadsOfMappersAreNot() throws IOException {
        assertThat(reason(job -> job.setMapperClass(ChainMapper.class))).contains("is a chain");
        assertThat(oldReason(job -> job.setMapperClass(org.apache.hadoop.mapred.lib.ChainMapper.class)))
                .contains("is a chain");
        assertThat(reason(job -> job.setMapperClass(MultithreadedMapper.class))).contains("threads of its own");
        assertThat(oldReason(job -> job.setMapRunnerClass(MultithreadedMapRunner.class)))
                .isEqualTo("it runs its mapper in threads of its own (" + MultithreadedMapRunner.class.getName() + ")");
        assertThat(oldReason(job -> job.set("mapred.map.runner.class", "no.Such")))
                .isEqualTo("its MapRunnable no.Such can't be loaded here");
        assertThat(reason(job -> job.getConfiguration().set("mapreduce.job.map.class", "no.Such")))
                .isEqualTo("its mapper no.Such can't be loaded here");
    }

    @Test
    void skippedRecordsAreNot() throws IOException {
        assertThat(reason(job -> job.getConfiguration().setInt("mapreduce.input.linerecordreader.line.maxlength", 100)))
                .contains("skips long lines");
        assertThat(oldReason(job -> job.setLong("mapreduce.map.skip.maxrecords", 1)))
                .isEqualTo("it skips records that its mapper fails on (mapreduce.map.skip.maxrecords)");
    }

    @Test
    void plugInsOfItsOwnAreNot() throws IOException {
        assertThat(reason(job -> job.getConfiguration().set("mapreduce.job.map.output.collector.class", "a.Collector")))
                .isEqualTo("it brings a map output collector of its own, a.Collector");
        assertThat(reason(job ->
                        job.getConfiguration().set("mapreduce.job.reduce.shuffle.consumer.plugin.class", "a.Shuffle")))
                .isEqualTo("it brings a shuffle plug-in of its own, a.Shuffle");
    }

    @Test
    void mapsWhoseJvmsHaveOtherOptionsThanReducesAreNot() throws IOException {
        assertThat(reason(job -> onYarn(job).set("mapreduce.map.java.opts", "-Dfile.encoding=ISO-8859-1")))
                .contains("mapreduce.map.java.opts");
        assertThat(reason(job -> onYarn(job).set("mapreduce.reduce.env", "TZ=Asia/Tokyo")))
                .contains("mapreduce.map.env");
        assertThat(Eligibility.objection(newApi(job -> {
                    onYarn(job).set("mapreduce.map.java.opts", "-Xmx1g");
                    job.getConfiguration().set("mapreduce.reduce.java.opts", "-Xmx3g");
                })))
                .isEmpty();
    }

    private static Configuration onYarn(Job job) {
        job.getConfiguration().set("mapreduce.framework.name", "yarn");
        return job.getConfiguration();
    }

    private static String reason(Consumer<Job> change) throws IOException {
        return Eligibility.objection(newApi(change)).orElseThrow();
    }

    private static String oldReason(Consumer<JobConf> change) throws IOException {
        return Eligibility.objection(oldApi(change)).orElseThrow();
    }

    private static JobConf newApi(Consumer<Job> change) throws IOException {
        Job job = Job.getInstance();
        job.getConfiguration().setBoolean("mapred.mapper.new-api", true);
        job.setOutputKeyClass(NullWritable.class);
        change.accept(job);
        return (JobConf) job.getConfiguration();
    }

    private static JobConf oldApi(Consumer<JobConf> change) {
        JobConf job = new JobConf();
        job.setBoolean("mapred.mapper.new-api", false);
        change.accept(job);
        return job;
    }
}
