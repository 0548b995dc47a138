// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.incoop.task.chunk.RawRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparingCombinerTest {

    @TempDir
    Path folder;

    private final JobConf conf = new JobConf(false);

    @BeforeEach
    void configure() {
        RawRecords.configure(conf);
        Seen.KEYS.clear();
    }

    @Test
    void sumsAreThoseOfACombinerThatSeesEverything() throws Exception {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int keys = 1 + random.nextInt(seed % 2 == 0 ? 10 : 3_000);
            List<RawRecords.Pair> pairs = new ArrayList<>();
            Map<String, Long> sums = new TreeMap<>();
            for (int i = random.nextInt(3_000); i > 0; i--) {
                String key = String.format(Locale.ROOT, "%06d", random.nextInt(keys));
                pairs.add(new RawRecords.Pair(key, i));
                sums.merge(key, (long) i, Long::sum);
            }
            assertThat(combined(LongSumReducer.class, pairs))
                    .as("seed %d", seed)
                    .isEqualTo(sums.entrySet().stream()
                            .map(sum -> new RawRecords.Pair(sum.getKey(), sum.getValue()))
                            .toList());
        }
    }

    @Test
    void littleIsHeldOfVeryManyRecordsThatAreAlone() throws Exception {
        List<RawRecords.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            pairs.add(new RawRecords.Pair(String.format(Locale.ROOT, "%08d", i), i));
        }
        assertThat(combined(LongSumReducer.class, pairs)).isEqualTo(pairs);
        assertThat(combined(Seen.class, pairs)).isEqualTo(pairs);
        assertThat(Seen.KEYS.size()).isBetween(1, 20_000);
    }

    @Test
    void theCombinerSeesOnlyKeysThatSeveralRecordsHave() throws Exception {
        List<RawRecords.Pair> pairs = List.of(
                new RawRecords.Pair("a", 1),
                new RawRecords.Pair("b", 2),
                new RawRecords.Pair("b", 3),
                new RawRecords.Pair("c", 4),
                new RawRecords.Pair("d", 5),
                new RawRecords.Pair("d", 6));
        assertThat(combined(Seen.class, pairs)).isEqualTo(pairs);
        assertThat(Seen.KEYS).containsExactlyInAnyOrder("b", "d");
    }

    @Test
    void aCombinerThatWritesOtherKeysIsSeen() {
        List<RawRecords.Pair> pairs =
                List.of(new RawRecords.Pair("a", 1), new RawRecords.Pair("a", 2), new RawRecords.Pair("b", 3));
        assertThatThrownBy(() -> combined(Renaming.class, pairs))
                .isInstanceOf(SparingCombiner.OutOfOrderException.class);
        assertThatThrownBy(() -> combined(RenamingInSilence.class, pairs))
                .isInstanceOf(SparingCombiner.OutOfOrderException.class);
        assertThatThrownBy(() -> combined(RenamingAloud.class, pairs))
                .isInstanceOf(SparingCombiner.OutOfOrderException.class);
    }

    @Test
    void aCombinerThatMayWriteWhenAllKeysAreSeenIsNotOneForThis() throws Exception {
        assertThat(isFor(LongSumReducer.class)).isTrue();
        assertThat(isFor(WritingAtTheEnd.class)).isFalse();
        assertThat(isFor(OfItsOwnMind.class)).isFalse();
        conf.setCombinerClass(OldCombiner.class);
        assertThat(isFor(LongSumReducer.class)).isFalse();
    }

    private boolean isFor(Class<?> combiner) throws ClassNotFoundException {
        return of(combiner).isPresent();
    }

    private Optional<SparingCombiner<Text, LongWritable>> of(Class<?> combiner) throws ClassNotFoundException {
        conf.set(MRJobConfig.COMBINE_CLASS_ATTR, combiner.getName());
        return SparingCombiner.of(conf, new TaskAttemptID(), new TaskAttemptContextImpl.DummyReporter());
    }

    private List<RawRecords.Pair> combined(Class<?> combiner, List<RawRecords.Pair> pairs) throws Exception {
        SparingCombiner<Text, LongWritable> sparing = of(combiner).orElseThrow();
        var segment = RawRecords.write(conf, folder, null, writer -> sparing.combine(RawRecords.sorted(pairs), writer));
        return RawRecords.read(new StagedReader<Text, LongWritable>(conf, RawRecords.local(conf), segment, null, null));
    }

    /** Passes values on and notes keys. */
    public static class Seen extends Reducer<Text, LongWritable, Text, LongWritable> {
        static final Set<String> KEYS = new HashSet<>();

        @Override
        protected void reduce(Text key, Iterable<LongWritable> values, Context context)
                throws IOException, InterruptedException {
            KEYS.add(key.toString());
            for (LongWritable value : values) {
                context.write(key, value);
            }
        }
    }

    /** Its keys are out of order. */
    public static class Renaming extends Reducer<Text, LongWritable, Text, LongWritable> {
        @Override
        protected void reduce(Text key, Iterable<LongWritable> values, Context context)
                throws IOException, InterruptedException {
            context.write(new Text("z"), new LongWritable(1));
            context.write(new Text("y"), new LongWritable(1));
        }
    }

    /** Its keys are out of order, and it hears nothing of it. */
    public static class RenamingInSilence extends Renaming {
        @Override
        protected void reduce(Text key, Iterable<LongWritable> values, Context context) throws InterruptedException {
            try {
                super.reduce(key, values, context);
            } catch (IOException e) {
                context.setStatus("caught");
            }
        }
    }

    /** Its keys are out of order, and it makes another exception of what it hears. */
    public static class RenamingAloud extends Renaming {
        @Override
        protected void reduce(Text key, Iterable<LongWritable> values, Context context) throws InterruptedException {
            try {
                super.reduce(key, values, context);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Writes what it has kept. */
    public static class WritingAtTheEnd extends Reducer<Text, LongWritable, Text, LongWritable> {
        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("end"), new LongWritable(1));
        }
    }

    /** Goes through its input as it likes. */
    public static class OfItsOwnMind extends LongSumReducer<Text> {
        @Override
        public void run(Context context) throws IOException, InterruptedException {
            super.run(context);
        }
    }

    /** Of the old API. */
    public static class OldCombiner extends org.apache.hadoop.mapred.MapReduceBase
            implements org.apache.hadoop.mapred.Reducer<Text, LongWritable, Text, LongWritable> {
        @Override
        public void reduce(
                Text key,
                Iterator<LongWritable> values,
                OutputCollector<Text, LongWritable> output,
                Reporter reporter) {}
    }
}
