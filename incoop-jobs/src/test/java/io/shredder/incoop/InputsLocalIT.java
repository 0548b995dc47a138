// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.format.SubclassFormats;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.junit.jupiter.api.Test;

/** Input formats derived from served ones: the result is that of a plain run, whether they are served or not. */
class InputsLocalIT extends LocalJobs {

    /** Counts lines, and how often it was set up under which delimiter. */
    public static class DelimiterTold extends Mapper<LongWritable, Text, Text, IntWritable> {

        private String delimiter = "";

        @Override
        protected void setup(Context context) {
            delimiter = context.getConfiguration().get("textinputformat.record.delimiter", "none");
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.write(new Text(line + " by " + delimiter), new IntWritable(1));
        }
    }

    /** Tells what its job's configuration says of mapper, input format, reducer and output format. */
    public static class ClassesTold extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            for (String role : new String[] {"map", "inputformat", "reduce", "outputformat"}) {
                String name = context.getConfiguration().get("mapreduce.job." + role + ".class");
                context.write(new Text(role + " is " + name), new IntWritable(1));
            }
        }
    }

    @Test
    void whatTheJobHasNotSetItsMapperFindsUnset() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(44), 500)));
        FinishedJob.Setup told = job -> job.setMapperClass(ClassesTold.class);

        FinishedJob run = run("inc-local", told);

        assertThat(run.ranPlainly()).isFalse();
        assertThat(run.output()).isEqualTo(run("local", told).output());
        assertThat(run.output().toString()).contains("inputformat is null");
    }

    @Test
    void aSubclassThatOverridesNothingIsIncremental() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(41), 1500)));
        FinishedJob.Setup named = job -> job.setInputFormatClass(SubclassFormats.Named.class);
        run("inc-local", named);

        FinishedJob again = run("inc-local", named);

        assertThat(again.ranPlainly()).isFalse();
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(run("local", named).output());
    }

    @Test
    void aSubclassThatSetsItsDelimiterIsIncrementalAndItsMapperSeesThatDelimiter() throws Exception {
        byte[] data = new String(EditedTexts.bytes(EditedTexts.lines(new Random(42), 1500)), StandardCharsets.UTF_8)
                .replace("\n", "#;")
                .getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, data, "text:233b", "#;".getBytes(StandardCharsets.UTF_8));
        FinishedJob.Setup hashes = job -> {
            job.setInputFormatClass(SubclassFormats.ByHashes.class);
            job.setMapperClass(DelimiterTold.class);
        };

        FinishedJob cold = run("inc-local", hashes);
        FinishedJob again = run("inc-local", hashes);

        assertThat(cold.chunks(IncoopCounter.CHUNKS_COMPUTED)).isPositive();
        assertThat(cold.output()).isEqualTo(run("local", hashes).output());
        assertThat(cold.output().toString()).contains(" by #;");
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(cold.output());
    }

    @Test
    void aSubclassThatWantsWholeFilesRunsPlainly() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(43), 1500)));
        FinishedJob.Setup whole = job -> job.setInputFormatClass(SubclassFormats.WholeFiles.class);

        FinishedJob plain = run("inc-local", whole);

        assertThat(plain.ranPlainly()).isTrue();
        assertThat(plain.output()).isEqualTo(run("local", whole).output());
    }
}
