// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import io.shredder.incoop.format.PointInputFormat;
import io.shredder.incoop.task.IncoopCounter;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.junit.jupiter.api.Test;

/** Jobs without reducers over all formats, of both APIs, in splits of any size. */
class MapOnlyFormatsLocalIT extends LocalJobs {

    private static final AtomicInteger OUTPUTS = new AtomicInteger();

    private static FinishedJob.Setup mapOnly(int splitBytes, FinishedJob.Setup more) {
        return job -> {
            job.setMapperClass(MapOnlyMappers.Capitals.class);
            job.setNumReduceTasks(0);
            job.getConfiguration().setInt("mapreduce.input.fileinputformat.split.maxsize", splitBytes);
            more.apply(job);
        };
    }

    private FinishedJob likePlainly(FinishedJob.Setup setup) throws Exception {
        return like(run("local", setup), setup);
    }

    /** Runs it twice, and expects of both what a plain run gives, and of the second that it maps nothing. */
    private void likePlainlyThenReused(FinishedJob.Setup setup) throws Exception {
        FinishedJob plain = run("local", setup);
        like(plain, setup);
        assertAllReused(like(plain, setup));
    }

    private FinishedJob like(FinishedJob plain, FinishedJob.Setup setup) throws Exception {
        FinishedJob run = run("inc-local", setup);
        assertThat(run.output()).isEqualTo(plain.output());
        assertThat(run.chunks(IncoopCounter.SPLITS_TOTAL))
                .isEqualTo(plain.output().size());
        for (TaskCounter counter : List.of(TaskCounter.MAP_INPUT_RECORDS, TaskCounter.MAP_OUTPUT_RECORDS)) {
            assertThat(run.counter(counter)).isEqualTo(plain.counter(counter));
        }
        return run;
    }

    private static void assertAllReused(FinishedJob run) throws IOException {
        assertThat(run.chunks(IncoopCounter.SPLITS_COMPUTED)).isZero();
        assertThat(run.chunks(IncoopCounter.PARTS_REUSED))
                .isEqualTo(run.chunks(IncoopCounter.SPLITS_TOTAL))
                .isPositive();
    }

    private static void assertSomeReused(FinishedJob run) throws IOException {
        assertThat(run.chunks(IncoopCounter.PARTS_REUSED)).isPositive();
    }

    @Test
    void linesThatAreEditedAtRandomGiveAPlainRunsParts() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<String> lines = EditedTexts.lines(random, 2500);
        for (int round = 0; round < LongTests.count("edits", 2, 4); round++) {
            Uploads.upload(fs, input, EditedTexts.bytes(lines));
            FinishedJob.Setup setup = mapOnly(6000 + 1700 * (round / 2), job -> {});
            likePlainly(setup);
            int at = random.nextInt(lines.size());
            switch (random.nextInt(3)) {
                case 0 -> lines.set(at, "y".repeat(lines.get(at).length()));
                case 1 -> lines.add(lines.size() - random.nextInt(100), EditedTexts.line(random));
                default -> lines = new ArrayList<>(EditedTexts.edited(random, lines, 2));
            }
        }
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        likePlainlyThenReused(mapOnly(6000, job -> {}));
    }

    @InTurn(days = 3)
    @Test
    void linesThatEndInManyWays() throws Exception {
        String text = "one\r\ntwo\r\r\nthree\n\n\nfour\rfive\n" + "x".repeat(50) + "\r\n";
        byte[] data = text.repeat(8).getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, data, "text", endsOf(data, "\n", 3));
        for (int splitBytes : List.of(13, 53)) {
            likePlainlyThenReused(mapOnly(splitBytes, job -> {}));
        }
        byte[] other = (text.repeat(5) + "a line more\n" + text.repeat(3)).getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, other, "text", endsOf(other, "\n", 3));

        assertSomeReused(likePlainly(mapOnly(53, job -> {})));
    }

    @InTurn(days = 3)
    @Test
    void recordsWithADelimiterOfTheirOwn() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 80; i++) {
            text.append("record ").append(i).append(i % 3 == 0 ? "#" : "").append("#;");
        }
        FinishedJob.Setup delimited = job -> job.getConfiguration().set("textinputformat.record.delimiter", "#;");
        byte[] data = text.toString().getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, data, "text:233b", endsOf(data, "#;", 2));
        for (int splitBytes : List.of(13, 64)) {
            likePlainly(mapOnly(splitBytes, delimited));
        }
        byte[] other = (text.substring(0, 700) + "x" + text.substring(701)).getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, other, "text:233b", endsOf(other, "#;", 2));

        assertSomeReused(likePlainly(mapOnly(64, delimited)));
    }

    /** Every so many-th record's end. */
    private static List<Integer> endsOf(byte[] data, String recordEnd, int records) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        List<Integer> ends = new ArrayList<>();
        int seen = 0;
        for (int at = text.indexOf(recordEnd); at >= 0; at = text.indexOf(recordEnd, at + recordEnd.length())) {
            seen++;
            if (seen % records == 0) {
                ends.add(at + recordEnd.length());
            }
        }
        if (ends.isEmpty() || ends.get(ends.size() - 1) != data.length) {
            ends.add(data.length);
        }
        return ends;
    }

    /** Sections of one file are put together anew, so that the same bytes lie elsewhere in splits. */
    @InTurn(days = 3)
    @Test
    void sequenceFilesWhoseSectionsMove() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        List<CompressionType> compressions = Arrays.asList(CompressionType.values());
        Collections.shuffle(compressions, new Random(seed));
        Random random = new Random(96);
        for (CompressionType compression : compressions.subList(0, LongTests.count("compressions", 1, 3))) {
            byte[] data = FormatsLocalIT.sequenceFile(random, compression, "one");
            List<Integer> ends = FormatsLocalIT.endsBeforeMarks(data);
            for (int round = 0; round < 3; round++) {
                uploadSections(data, ends, round == 0 ? -1 : random.nextInt(ends.size() - 2));
                FinishedJob.Setup setup = mapOnly(700 + 400 * (round / 2), job -> {
                    job.setInputFormatClass(SequenceFileInputFormat.class);
                    job.setMapperClass(TestMappers.KeyCount.class);
                });
                likePlainlyThenReused(setup);
            }
        }
    }

    /** @param left the section that is left out, but for the first; negative: none */
    private void uploadSections(byte[] data, List<Integer> ends, int left) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Integer> newEnds = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < ends.size(); i++) {
            if (i == 0 || i - 1 != left) {
                bytes.write(data, start, ends.get(i) - start);
                newEnds.add(bytes.size());
            }
            start = ends.get(i);
        }
        Uploads.upload(fs, input, bytes.toByteArray(), "sequencefile", newEnds);
    }

    @InTurn(days = 3)
    @Test
    void groupsOfLinesAndKeysAndValues() throws Exception {
        byte[] data = EditedTexts.bytes(EditedTexts.lines(new Random(97), 210));
        Uploads.upload(fs, input, data, "lines:40", FormatsLocalIT.endsOfLines(data, 80));
        FinishedJob.Setup groups = mapOnly(1 << 20, job -> {
            job.setInputFormatClass(NLineInputFormat.class);
            NLineInputFormat.setNumLinesPerSplit(job, 40);
        });
        likePlainlyThenReused(groups);

        Uploads.upload(fs, input, data);
        FinishedJob.Setup keyValue = mapOnly(1000, job -> {
            job.setInputFormatClass(KeyValueTextInputFormat.class);
            job.setMapperClass(TestMappers.KeyCount.class);
        });
        likePlainlyThenReused(keyValue);
    }

    @InTurn(days = 3)
    @Test
    void recordsOfFixedLength() throws Exception {
        byte[] data = new byte[10 * 400];
        new Random(98).nextBytes(data);
        FinishedJob.Setup fixed = mapOnly(700, job -> {
            job.setInputFormatClass(FixedLengthInputFormat.class);
            FixedLengthInputFormat.setRecordLength(job.getConfiguration(), 10);
            job.setMapperClass(FormatMappers.BytesCounter.class);
        });
        Uploads.upload(fs, input, data, "fixed:10", List.of(1000, 1010, 3000, 4000));
        likePlainlyThenReused(fixed);
        data[5]++;
        Uploads.upload(fs, input, data, "fixed:10", List.of(1000, 1010, 3000, 4000));

        assertSomeReused(likePlainly(fixed));
    }

    @Test
    void whatReadersOfOtherFormatsReadIsNotKnown() throws Exception {
        byte[] data = new byte[8 * 100];
        Uploads.upload(fs, input, data, "points", List.of(400, 800));

        FinishedJob run = run("inc-local", mapOnly(300, job -> {
            job.setInputFormatClass(PointInputFormat.class);
            job.setMapperClass(org.apache.hadoop.mapreduce.Mapper.class);
        }));

        assertThat(run.chunks(IncoopCounter.SPLITS_TOTAL)).isZero();
    }

    /** Each writer draws a marker, so not even two plain runs give the same bytes. */
    @Test
    void outputInSequenceFilesHoldsTheSameRecords() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(99), 2000)));
        FinishedJob.Setup setup = mapOnly(20_000, job -> {
            job.setOutputFormatClass(SequenceFileOutputFormat.class);
            SequenceFileOutputFormat.setOutputCompressionType(job, CompressionType.BLOCK);
        });
        FinishedJob cold = run("inc-local", setup);

        FinishedJob again = run("inc-local", setup);

        assertAllReused(again);
        assertThat(again.output()).isEqualTo(cold.output());
        assertThat(records(again)).isEqualTo(records(run("local", setup))).hasSize(2000);
    }

    private static List<String> records(FinishedJob run) throws IOException {
        List<String> records = new ArrayList<>();
        Path folder = org.apache.hadoop.mapreduce.lib.output.FileOutputFormat.getOutputPath(run.job());
        for (String name : run.output().keySet()) {
            try (SequenceFile.Reader reader = new SequenceFile.Reader(
                    fs.getConf(), SequenceFile.Reader.file(fs.makeQualified(new Path(folder, name))))) {
                Text key = new Text();
                IntWritable value = new IntWritable();
                while (reader.next(key, value)) {
                    records.add(key + "\t" + value);
                }
            }
        }
        return records;
    }

    private record OldRun(Counters counters, Map<String, String> output) {

        long count(IncoopCounter counter) {
            return counters.findCounter(IncoopCounter.GROUP, counter.name()).getCounter();
        }
    }

    private OldRun old(String framework, Consumer<JobConf> setup) throws Exception {
        JobConf job = new JobConf(fs.getConf());
        job.set("mapreduce.framework.name", framework);
        job.set("hadoop.tmp.dir", new File(folder, "tmp").toString());
        job.setJobName("old capitals");
        job.setMapperClass(MapOnlyMappers.OldCapitals.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(0);
        setup.accept(job);
        FileInputFormat.addInputPath(job, input.getParent());
        Path output = new Path("/old-map-only/" + OUTPUTS.getAndIncrement());
        FileOutputFormat.setOutputPath(job, output);
        RunningJob done = JobClient.runJob(job);
        return new OldRun(done.getCounters(), FinishedJob.parts(fs, output));
    }

    private OldRun oldLikePlainly(Consumer<JobConf> setup) throws Exception {
        OldRun run = old("inc-local", setup);
        OldRun plain = old("local", setup);
        assertThat(run.output()).isEqualTo(plain.output());
        for (String counter : List.of("MAP_INPUT_RECORDS", "MAP_OUTPUT_RECORDS", "SPLIT_RAW_BYTES")) {
            assertThat(run.counters().findCounter(TaskCounter.valueOf(counter)).getValue())
                    .isEqualTo(plain.counters()
                            .findCounter(TaskCounter.valueOf(counter))
                            .getValue());
        }
        assertThat(run.counters().getGroup("mine").toString())
                .isEqualTo(plain.counters().getGroup("mine").toString());
        for (String group : List.of("lib.input.FileInputFormatCounter", "lib.output.FileOutputFormatCounter")) {
            String name = "org.apache.hadoop.mapreduce." + group;
            assertThat(run.counters().getGroup(name).toString())
                    .isEqualTo(plain.counters().getGroup(name).toString());
        }
        return run;
    }

    @InTurn(days = 3)
    @Test
    void theOldApiToo() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(100), 2000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Uploads.upload(
                fs,
                new Path(input.getParent(), "large"),
                EditedTexts.bytes(EditedTexts.lines(new Random(104), 45_000)));
        OldRun cold = oldLikePlainly(job -> {});
        OldRun again = oldLikePlainly(job -> {});
        lines.set(100, "z".repeat(lines.get(100).length()));
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        OldRun edited = oldLikePlainly(job -> {});
        OldRun zipped = oldLikePlainly(job -> FileOutputFormat.setCompressOutput(job, true));

        assertThat(cold.count(IncoopCounter.SPLITS_COMPUTED)).isEqualTo(3);
        assertThat(again.count(IncoopCounter.SPLITS_COMPUTED)).isZero();
        assertThat(again.count(IncoopCounter.PARTS_REUSED)).isEqualTo(3);
        assertThat(edited.count(IncoopCounter.SPLITS_COMPUTED)).isEqualTo(1);
        assertThat(zipped.count(IncoopCounter.SPLITS_COMPUTED)).isEqualTo(3);
        assertThat(oldLikePlainly(job -> FileOutputFormat.setCompressOutput(job, true))
                        .count(IncoopCounter.SPLITS_COMPUTED))
                .isZero();
    }

    @InTurn(days = 3)
    @Test
    void aMapperOfTheOldApiThatAsksForItsPlaceIsRightEachTime() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(101), 1000)));
        for (Class<? extends org.apache.hadoop.mapred.Mapper<?, ?, ?, ?>> mapper :
                List.of(MapOnlyMappers.OldFile.class, OldApiJobs.OffsetMapper.class, OldApiJobs.SplitMapper.class)) {
            OldRun first = oldLikePlainly(job -> job.setMapperClass(mapper));
            OldRun second = oldLikePlainly(job -> job.setMapperClass(mapper));

            assertThat(first.count(IncoopCounter.SPLITS_COMPUTED)).isPositive();
            assertThat(second.count(IncoopCounter.SPLITS_TOTAL)).isZero();
        }
    }

    @Test
    void anOldCommitterOfItsOwnRunsPlainly() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(102), 1000)));

        OldRun run = oldLikePlainly(job -> job.setOutputCommitter(OwnCommitter.class));

        assertThat(run.count(IncoopCounter.SPLITS_TOTAL)).isZero();
    }

    /** As Hadoop's, and who knows. */
    public static class OwnCommitter extends org.apache.hadoop.mapred.FileOutputCommitter {}

    @InTurn(days = 3)
    @Test
    void rowsOfOneJobAreNotTakenForThoseOfAnother() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(103), 1000)));
        likePlainly(mapOnly(10_000, job -> {}));
        for (FinishedJob.Setup other : Arrays.<FinishedJob.Setup>asList(
                job -> job.getConfiguration().set("mapreduce.output.textoutputformat.separator", "|"),
                job -> job.getConfiguration().set("mapred.textoutputformat.separator", ";"),
                job -> job.getConfiguration().set("some.option", "1"),
                MapOnlyFormatsLocalIT::silent)) {
            FinishedJob run = likePlainly(mapOnly(10_000, other));

            assertThat(run.chunks(IncoopCounter.PARTS_REUSED)).isZero();
        }
        assertAllReused(likePlainly(mapOnly(10_000, job -> {})));
    }

    private static void silent(Job job) {
        job.setMapperClass(MapOnlyMappers.Silent.class);
    }
}
