// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that once got wrong results in silence, or failed where a plain run passes. */
@InTurn(days = 2)
class OddJobsLocalIT extends LocalJobs {

    private List<String> lines;

    @BeforeEach
    void upload() throws IOException {
        lines = EditedTexts.lines(new Random(41), 1500);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
    }

    private void edit() throws IOException {
        lines.add(0, "a new first line");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
    }

    private static FinishedJob.Setup mapper(Class<? extends OddMappers.Base> type) {
        return job -> job.setMapperClass(type);
    }

    private static void writeTable(String text) throws IOException {
        try (FSDataOutputStream out = fs.create(OddMappers.SIDE, true)) {
            out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** All files of an output, and what they hold. */
    private static Map<String, String> files(FinishedJob run) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (FileStatus file : fs.listStatus(FileOutputFormat.getOutputPath(run.job()))) {
            try (var in = fs.open(file.getPath())) {
                files.put(file.getPath().getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void aMapperThatWritesFilesOfItsOwnRunsPlainlyWithinTheSameCall() throws Exception {
        FinishedJob.Setup writer = mapper(OddMappers.SideWriter.class);

        FinishedJob first = run("inc-local", writer);
        FinishedJob again = run("inc-local", writer);

        assertThat(first.ranPlainly()).isTrue();
        assertThat(files(first)).isEqualTo(files(run("local", writer))).containsKey("lines-m-00000.txt");
        assertThat(files(again)).isEqualTo(files(first));
    }

    @Test
    void aMapperWithSeveralOutputsRunsPlainly() throws Exception {
        FinishedJob.Setup outputs = job -> {
            job.setMapperClass(OddMappers.Outputs.class);
            MultipleOutputs.addNamedOutput(job, "more", TextOutputFormat.class, Text.class, IntWritable.class);
        };

        FinishedJob first = run("inc-local", outputs);

        assertThat(first.ranPlainly()).isTrue();
        assertThat(files(first)).isEqualTo(files(run("local", outputs))).containsKey("more-m-00000");
    }

    @Test
    void aReducerWithSeveralOutputsRunsAsEver() throws Exception {
        FinishedJob.Setup outputs = job -> {
            job.setReducerClass(OddMappers.OutputsReducer.class);
            MultipleOutputs.addNamedOutput(job, "more", TextOutputFormat.class, Text.class, IntWritable.class);
        };
        run("inc-local", outputs);

        FinishedJob again = run("inc-local", outputs);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(files(again)).isEqualTo(files(run("local", outputs))).containsKey("more-r-00000");
    }

    @Test
    void aClassThatAJobLoadsByItselfIsADependency() throws Exception {
        java.nio.file.Path plug = Files.createDirectories(folder.toPath().resolve("plug"));
        FinishedJob.Setup user = job -> {
            job.setMapperClass(OddMappers.PlugInUser.class);
            job.getConfiguration().set("plug", plug.toString());
        };
        compilePlug(plug, " one");
        run("inc-local", user);

        FinishedJob again = run("inc-local", user);
        compilePlug(plug, " two");
        FinishedJob changed = run("inc-local", user);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(changed.output().toString()).contains(" two").doesNotContain(" one");
    }

    private static void compilePlug(java.nio.file.Path folder, String text) throws IOException {
        java.nio.file.Path source = Files.writeString(
                folder.resolve("Plug.java"),
                "public class Plug { public static String text() { return \"" + text + "\"; } }");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
    }

    @Test
    void aTableInAStaticIsADependencyOfEveryChunk() throws Exception {
        FinishedJob.Setup table = mapper(OddMappers.StaticTable.class);
        writeTable(" one");
        run("inc-local", table);

        FinishedJob again = run("inc-local", table);
        writeTable(" two");
        FinishedJob changed = run("inc-local", table);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output().toString()).contains(" one");
        assertThat(changed.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(changed.output().toString()).contains(" two").doesNotContain(" one");
    }

    @InTurn(days = 3)
    @Test
    void whatAProgramHasPutInAStaticOfItsMapperIsUsedAsPlainly() throws Exception {
        FinishedJob.Setup told = mapper(OddMappers.ToldByStatic.class);
        OddMappers.ToldByStatic.told = "";
        FinishedJob first = run("inc-local", told);

        OddMappers.ToldByStatic.told = " told";
        FinishedJob again = run("inc-local", told);
        edit();
        FinishedJob edited = run("inc-local", told);

        assertThat(first.ranPlainly()).isFalse();
        assertThat(again.output()).isNotEqualTo(first.output());
        assertThat(again.ranPlainly()).isTrue();
        assertThat(edited.output()).isEqualTo(run("local", told).output());
        OddMappers.ToldByStatic.told = "";
        assertThat(run("inc-local", told).chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
    }

    @InTurn(days = 3)
    @Test
    void whatAProgramHasPutInAStaticOfItsReducerIsUsedAsPlainly() throws Exception {
        FinishedJob.Setup told = job -> job.setReducerClass(OddMappers.ReducerToldByStatic.class);
        OddMappers.ReducerToldByStatic.told = "";
        FinishedJob first = run("inc-local", told);

        OddMappers.ReducerToldByStatic.told = " told";
        FinishedJob again = run("inc-local", told);
        edit();
        FinishedJob edited = run("inc-local", told);

        assertThat(first.ranPlainly()).isFalse();
        assertThat(again.output()).isNotEqualTo(first.output());
        assertThat(edited.output()).isEqualTo(run("local", told).output());
    }

    @Test
    void aTableInAStaticOfAReducerIsADependencyOfEveryPartFile() throws Exception {
        FinishedJob.Setup table = job -> {
            job.setReducerClass(OddMappers.StaticTableReducer.class);
            job.setNumReduceTasks(3);
        };
        writeTable("one");
        run("inc-local", table);

        FinishedJob again = run("inc-local", table);
        writeTable("two");
        FinishedJob changed = run("inc-local", table);

        assertThat(again.chunks(IncoopCounter.PARTS_REUSED)).isEqualTo(3);
        assertThat(changed.output().toString()).contains(" two").doesNotContain(" one");
    }

    @Test
    void aTableThatAGroupingComparatorLoadsWithItsClassIsWhatItIsPlainly() throws Exception {
        FinishedJob.Setup grouping = job -> job.setGroupingComparatorClass(OddMappers.TableGrouping.class);
        java.nio.file.Path table = folder.toPath().resolve("letters");
        System.setProperty("odd.table", table.toString());
        Files.writeString(table, "3");
        run("inc-local", grouping);

        FinishedJob again = run("inc-local", grouping);
        Files.writeString(table, "1");
        FinishedJob changed = run("inc-local", grouping);

        assertThat(again.ranPlainly()).isFalse();
        assertThat(changed.output()).isEqualTo(run("local", grouping).output());
    }

    @ParameterizedTest
    @ValueSource(classes = {OddMappers.SplitClass.class, OddMappers.ContextOpener.class, OddMappers.ClassNames.class})
    void whatHadoopHandsToAMapperIsOfTheClassesThatItIsPlainly(Class<? extends OddMappers.Base> type) throws Exception {
        FinishedJob incremental = run("inc-local", mapper(type));

        assertThat(incremental.output()).isEqualTo(run("local", mapper(type)).output());
    }

    @Test
    void aTableThatComesBackIsRememberedAsItWas() throws Exception {
        FinishedJob.Setup table = mapper(OddMappers.StaticTable.class);
        writeTable(" one");
        FinishedJob first = run("inc-local", table);
        fs.rename(OddMappers.SIDE, new Path("/side/other"));
        writeTable(" two");
        run("inc-local", table);
        fs.delete(OddMappers.SIDE, false);
        fs.rename(new Path("/side/other"), OddMappers.SIDE);

        FinishedJob back = run("inc-local", table);

        assertThat(back.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(back.output()).isEqualTo(first.output());
    }

    @Test
    void aTableOfAReducerIsADependencyOfItsPart() throws Exception {
        FinishedJob.Setup table = job -> {
            job.setReducerClass(OddMappers.StaticTableReducer.class);
            job.getConfiguration().setBoolean("forget", true);
        };
        writeTable("one");
        run("inc-local", table);

        FinishedJob again = run("inc-local", table);
        writeTable("two");
        FinishedJob changed = run("inc-local", table);

        assertThat(again.chunks(IncoopCounter.PARTS_REUSED)).isEqualTo(2);
        assertThat(changed.chunks(IncoopCounter.PARTS_REUSED)).isZero();
        assertThat(changed.output().toString()).contains(" two").doesNotContain(" one");
    }

    @Test
    void anOffsetThatIsComparedFromOutsideIsNoticed() throws Exception {
        FinishedJob.Setup skipper = mapper(OddMappers.HeaderSkipper.class);
        run("inc-local", skipper);
        edit();

        assertThat(run("inc-local", skipper).output())
                .isEqualTo(run("local", skipper).output());
    }

    @Test
    void anOffsetInAMapIsATrueNumberAndNoticed() throws Exception {
        FinishedJob.Setup inMap = job -> {
            job.setMapperClass(OddMappers.OffsetInAMap.class);
            job.setCombinerClass(Reducer.class);
            job.setReducerClass(OddMappers.MapPrinter.class);
            job.setMapOutputValueClass(MapWritable.class);
            job.setOutputValueClass(Text.class);
        };
        FinishedJob first = run("inc-local", inMap);
        assertThat(first.output()).isEqualTo(run("local", inMap).output());
        edit();

        assertThat(run("inc-local", inMap).output())
                .isEqualTo(run("local", inMap).output());
    }

    @Test
    void anEmptyFileHasAMapperToo() throws Exception {
        Uploads.upload(fs, input, new byte[0]);
        FinishedJob.Setup cleanup = mapper(OddMappers.CleanupWriter.class);

        FinishedJob first = run("inc-local", cleanup);
        FinishedJob again = run("inc-local", cleanup);

        assertThat(first.output()).isEqualTo(run("local", cleanup).output());
        assertThat(first.output().toString()).contains("lines\t0");
        assertThat(again.output()).isEqualTo(first.output());
    }

    @Test
    void aQuotaOnTheMemoStoreMakesTheRunPlain() throws Exception {
        Path memo = new Path("/user/full");
        fs.mkdirs(memo);
        ((DistributedFileSystem) fs).setQuota(memo, HdfsConstants.QUOTA_DONT_SET, 1 << 20);
        FinishedJob.Setup full = job -> job.getConfiguration().set("incoop.memo.dir", memo.toString());

        FinishedJob run = run("inc-local", full);

        assertThat(run.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aMemoStoreThatMayNotBeWrittenMakesTheRunPlain() throws Exception {
        FinishedJob.Setup elsewhere = job -> job.getConfiguration().set("incoop.memo.dir", "/in/text/no/folder");

        FinishedJob run = run("inc-local", elsewhere);

        assertThat(run.ranPlainly()).isTrue();
        assertThat(run.output()).isEqualTo(wordCount("local").output());
    }

    /** Where the memo store should be; opening it takes more memory than there is. */
    public static final class Heapless extends RawLocalFileSystem {
        @Override
        public void initialize(URI uri, Configuration conf) {
            throw new OutOfMemoryError("none left");
        }
    }

    @Test
    void aPlanThatTakesAllOfTheHeapMakesTheRunPlain() throws Exception {
        FinishedJob run = run("inc-local", job -> {
            job.getConfiguration().setClass("fs.heapless.impl", Heapless.class, FileSystem.class);
            job.getConfiguration().set("incoop.memo.dir", "heapless:///memo");
        });

        assertThat(run.ranPlainly()).isTrue();
        assertThat(run.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aMemoStoreThatIsNotTheUsersAloneMakesTheRunPlain() throws Exception {
        Path memo = new Path("/user/shared");
        FinishedJob.Setup shared = job -> job.getConfiguration().set("incoop.memo.dir", memo.toString());
        fs.mkdirs(memo);
        fs.setPermission(memo, new FsPermission((short) 01777));
        FinishedJob open = run("inc-local", shared);
        fs.setPermission(memo, new FsPermission((short) 0755));
        FinishedJob own = run("inc-local", shared);
        fs.setOwner(memo, "mallory", "users");
        FinishedJob foreign = run("inc-local", shared);

        assertThat(open.ranPlainly()).isTrue();
        assertThat(own.ranPlainly()).isFalse();
        assertThat(foreign.ranPlainly()).isTrue();
        assertThat(foreign.output()).isEqualTo(own.output());
    }

    @Test
    void ourCountersTakeNoRoomThatTheJobsNeed() throws Exception {
        FinishedJob.Setup counters = mapper(OddMappers.ManyCounters.class);
        run("inc-local", counters);

        FinishedJob again = run("inc-local", counters);

        assertThat(again.job().getCounters().findCounter("mine", "counter 105").getValue())
                .isEqualTo(lines.size());
        assertThat(again.output()).isEqualTo(run("local", counters).output());
    }

    @Test
    void aJobThatMayLoseMapsRunsPlainly() throws Exception {
        FinishedJob.Setup lossy = job -> job.getConfiguration().setInt("mapreduce.map.failures.maxpercent", 50);

        assertThat(run("inc-local", lossy).ranPlainly()).isTrue();
    }

    @Test
    void aMapperThatAsksForItsCommitterRunsPlainly() throws Exception {
        FinishedJob.Setup caster = mapper(OddMappers.Caster.class);

        FinishedJob run = run("inc-local", caster);

        assertThat(run.ranPlainly()).isTrue();
        assertThat(run.output()).isEqualTo(run("local", caster).output());
    }

    @Test
    void aMapperThatFailsInAnythingButAPlainMapRunsPlainly() throws Exception {
        FinishedJob.Setup plainOnly = mapper(OddMappers.PlainOnly.class);

        FinishedJob run = run("inc-local", plainOnly);

        assertThat(run.ranPlainly()).isTrue();
        assertThat(run.output()).isEqualTo(run("local", plainOnly).output());
    }

    @Test
    void staticsAreNewForEveryChunk() throws Exception {
        FinishedJob.Setup sums = mapper(OddMappers.StaticSums.class);
        FinishedJob first = run("inc-local", sums);
        FinishedJob again = run("inc-local", sums);
        FinishedJob.Setup forgetting = job -> {
            sums.apply(job);
            job.getConfiguration().setBoolean("forget", true);
        };

        assertThat(first.output()).isEqualTo(run("local", forgetting).output());
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(first.output());
    }

    @Test
    void aLocalFileReadInAnotherThreadIsADependency() throws Exception {
        java.nio.file.Path side = folder.toPath().resolve("side.txt");
        Files.writeString(side, " one");
        FinishedJob.Setup reader = job -> {
            job.setMapperClass(OddMappers.LocalReader.class);
            job.getConfiguration().set("side", side.toString());
        };
        run("inc-local", reader);

        FinishedJob again = run("inc-local", reader);
        Files.writeString(side, " two");
        FinishedJob changed = run("inc-local", reader);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(changed.output().toString()).contains(" two").doesNotContain(" one");
    }

    @Test
    void aMapperThatStartsAProcessRunsPlainly() throws Exception {
        FinishedJob run = run("inc-local", mapper(OddMappers.ProcessReader.class));

        assertThat(run.ranPlainly()).isTrue();
        assertThat(run.output()).isEqualTo(wordLines());
    }

    private Map<String, String> wordLines() throws Exception {
        return run("local", mapper(OddMappers.ProcessReader.class)).output();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapreduce.task.timeout"})
    void aKeyThatDoesNotCountIsADependencyOnceItIsRead(String key) throws Exception {
        FinishedJob.Setup reader = mapper(OddMappers.OptionReader.class);
        run("inc-local", with(reader, key, "600000"));

        FinishedJob again = run("inc-local", with(reader, key, "600000"));
        FinishedJob changed = run("inc-local", with(reader, key, "700000"));

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(changed.output().toString()).contains("700000").doesNotContain("600000");
    }

    private static FinishedJob.Setup with(FinishedJob.Setup setup, String key, String value) {
        return job -> {
            setup.apply(job);
            job.getConfiguration().set(key, value);
        };
    }
}
