// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.junit.jupiter.api.Test;

/** Whatever the input or the map: the result is that of a plain run, or the job is one. */
@InTurn(days = 2)
class ExactOrPlainLocalIT extends LocalJobs {

    @Test
    void aMapperThatReadsItsKeysIsRightAndNeverReused() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(9), 2000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob.Setup keys = job -> job.setMapperClass(TestMappers.KeyReader.class);
        run("inc-local", keys);
        lines.add(0, "moves everything");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob moved = run("inc-local", keys);

        assertThat(moved.ranPlainly()).isTrue();
        assertThat(moved.output()).isEqualTo(run("local", keys).output());
    }

    @Test
    void aMapperThatReadsItsKeysIsRightInItsFirstRun() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(10), 2000)));
        FinishedJob.Setup keys = job -> job.setMapperClass(TestMappers.KeyReader.class);

        FinishedJob first = run("inc-local", keys);

        assertThat(first.ranPlainly()).isFalse();
        assertThat(first.output()).isEqualTo(run("local", keys).output());
    }

    @Test
    void theIdentityMapperPassesOffsetsOn() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(11), 1500)));
        FinishedJob.Setup identity = job -> {
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
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(12), 1500)));
        FinishedJob.Setup keyValue = job -> {
            job.setInputFormatClass(KeyValueTextInputFormat.class);
            job.setMapperClass(TestMappers.KeyCount.class);
        };
        run("inc-local", keyValue);

        FinishedJob again = run("inc-local", keyValue);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(run("local", keyValue).output());
    }

    @Test
    void aDelimiterOfItsOwnIsServedToo() throws Exception {
        byte[] data = new String(EditedTexts.bytes(EditedTexts.lines(new Random(13), 1500)), StandardCharsets.UTF_8)
                .replace("\n", "#;")
                .getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, data, "text:233b", "#;".getBytes(StandardCharsets.UTF_8));
        FinishedJob.Setup delimiter = job -> job.getConfiguration().set("textinputformat.record.delimiter", "#;");

        FinishedJob cold = run("inc-local", delimiter);

        assertThat(cold.chunks(IncoopCounter.CHUNKS_COMPUTED)).isPositive();
        assertThat(cold.output()).isEqualTo(run("local", delimiter).output());
    }

    @Test
    void aByteOrderMarkIsDroppedAtTheStartOfAFileOnly() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(14), 2000);
        for (int i = 0; i < lines.size(); i++) {
            lines.set(i, "\uFEFF" + lines.get(i));
        }
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        assertThat(wordCount("inc-local").output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aFileWithoutAManifestRunsPlainly() throws Exception {
        try (FSDataOutputStream out = fs.create(input)) {
            out.write(EditedTexts.bytes(EditedTexts.lines(new Random(16), 500)));
        }

        FinishedJob plain = wordCount("inc-local");

        assertThat(plain.ranPlainly()).isTrue();
        assertThat(plain.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aStaleManifestIsFoundOut() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(17), 500)));
        try (FSDataOutputStream out = fs.append(input)) {
            out.write("appended line\n".getBytes(StandardCharsets.UTF_8));
        }

        FinishedJob plain = wordCount("inc-local");

        assertThat(plain.ranPlainly()).isTrue();
        assertThat(plain.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aManifestThatLiesMakesTheRunPlain() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(18), 1500);
        byte[] promised = EditedTexts.bytes(lines);
        lines.set(700, lines.get(700).replace('w', 'v'));
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Uploads.writeManifest(
                fs, input, Uploads.manifest(promised, "text", "\n".getBytes()).withFileId(Uploads.fileId(fs, input)));

        FinishedJob first = wordCount("inc-local");
        FinishedJob second = wordCount("inc-local");

        assertThat(first.output()).isEqualTo(wordCount("local").output());
        assertThat(first.ranPlainly()).isTrue();
        assertThat(second.output()).isEqualTo(first.output());
    }

    @Test
    void aFileThatIsReplacedWhileTheJobRunsIsReadAsItIsNow() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(82), 300);
        lines.add(0, "interrupt");
        Uploads.upload(fs, new Path("/in/first"), EditedTexts.bytes(lines));
        Path second = new Path("/in/second");
        Uploads.upload(fs, second, EditedTexts.bytes(EditedTexts.lines(new Random(83), 1500)));
        FinishedJob.Setup interrupted = job -> job.setMapperClass(TestMappers.InterruptedMapper.class);
        byte[] other = EditedTexts.bytes(EditedTexts.lines(new Random(84), 1600));
        TestMappers.InterruptedMapper.interruptWith(
                () -> CompletableFuture.runAsync(() -> upload(second, other)).join());

        FinishedJob run = run("inc-local", interrupted);

        TestMappers.InterruptedMapper.interruptWith(() -> {});
        assertThat(run.output()).isEqualTo(run("local", interrupted).output());
    }

    private static void upload(Path file, byte[] data) {
        try {
            Uploads.upload(fs, file, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aMapperThatAsksForItsSplitIsRightAndNeverReused() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(22), 1000)));
        FinishedJob.Setup names = job -> job.setMapperClass(TestMappers.FileNameMapper.class);
        FinishedJob first = run("inc-local", names);
        fs.rename(input, new Path("/in/renamed"));
        fs.delete(Uploads.sideFile(input), false);
        Uploads.upload(fs, new Path("/in/renamed"), EditedTexts.bytes(EditedTexts.lines(new Random(22), 1000)));

        FinishedJob renamed = run("inc-local", names);

        assertThat(first.output().toString()).contains("text");
        assertThat(renamed.ranPlainly()).isTrue();
        assertThat(renamed.output().toString()).contains("renamed").doesNotContain("text");
    }

    @Test
    void aMapperThatOpensFilesByItselfIsReusedUntilTheyChange() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(26), 500)));
        FinishedJob.Setup side = job -> job.setMapperClass(TestMappers.SideReader.class);
        writeSide(" one");
        run("inc-local", side);

        FinishedJob again = run("inc-local", side);
        writeSide(" two");
        FinishedJob changed = run("inc-local", side);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output().toString()).contains(" one");
        assertThat(changed.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(changed.output().toString()).contains(" two").doesNotContain(" one");
    }

    @Test
    void aReducerThatOpensFilesByItselfAlwaysRuns() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(29), 500)));
        FinishedJob.Setup side = job -> job.setReducerClass(TestMappers.SideReducer.class);
        writeSide("1");
        FinishedJob first = run("inc-local", side);
        writeSide("four");

        FinishedJob changed = run("inc-local", side);

        assertThat(changed.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(changed.output())
                .isNotEqualTo(first.output())
                .isEqualTo(run("local", side).output());
    }

    @Test
    void aMapperThatCopiesItsConfigurationIsNeverReused() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(27), 300)));
        FinishedJob.Setup copier = job -> job.setMapperClass(TestMappers.ConfCopier.class);
        run("inc-local", copier);

        assertThat(run("inc-local", copier).ranPlainly()).isTrue();
    }

    private static void writeSide(String suffix) throws IOException {
        try (FSDataOutputStream out = fs.create(TestMappers.SideReader.SIDE)) {
            out.writeUTF(suffix);
        }
    }

    @Test
    void aFileNamedTwiceCountsTwice() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(23), 500)));
        FinishedJob.Setup twice = job -> addInput(job, input);

        assertThat(run("inc-local", twice).output())
                .isEqualTo(run("local", twice).output());
    }

    @Test
    void anEmptyFileGivesEmptyParts() throws Exception {
        Uploads.upload(fs, input, new byte[0]);

        assertThat(wordCount("inc-local").output()).isEqualTo(wordCount("local").output());
    }

    private static void addInput(Job job, Path path) {
        try {
            FileInputFormat.addInputPath(job, path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
