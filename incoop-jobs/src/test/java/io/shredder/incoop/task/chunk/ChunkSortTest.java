// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.memo.CounterValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sorting in memory gives is what Hadoop's sort buffer gives. */
public class ChunkSortTest {

    private static final int PARTITIONS = 3;
    private static final TaskAttemptID ATTEMPT = TaskAttemptID.forName("attempt_1_0001_m_000000_0");

    /** Those that do not depend on how often the buffer spilled. */
    private static final List<TaskCounter> COUNTERS = List.of(
            TaskCounter.MAP_OUTPUT_RECORDS,
            TaskCounter.MAP_OUTPUT_BYTES,
            TaskCounter.COMBINE_INPUT_RECORDS,
            TaskCounter.COMBINE_OUTPUT_RECORDS,
            TaskCounter.SPILLED_RECORDS);

    @TempDir
    Path folder;

    private final JobConf conf = new JobConf();

    @BeforeEach
    void configure() {
        RawRecords.configure(conf);
        conf.setNumReduceTasks(PARTITIONS);
        conf.set(MRConfig.LOCAL_DIR, folder.toString());
        conf.setInt(MRJobConfig.IO_SORT_MB, 8);
    }

    /** What a sort has given. */
    private record Sorted(List<List<RawRecords.Pair>> partitions, List<CounterValue> counters) {}

    @InTurn(days = 3)
    @Test
    void givesWhatHadoopGives() throws Exception {
        for (int seed = 0; seed < 24; seed++) {
            if (seed % 2 == 1) {
                conf.setClass(MRJobConfig.COMBINE_CLASS_ATTR, LongSumReducer.class, LongSumReducer.class);
            } else {
                conf.unset(MRJobConfig.COMBINE_CLASS_ATTR);
            }
            conf.setCompressMapOutput(seed % 3 == 0);
            conf.setMapOutputCompressorClass(SnappyCodec.class);
            List<RawRecords.Pair> pairs = pairs(new Random(seed), 20_000);
            assertThat(inMemory(pairs)).as("seed %d", seed).isEqualTo(inHadoop(pairs));
        }
    }

    @Test
    void fewRecordsOrNoneGiveWhatHadoopGives() throws Exception {
        for (boolean combines : new boolean[] {false, true}) {
            if (combines) {
                conf.setClass(MRJobConfig.COMBINE_CLASS_ATTR, LongSumReducer.class, LongSumReducer.class);
            }
            for (int records = 0; records < 3; records++) {
                List<RawRecords.Pair> pairs = pairs(new Random(1), 10).subList(0, records);
                assertThat(inMemory(pairs)).as("%d records", records).isEqualTo(inHadoop(pairs));
            }
        }
    }

    @Test
    void whatDoesNotFitGoesToHadoopsBuffer() throws Exception {
        conf.setInt(MRJobConfig.IO_SORT_MB, 1);
        List<RawRecords.Pair> pairs = pairs(new Random(7), 150_000);
        Sorted hadoop = inHadoop(pairs);
        Sorted memory = inMemory(pairs);
        assertThat(memory.partitions()).isEqualTo(hadoop.partitions());
        assertThat(counter(memory, TaskCounter.MAP_OUTPUT_RECORDS)).isEqualTo(pairs.size());
        assertThat(counter(memory, TaskCounter.MAP_OUTPUT_BYTES))
                .isEqualTo(counter(hadoop, TaskCounter.MAP_OUTPUT_BYTES));
    }

    @Test
    void keysThatDifferAndAreEqualForTheComparatorStandTogether() throws Exception {
        conf.setOutputKeyComparatorClass(IgnoringCase.class);
        List<RawRecords.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            pairs.add(new RawRecords.Pair(i % 2 == 0 ? "Key" + i % 10 / 2 : "kEY" + i % 10 / 2, i));
        }
        for (List<RawRecords.Pair> partition : inMemory(pairs).partitions()) {
            assertThat(partition)
                    .isSortedAccordingTo(Comparator.comparing(pair -> pair.key().toLowerCase(Locale.ROOT)));
        }
        assertThat(inMemory(pairs).partitions().stream().mapToInt(List::size).sum())
                .isEqualTo(1_000);
    }

    @Test
    void aComparatorThatContradictsItselfEndsAsItDoesInHadoop() throws Exception {
        conf.setOutputKeyComparatorClass(Contradictory.class);
        List<RawRecords.Pair> pairs = pairs(new Random(3), 5_000);
        assertThat(inMemory(pairs).partitions().stream().mapToInt(List::size).sum())
                .isEqualTo(pairs.size());
    }

    @Test
    void refusesWhatHadoopRefuses() throws Exception {
        for (ChunkSort<Object, Object> sort : List.of(
                new MemorySort<>(task(), ATTEMPT, new JobConf(conf), 8 << 20),
                new HadoopSort<>(task(), new JobConf(conf)))) {
            assertThatThrownBy(() -> sort.collect(new LongWritable(), new LongWritable(), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Type mismatch in key from map: expected org.apache.hadoop.io.Text, received"
                            + " org.apache.hadoop.io.LongWritable");
            assertThatThrownBy(() -> sort.collect(new Text(), new Text(), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Type mismatch in value from map: expected org.apache.hadoop.io.LongWritable, received"
                            + " org.apache.hadoop.io.Text");
            assertThatThrownBy(() -> sort.collect(new Text("k"), new LongWritable(), PARTITIONS))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Illegal partition for k (3)");
            sort.abandon(new IOException("given up"));
        }
    }

    private ChunkTask task() {
        MROutputFiles files = new MROutputFiles();
        files.setConf(conf);
        return new ChunkTask(ATTEMPT, files, () -> {}, status -> {});
    }

    private Sorted inMemory(List<RawRecords.Pair> pairs) throws Exception {
        ChunkTask task = task();
        return sorted(
                task,
                new MemorySort<>(task, ATTEMPT, new JobConf(conf), (long) conf.getInt(MRJobConfig.IO_SORT_MB, 8) << 20),
                pairs);
    }

    private Sorted inHadoop(List<RawRecords.Pair> pairs) throws Exception {
        ChunkTask task = task();
        return sorted(task, new HadoopSort<>(task, new JobConf(conf)), pairs);
    }

    private Sorted sorted(ChunkTask task, ChunkSort<Text, LongWritable> sort, List<RawRecords.Pair> pairs)
            throws Exception {
        Text key = new Text();
        LongWritable value = new LongWritable();
        for (RawRecords.Pair pair : pairs) {
            key.set(pair.key());
            value.set(pair.value());
            sort.collect(key, value, pair.key().length() % PARTITIONS);
        }
        CompressionCodec codec =
                conf.getCompressMapOutput() ? ReflectionUtils.newInstance(SnappyCodec.class, conf) : null;
        List<List<RawRecords.Pair>> partitions = new ArrayList<>();
        for (byte[] segment : sort.finish()) {
            var in = new FSDataInputStream(new Seekable(segment));
            List<RawRecords.Pair> read =
                    new ArrayList<>(RawRecords.read(new IFile.Reader<>(conf, in, segment.length, codec, null)));
            if (conf.get("mapreduce.job.output.key.comparator.class") == null) {
                assertThat(read).isSortedAccordingTo(Comparator.comparing(RawRecords.Pair::key));
                // In which order a key's values come nobody promises.
                read.sort(Comparator.comparing(RawRecords.Pair::key).thenComparing(RawRecords.Pair::value));
            }
            partitions.add(read);
        }
        List<CounterValue> counters = task.counterValues().stream()
                .filter(counter ->
                        COUNTERS.stream().anyMatch(known -> known.name().equals(counter.name())))
                .sorted(Comparator.comparing(CounterValue::name))
                .toList();
        return new Sorted(partitions, counters);
    }

    private static long counter(Sorted sorted, TaskCounter name) {
        return sorted.counters().stream()
                .filter(counter -> counter.name().equals(name.name()))
                .mapToLong(CounterValue::value)
                .sum();
    }

    private static List<RawRecords.Pair> pairs(Random random, int most) {
        int keys = 1 + random.nextInt(10_000);
        List<RawRecords.Pair> pairs = new ArrayList<>();
        for (int i = most / 2 + random.nextInt(most / 2); i > 0; i--) {
            pairs.add(new RawRecords.Pair(Integer.toString(random.nextInt(keys), 36), random.nextInt(1_000)));
        }
        return pairs;
    }

    private static final class Seekable extends ByteArrayInputStream
            implements org.apache.hadoop.fs.Seekable, org.apache.hadoop.fs.PositionedReadable {
        Seekable(byte[] bytes) {
            super(bytes);
        }

        @Override
        public void seek(long position) {
            pos = (int) position;
        }

        @Override
        public long getPos() {
            return pos;
        }

        @Override
        public boolean seekToNewSource(long target) {
            return false;
        }

        @Override
        public int read(long position, byte[] to, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void readFully(long position, byte[] to, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void readFully(long position, byte[] to) {
            throw new UnsupportedOperationException();
        }
    }

    /** Texts without regard to case. */
    public static class IgnoringCase extends WritableComparator {
        public IgnoringCase() {
            super(Text.class, true);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public int compare(org.apache.hadoop.io.WritableComparable a, org.apache.hadoop.io.WritableComparable b) {
            return a.toString().compareToIgnoreCase(b.toString());
        }
    }

    /** Has no order. */
    public static class Contradictory extends WritableComparator {
        public Contradictory() {
            super(Text.class);
        }

        @Override
        public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
            return (hashBytes(a, aStart, aLength) * 31 ^ hashBytes(b, bStart, bLength)) % 3 - 1;
        }
    }
}
