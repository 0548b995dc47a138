// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.chunk.RawRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A merge gives the same whether all fits into memory or not. */
class SegmentMergeTest {

    @TempDir
    Path folder;

    private final JobConf conf = new JobConf(false);

    @BeforeEach
    void configure() {
        RawRecords.configure(conf);
    }

    @Test
    void givesAllRecordsInOrderHoweverLittleMemoryThereIs() throws Exception {
        for (CompressionCodec codec :
                new CompressionCodec[] {null, ReflectionUtils.newInstance(SnappyCodec.class, conf)}) {
            for (int count : new int[] {0, 1, 2, 37}) {
                List<RawRecords.Pair> all = new ArrayList<>();
                List<Staging.Staged> segments = segments(count, codec, all);
                for (long room : new long[] {0, 1 << 10, 1 << 17, 1 << 20, Long.MAX_VALUE}) {
                    assertThat(merged(segments, codec, room))
                            .as("%d segments, room for %d bytes, %s", count, room, codec)
                            .isEqualTo(all);
                }
            }
        }
    }

    private List<Staging.Staged> segments(int count, @Nullable CompressionCodec codec, List<RawRecords.Pair> all)
            throws Exception {
        Random random = new Random(count);
        List<Staging.Staged> segments = new ArrayList<>();
        for (int segment = 0; segment < count; segment++) {
            List<RawRecords.Pair> pairs = new ArrayList<>();
            for (int i = random.nextInt(2_000); i > 0; i--) {
                pairs.add(new RawRecords.Pair(Integer.toString(random.nextInt(5_000), 36), random.nextInt(100)));
            }
            pairs.sort(Comparator.comparing(RawRecords.Pair::key));
            all.addAll(pairs);
            segments.add(RawRecords.write(conf, folder, codec, writer -> {
                for (RawRecords.Pair pair : pairs) {
                    writer.append(new Text(pair.key()), new LongWritable(pair.value()));
                }
            }));
        }
        all.sort(Comparator.comparing(RawRecords.Pair::key).thenComparing(RawRecords.Pair::value));
        return segments;
    }

    private List<RawRecords.Pair> merged(List<Staging.Staged> segments, @Nullable CompressionCodec codec, long room)
            throws Exception {
        var spareFile = new org.apache.hadoop.fs.Path(
                java.nio.file.Files.createTempFile(folder, "spare", "").toUri());
        List<RawRecords.Pair> read = new ArrayList<>();
        try (Staging spare = new Staging(conf, spareFile, () -> {})) {
            RawKeyValueIterator merged =
                    new SegmentMerge<Text, LongWritable>(task(codec), room).merge(segments, List.of(), spare);
            while (merged.next()) {
                Text key = new Text();
                key.readFields(merged.getKey());
                read.add(new RawRecords.Pair(key.toString(), merged.getValue().readLong()));
            }
            merged.close();
        }
        assertThat(read).isSortedAccordingTo(Comparator.comparing(RawRecords.Pair::key));
        read.sort(Comparator.comparing(RawRecords.Pair::key).thenComparing(RawRecords.Pair::value));
        return read;
    }

    private ShuffleConsumerPlugin.Context<Text, LongWritable> task(@Nullable CompressionCodec codec) throws Exception {
        MROutputFiles files = new MROutputFiles();
        files.setConf(conf);
        return new ShuffleConsumerPlugin.Context<>(
                TaskAttemptID.forName("attempt_1_0001_r_000000_0"),
                conf,
                RawRecords.local(conf),
                null,
                new LocalDirAllocator("mapreduce.cluster.local.dir"),
                Reporter.NULL,
                codec,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                files,
                null);
    }
}
