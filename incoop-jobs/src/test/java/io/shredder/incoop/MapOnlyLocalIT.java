// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.Test;

/** Jobs without reducers: the part files of splits that stand as they did are taken from the memo store. */
class MapOnlyLocalIT extends LocalJobs {

    private static final int SPLIT_BYTES = 40_000;

    private final List<String> lines = EditedTexts.lines(new Random(91), 6000);

    /** Without reducers, in splits that end in the middle of lines. */
    private static FinishedJob.Setup mapOnly(Class<? extends Mapper<?, ?, ?, ?>> mapper, FinishedJob.Setup more) {
        return job -> {
            job.setMapperClass(mapper);
            job.setNumReduceTasks(0);
            job.getConfiguration().setInt("mapreduce.input.fileinputformat.split.maxsize", SPLIT_BYTES);
            more.apply(job);
        };
    }

    private static FinishedJob.Setup mapOnly(Class<? extends Mapper<?, ?, ?, ?>> mapper) {
        return mapOnly(mapper, job -> {});
    }

    private static final FinishedJob.Setup CAPITALS = mapOnly(MapOnlyMappers.Capitals.class);

    private void upload() throws IOException {
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
    }

    private static long computed(FinishedJob run) throws IOException {
        return run.chunks(IncoopCounter.SPLITS_COMPUTED);
    }

    private static long total(FinishedJob run) throws IOException {
        return run.chunks(IncoopCounter.SPLITS_TOTAL);
    }

    private static long reused(FinishedJob run) throws IOException {
        return run.chunks(IncoopCounter.PARTS_REUSED);
    }

    /** All files of an output but for the mark of success, and what they hold. */
    private static Map<String, String> files(FinishedJob run) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (FileStatus file : fs.listStatus(FileOutputFormat.getOutputPath(run.job()))) {
            try (FSDataInputStream in = fs.open(file.getPath())) {
                files.put(file.getPath().getName(), new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    private static Map<String, Long> counters(FinishedJob run) throws IOException {
        Map<String, Long> counters = new TreeMap<>();
        for (Enum<?> counter : List.of(
                TaskCounter.MAP_INPUT_RECORDS,
                TaskCounter.MAP_OUTPUT_RECORDS,
                TaskCounter.SPLIT_RAW_BYTES,
                FileInputFormatCounter.BYTES_READ,
                FileOutputFormatCounter.BYTES_WRITTEN)) {
            counters.put(
                    counter.getClass().getSimpleName() + counter.name(),
                    run.job().getCounters().findCounter(counter).getValue());
        }
        run.job().getCounters().getGroup("mine").forEach(one -> counters.put(one.getName(), one.getValue()));
        return counters;
    }

    /** Runs it incrementally and plainly, and expects the same files and counters. */
    private FinishedJob likePlainly(FinishedJob.Setup setup) throws Exception {
        return like(run("local", setup), setup);
    }

    /** Runs it so many times incrementally and once plainly, on the same input. */
    private List<FinishedJob> likePlainly(int times, FinishedJob.Setup setup) throws Exception {
        FinishedJob plain = run("local", setup);
        List<FinishedJob> runs = new ArrayList<>();
        while (runs.size() < times) {
            runs.add(like(plain, setup));
        }
        return runs;
    }

    private FinishedJob like(FinishedJob plain, FinishedJob.Setup setup) throws Exception {
        FinishedJob run = run("inc-local", setup);
        assertThat(files(run)).isEqualTo(files(plain));
        assertThat(counters(run)).isEqualTo(counters(plain));
        return run;
    }

    private void assertIsPlain(FinishedJob.Setup setup) throws Exception {
        for (FinishedJob run : likePlainly(2, setup)) {
            assertThat(total(run)).isZero();
        }
    }

    @Test
    void anUnchangedJobMapsNothing() throws Exception {
        upload();

        List<FinishedJob> runs = likePlainly(2, CAPITALS);
        FinishedJob cold = runs.get(0);
        FinishedJob again = runs.get(1);

        assertThat(total(cold)).isGreaterThan(4);
        assertThat(computed(cold)).isEqualTo(total(cold));
        assertThat(computed(again)).isZero();
        assertThat(reused(again)).isEqualTo(total(cold));
        assertThat(again.output()).containsKeys("part-m-00000", "part-m-00004");
    }

    @Test
    void afterAnEditOnlyTheSplitsThatReadOfItAreMapped() throws Exception {
        upload();
        FinishedJob cold = likePlainly(CAPITALS);
        String old = lines.get(3000);
        lines.set(3000, "X".repeat(old.length()));
        upload();

        FinishedJob edited = likePlainly(CAPITALS);

        assertThat(computed(edited)).isBetween(1L, 3L);
        assertThat(reused(edited)).isEqualTo(total(cold) - computed(edited));
    }

    @InTurn(days = 3)
    @Test
    void whatWasAppendedIsMappedAndTheLastSplitsBeforeIt() throws Exception {
        upload();
        FinishedJob cold = likePlainly(CAPITALS);
        lines.addAll(EditedTexts.lines(new Random(92), 3000));
        upload();

        FinishedJob grown = likePlainly(CAPITALS);

        assertThat(total(grown)).isGreaterThan(total(cold));
        assertThat(reused(grown)).isGreaterThanOrEqualTo(total(cold) - 3);
    }

    @InTurn(days = 3)
    @Test
    void partsAreNumberedAsTheFilesThatAreThereWant() throws Exception {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            files.add(new Path(input.getParent(), "text" + i));
            Uploads.upload(fs, files.get(i), EditedTexts.bytes(EditedTexts.lines(new Random(i), 1000 + 37 * i)));
        }
        long all = total(likePlainly(CAPITALS));

        fs.delete(files.get(1), false);
        fs.delete(Uploads.sideFile(files.get(1)), false);
        FinishedJob removed = likePlainly(CAPITALS);
        fs.rename(files.get(3), new Path(input.getParent(), "another"));
        fs.rename(Uploads.sideFile(files.get(3)), Uploads.sideFile(new Path(input.getParent(), "another")));
        FinishedJob renamed = likePlainly(CAPITALS);
        Uploads.upload(fs, new Path(input.getParent(), "a"), EditedTexts.bytes(EditedTexts.lines(new Random(7), 1100)));
        FinishedJob added = likePlainly(CAPITALS);

        assertThat(total(removed)).isLessThan(all);
        assertThat(computed(removed)).isZero();
        assertThat(computed(renamed)).isZero();
        assertThat(computed(added)).isPositive().isLessThan(total(added) / 2);
        assertThat(reused(added)).isEqualTo(total(removed));
    }

    @InTurn(days = 3)
    @Test
    void filesWithoutAManifestAreMappedAnew() throws Exception {
        upload();
        try (FSDataOutputStream out = fs.create(new Path(input.getParent(), "bare"))) {
            out.write(EditedTexts.bytes(EditedTexts.lines(new Random(93), 2000)));
        }
        likePlainly(CAPITALS);

        FinishedJob again = likePlainly(CAPITALS);

        assertThat(computed(again)).isPositive();
        assertThat(reused(again)).isPositive();
        assertThat(computed(again) + reused(again)).isEqualTo(total(again));
    }

    @InTurn(days = 3)
    @Test
    void emptyFilesAndSplitsWithoutOutputHavePartFilesToo() throws Exception {
        upload();
        fs.create(new Path(input.getParent(), "empty")).close();
        for (FinishedJob.Setup setup : List.of(CAPITALS, mapOnly(MapOnlyMappers.Silent.class))) {
            FinishedJob again = likePlainly(2, setup).get(1);

            assertThat(computed(again)).isZero();
            assertThat(again.output().values()).contains("");
        }
    }

    @Test
    void aSplitWithoutAnyRecordIsReusedAsOthers() throws Exception {
        lines.add(100, "x".repeat(3 * SPLIT_BYTES));
        upload();

        assertThat(computed(likePlainly(2, CAPITALS).get(1))).isZero();
    }

    @InTurn(days = 3)
    @Test
    void compressedPartFilesAreTheSame() throws Exception {
        upload();
        FinishedJob.Setup zipped = mapOnly(MapOnlyMappers.Capitals.class, job -> {
            FileOutputFormat.setCompressOutput(job, true);
            FileOutputFormat.setOutputCompressorClass(job, GzipCodec.class);
        });
        likePlainly(CAPITALS);

        List<FinishedJob> runs = likePlainly(2, zipped);
        FinishedJob cold = runs.get(0);
        FinishedJob again = runs.get(1);

        assertThat(computed(cold)).isEqualTo(total(cold));
        assertThat(computed(again)).isZero();
        assertThat(again.output()).containsKey("part-m-00000.gz");
    }

    @InTurn(days = 3)
    @Test
    void aBaseNameOfTheJobsOwnIsKept() throws Exception {
        upload();
        likePlainly(CAPITALS);
        FinishedJob.Setup named = mapOnly(
                MapOnlyMappers.Capitals.class, job -> job.getConfiguration().set("mapreduce.output.basename", "lines"));

        assertThat(files(likePlainly(2, named).get(1))).containsKey("lines-m-00000");
    }

    @InTurn(days = 3)
    @Test
    void aMapperThatLooksAtOffsetsOrItsFileIsRightInItsOwnRunAndPlainThen() throws Exception {
        upload();
        for (Class<? extends Mapper<?, ?, ?, ?>> mapper : List.of(
                TestMappers.KeyReader.class, TestMappers.FileNameMapper.class, MapOnlyMappers.SplitStart.class)) {
            List<FinishedJob> runs = likePlainly(2, mapOnly(mapper));

            assertThat(computed(runs.get(0))).isEqualTo(total(runs.get(0))).isPositive();
            assertThat(total(runs.get(1))).isZero();
        }
    }

    @Test
    void theIdentityMapperWritesOffsets() throws Exception {
        upload();
        FinishedJob.Setup identity = mapOnly(MapOnlyMappers.Capitals.class, job -> job.setMapperClass(Mapper.class));

        assertThat(total(likePlainly(2, identity).get(1))).isZero();
    }

    @Test
    void aMapperThatAsksForItsTaskRunsPlainly() throws Exception {
        lines.set(5000, "number");
        upload();

        assertIsPlain(mapOnly(MapOnlyMappers.TaskNumber.class));
    }

    @InTurn(days = 3)
    @Test
    void whatWritesMoreThanOnePartFileAMapRunsPlainly() throws Exception {
        upload();
        assertIsPlain(mapOnly(
                OddMappers.Outputs.class,
                job -> MultipleOutputs.addNamedOutput(
                        job, "more", TextOutputFormat.class, Text.class, IntWritable.class)));
        assertIsPlain(mapOnly(OddMappers.SideWriter.class));
        assertIsPlain(mapOnly(
                MapOnlyMappers.Capitals.class,
                job -> LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class)));
        assertThat(total(run(
                        "inc-local",
                        mapOnly(
                                MapOnlyMappers.Capitals.class,
                                job -> job.setOutputFormatClass(NullOutputFormat.class)))))
                .isZero();
    }

    @InTurn(days = 3)
    @Test
    void aTableThatAMapperReadsIsADependency() throws Exception {
        upload();
        FinishedJob.Setup reader = mapOnly(TestMappers.SideReader.class);
        writeTable("one");
        FinishedJob again = likePlainly(2, reader).get(1);
        writeTable("two");

        FinishedJob changed = likePlainly(reader);

        assertThat(computed(again)).isZero();
        assertThat(computed(changed)).isEqualTo(total(changed)).isPositive();
        assertThat(changed.output().toString()).contains("two");
    }

    private static void writeTable(String text) throws IOException {
        try (FSDataOutputStream out = fs.create(TestMappers.SideReader.SIDE, true)) {
            out.writeUTF(text);
        }
    }

    @Test
    void staticsOfOneSplitAreNotThoseOfTheNext() throws Exception {
        upload();
        FinishedJob.Setup numbering = mapOnly(MapOnlyMappers.Numbering.class);
        FinishedJob cold = run("inc-local", numbering);

        FinishedJob again = run("inc-local", numbering);

        assertThat(computed(again)).isZero();
        assertThat(again.output()).isEqualTo(cold.output());
        assertThat(cold.output().values())
                .allMatch(part -> part.lines().findFirst().orElse("").endsWith("\t0"));
    }

    @InTurn(days = 3)
    @Test
    void aMapperThatFailsFailsAsInAPlainRun() throws Exception {
        lines.set(4000, "boom");
        upload();
        Job job = Job.getInstance(conf("inc-local"), "fails");
        mapOnly(TestMappers.FailingMapper.class).apply(job);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        org.apache.hadoop.mapreduce.lib.input.FileInputFormat.addInputPath(job, input.getParent());
        FileOutputFormat.setOutputPath(job, new Path("/out/fails"));
        assertThat(job.waitForCompletion(false)).isFalse();
        fs.delete(new Path("/out/fails"), true);
        lines.set(4000, "calm");
        upload();

        List<FinishedJob> calm = likePlainly(2, mapOnly(TestMappers.FailingMapper.class));

        assertThat(computed(calm.get(0))).isPositive();
        assertThat(computed(calm.get(1))).isZero();
    }

    @Test
    void anOutputFolderThatIsThereIsRefusedAndLeftAlone() throws Exception {
        upload();
        likePlainly(CAPITALS);
        Path output = new Path("/out/there");
        fs.create(new Path(output, "mine")).close();
        Job job = Job.getInstance(conf("inc-local"), "there");
        CAPITALS.apply(job);
        org.apache.hadoop.mapreduce.lib.input.FileInputFormat.addInputPath(job, input.getParent());
        FileOutputFormat.setOutputPath(job, output);

        assertThatThrownBy(() -> job.waitForCompletion(false)).hasMessageContaining("already exists");

        assertThat(fs.exists(new Path(output, "mine"))).isTrue();
    }

    @Test
    void damagedPartFilesInTheStoreCostOnePlainRun() throws Exception {
        upload();
        likePlainly(CAPITALS);
        int damaged = 0;
        for (FileStatus memo : fs.globStatus(new Path("/user/*/.incoop/*/*" + "-o0000[01].memo"))) {
            byte[] bytes;
            try (FSDataInputStream in = fs.open(memo.getPath())) {
                bytes = in.readAllBytes();
            }
            bytes[200] ^= 1;
            try (FSDataOutputStream out = fs.create(memo.getPath(), true)) {
                out.write(bytes);
            }
            damaged++;
        }
        assertThat(damaged).isEqualTo(2);

        List<FinishedJob> runs = likePlainly(3, CAPITALS);
        assertThat(total(runs.get(0))).isZero();
        assertThat(computed(runs.get(1))).isEqualTo(2);
        assertThat(computed(runs.get(2))).isZero();
        assertThat(MemoKind.PARTS.fileName("job", 1)).endsWith("-o00001.memo");
    }

    @InTurn(days = 3)
    @Test
    void partFilesThatAreTooLargeAreMappedAnew() throws Exception {
        upload();
        FinishedJob.Setup small = mapOnly(
                MapOnlyMappers.Capitals.class, job -> job.getConfiguration().setInt(IncoopKeys.PART_MAX_BYTES, 100));

        assertThat(reused(likePlainly(2, small).get(1))).isZero();
    }
}
