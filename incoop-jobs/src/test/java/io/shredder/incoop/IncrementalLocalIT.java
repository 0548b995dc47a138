// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.task.IncoopCounter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stock WordCount, never changed, made incremental in this process, on a real HDFS. */
class IncrementalLocalIT {

    @TempDir
    static File folder;

    private static MiniDFSCluster cluster;
    private static FileSystem fs;

    private Path input;

    @BeforeAll
    static void startHdfs() throws IOException {
        Configuration conf = new Configuration();
        conf.setLong("dfs.blocksize", 1 << 20);
        cluster = new MiniDFSCluster.Builder(conf, new File(folder, "dfs"))
                .numDataNodes(1)
                .build();
        fs = cluster.getFileSystem();
    }

    @AfterAll
    static void stopHdfs() {
        cluster.shutdown();
    }

    @BeforeEach
    void emptyFolders() throws IOException {
        fs.delete(new Path("/user"), true);
        fs.delete(new Path("/in"), true);
        input = new Path("/in/text");
    }

    @Test
    void aColdRunGivesWhatAPlainRunGives() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(1), 6000)));

        JobRun cold = wordCount("inc-local");

        assertThat(cold.chunks(IncoopCounter.CHUNKS_TOTAL)).isGreaterThan(20);
        assertThat(cold.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(cold.output()).isEqualTo(wordCount("local").output()).hasSize(2);
    }

    @Test
    void anUnchangedFileNeedsNoMap() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(2), 3000)));
        wordCount("inc-local");

        JobRun again = wordCount("inc-local");

        assertThat(again.job().getConfiguration().getInt("mapreduce.job.maps", -1))
                .isZero();
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void afterAnEditOnlyTheChunksAroundItAreComputed() throws Exception {
        List<String> lines = Texts.lines(new Random(3), 6000);
        Uploads.upload(fs, input, Texts.bytes(lines));
        wordCount("inc-local");
        lines.set(3000, "something quite different");
        Uploads.upload(fs, input, Texts.bytes(lines));

        JobRun edited = wordCount("inc-local");

        assertThat(edited.chunks(IncoopCounter.CHUNKS_COMPUTED)).isBetween(1L, 3L);
        assertThat(edited.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void countersOfMapsThatDidNotRunAreCountedAllTheSame() throws Exception {
        List<String> lines = Texts.lines(new Random(4), 3000);
        Uploads.upload(fs, input, Texts.bytes(lines));
        wordCount("inc-local");
        lines.set(7, "new");
        Uploads.upload(fs, input, Texts.bytes(lines));

        JobRun edited = wordCount("inc-local");
        JobRun plain = wordCount("local");

        for (TaskCounter counter : List.of(
                TaskCounter.MAP_INPUT_RECORDS,
                TaskCounter.MAP_OUTPUT_RECORDS,
                TaskCounter.MAP_OUTPUT_BYTES,
                TaskCounter.REDUCE_OUTPUT_RECORDS)) {
            assertThat(edited.counter(counter)).as(counter.name()).isEqualTo(plain.counter(counter));
        }
    }

    @Test
    void randomEditsNeverChangeTheResult() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<String> lines = Texts.lines(random, 3000);
        for (int version = 0; version < 5; version++) {
            Uploads.upload(fs, input, Texts.bytes(lines));
            assertThat(wordCount("inc-local").output())
                    .as("version %d of seed %d", version, seed)
                    .isEqualTo(wordCount("local").output());
            lines = Texts.edited(random, lines, 1 + random.nextInt(20));
        }
    }

    @Test
    void manySmallMapTasksGiveTheSame() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(5), 3000)));
        Uploads.upload(fs, new Path("/in/second"), Texts.bytes(Texts.lines(new Random(6), 1000)));

        JobRun small = run("inc-local", job -> job.getConfiguration().set(IncoopKeys.MAP_TASK_BYTES, "20k"));

        assertThat(small.job().getConfiguration().getInt("mapreduce.job.maps", -1))
                .isGreaterThan(5);
        assertThat(small.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aDamagedMemoIsComputedAgainAndNotTriedTwice() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(7), 3000)));
        wordCount("inc-local");
        flipByte(onlyMemoFile(), 5000);

        JobRun damaged = wordCount("inc-local");
        JobRun after = wordCount("inc-local");

        assertThat(damaged.chunks(IncoopCounter.SEGMENTS_REPAIRED)).isEqualTo(1);
        assertThat(damaged.output()).isEqualTo(wordCount("local").output());
        assertThat(after.chunks(IncoopCounter.SEGMENTS_REPAIRED)).isZero();
        assertThat(after.chunks(IncoopCounter.CHUNKS_COMPUTED)).isEqualTo(1);
        assertThat(after.output()).isEqualTo(damaged.output());
    }

    @Test
    void aMemoFileWithADamagedIndexIsAMiss() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(8), 2000)));
        wordCount("inc-local");
        Path memo = onlyMemoFile();
        flipByte(memo, (int) fs.getFileStatus(memo).getLen() - 100);

        JobRun damaged = wordCount("inc-local");

        assertThat(damaged.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(damaged.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aMapperThatReadsItsKeysIsRightAndNeverReused() throws Exception {
        List<String> lines = Texts.lines(new Random(9), 2000);
        Uploads.upload(fs, input, Texts.bytes(lines));
        JobRun.Setup keys = job -> job.setMapperClass(KeyReader.class);
        run("inc-local", keys);
        lines.add(0, "moves everything");
        Uploads.upload(fs, input, Texts.bytes(lines));

        JobRun moved = run("inc-local", keys);

        assertThat(moved.ranPlainly()).isTrue();
        assertThat(moved.output()).isEqualTo(run("local", keys).output());
    }

    @Test
    void aMapperThatReadsItsKeysIsRightInItsFirstRun() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(10), 2000)));
        JobRun.Setup keys = job -> job.setMapperClass(KeyReader.class);

        JobRun first = run("inc-local", keys);

        assertThat(first.ranPlainly()).isFalse();
        assertThat(first.output()).isEqualTo(run("local", keys).output());
    }

    @Test
    void theIdentityMapperPassesOffsetsOn() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(11), 1500)));
        JobRun.Setup identity = job -> {
            job.setMapperClass(Mapper.class);
            job.setCombinerClass(org.apache.hadoop.mapreduce.Reducer.class);
            job.setReducerClass(org.apache.hadoop.mapreduce.Reducer.class);
            job.setOutputKeyClass(LongWritable.class);
            job.setOutputValueClass(Text.class);
        };

        assertThat(run("inc-local", identity).output())
                .isEqualTo(run("local", identity).output());
    }

    @Test
    void keysAndValuesInTextAreServedToo() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(12), 1500)));
        JobRun.Setup keyValue = job -> {
            job.setInputFormatClass(KeyValueTextInputFormat.class);
            job.setMapperClass(KeyCount.class);
        };
        run("inc-local", keyValue);

        JobRun again = run("inc-local", keyValue);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(run("local", keyValue).output());
    }

    @Test
    void aDelimiterOfItsOwnIsServedToo() throws Exception {
        byte[] data = new String(Texts.bytes(Texts.lines(new Random(13), 1500)), StandardCharsets.UTF_8)
                .replace("\n", "#;")
                .getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, data, "text:233b", "#;".getBytes(StandardCharsets.UTF_8));
        JobRun.Setup delimiter = job -> job.getConfiguration().set("textinputformat.record.delimiter", "#;");

        JobRun cold = run("inc-local", delimiter);

        assertThat(cold.chunks(IncoopCounter.CHUNKS_COMPUTED)).isPositive();
        assertThat(cold.output()).isEqualTo(run("local", delimiter).output());
    }

    @Test
    void aByteOrderMarkIsDroppedAtTheStartOfAFileOnly() throws Exception {
        List<String> lines = Texts.lines(new Random(14), 2000);
        for (int i = 0; i < lines.size(); i++) {
            lines.set(i, "\uFEFF" + lines.get(i));
        }
        Uploads.upload(fs, input, Texts.bytes(lines));

        assertThat(wordCount("inc-local").output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void anotherNumberOfReducersIsAnotherJob() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(15), 1000)));
        wordCount("inc-local");

        JobRun three = run("inc-local", job -> job.setNumReduceTasks(3));

        assertThat(three.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(three.output()).hasSize(3);
    }

    @Test
    void aFileWithoutAManifestRunsPlainly() throws Exception {
        try (FSDataOutputStream out = fs.create(input)) {
            out.write(Texts.bytes(Texts.lines(new Random(16), 500)));
        }

        JobRun plain = wordCount("inc-local");

        assertThat(plain.ranPlainly()).isTrue();
        assertThat(plain.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aStaleManifestIsFoundOut() throws Exception {
        Uploads.upload(fs, input, Texts.bytes(Texts.lines(new Random(17), 500)));
        try (FSDataOutputStream out = fs.append(input)) {
            out.write("appended line\n".getBytes(StandardCharsets.UTF_8));
        }

        JobRun plain = wordCount("inc-local");

        assertThat(plain.ranPlainly()).isTrue();
        assertThat(plain.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aManifestThatLiesIsNotRemembered() throws Exception {
        List<String> lines = Texts.lines(new Random(18), 1500);
        byte[] promised = Texts.bytes(lines);
        lines.set(700, lines.get(700).replace('w', 'v'));
        Uploads.upload(fs, input, Texts.bytes(lines));
        Uploads.writeManifest(
                fs, input, Uploads.manifest(promised, "text", "\n".getBytes()).withFileId(Uploads.fileId(fs, input)));

        JobRun first = wordCount("inc-local");
        JobRun second = wordCount("inc-local");

        assertThat(first.output()).isEqualTo(wordCount("local").output());
        assertThat(second.chunks(IncoopCounter.CHUNKS_COMPUTED)).isEqualTo(1);
        assertThat(second.output()).isEqualTo(first.output());
    }

    @Test
    void anEmptyFileGivesEmptyParts() throws Exception {
        Uploads.upload(fs, input, new byte[0]);

        assertThat(wordCount("inc-local").output()).isEqualTo(wordCount("local").output());
    }

    /** Counts first words by the parity of their offset. */
    public static class KeyReader extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.write(new Text("at " + key.get() % 100), new IntWritable(1));
        }
    }

    /** Counts keys. */
    public static class KeyCount extends Mapper<Text, Text, Text, IntWritable> {
        @Override
        protected void map(Text key, Text value, Context context) throws IOException, InterruptedException {
            context.write(key, new IntWritable(value.getLength()));
        }
    }

    private JobRun wordCount(String framework) throws Exception {
        return run(framework, job -> {});
    }

    private JobRun run(String framework, JobRun.Setup setup) throws Exception {
        Configuration conf = new Configuration(fs.getConf());
        conf.set("mapreduce.framework.name", framework);
        conf.set("hadoop.tmp.dir", new File(folder, "tmp").toString());
        return JobRun.wordCount(conf, fs, input.getParent(), setup);
    }

    private static Path onlyMemoFile() throws IOException {
        FileStatus[] memos = fs.globStatus(new Path("/user/*/.incoop/*/*.memo"));
        assertThat(memos).hasSize(1);
        return memos[0].getPath();
    }

    private static void flipByte(Path file, int at) throws IOException {
        byte[] bytes;
        try (FSDataInputStream in = fs.open(file)) {
            bytes = in.readAllBytes();
        }
        bytes[at] ^= 1;
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(bytes);
        }
    }
}
