// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.chunk.ChunkSortTest;
import io.shredder.incoop.task.chunk.RawRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentQueueTest {

    @TempDir
    Path folder;

    private final JobConf conf = new JobConf(false);

    @BeforeEach
    void configure() {
        RawRecords.configure(conf);
    }

    @InTurn(days = 3)
    @Test
    void givesAllRecordsInOrderAndEqualOnesInThatOfTheirSegments() throws Exception {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int keys = 1 + random.nextInt(300);
            List<List<RawRecords.Pair>> segments = new ArrayList<>();
            List<RawRecords.Pair> all = new ArrayList<>();
            for (int segment = 0; segment < seed; segment++) {
                List<RawRecords.Pair> pairs = new ArrayList<>();
                for (int i = random.nextInt(100); i > 0; i--) {
                    pairs.add(new RawRecords.Pair(Integer.toString(random.nextInt(keys), 36), segment));
                }
                pairs.sort(Comparator.comparing(RawRecords.Pair::key));
                segments.add(pairs);
                all.addAll(pairs);
            }
            all.sort(Comparator.comparing(RawRecords.Pair::key).thenComparing(RawRecords.Pair::value));
            assertThat(read(segments, new Text.Comparator()))
                    .as("seed %d", seed)
                    .isEqualTo(all);
            assertThat(read(segments, new Unknown())).as("seed %d", seed).isEqualTo(all);
        }
    }

    @Test
    void aComparatorThatContradictsItselfLosesNothing() throws Exception {
        List<List<RawRecords.Pair>> segments = new ArrayList<>();
        for (int segment = 0; segment < 9; segment++) {
            segments.add(List.of(new RawRecords.Pair("a", segment), new RawRecords.Pair("b", segment)));
        }
        assertThat(read(segments, new ChunkSortTest.Contradictory())).hasSize(18);
    }

    private List<RawRecords.Pair> read(List<List<RawRecords.Pair>> segments, RawComparator<?> order)
            throws IOException, InterruptedException {
        List<IFile.Reader<Text, LongWritable>> readers = new ArrayList<>();
        for (List<RawRecords.Pair> pairs : segments) {
            Staging.Staged written = RawRecords.write(conf, folder, null, writer -> {
                for (RawRecords.Pair pair : pairs) {
                    writer.append(new Text(pair.key()), new LongWritable(pair.value()));
                }
            });
            readers.add(new StagedReader<>(conf, RawRecords.local(conf), written, null, null));
        }
        var queue = new SegmentQueue<>(readers, order);
        List<RawRecords.Pair> read = new ArrayList<>();
        while (queue.next()) {
            Text key = new Text();
            key.readFields(queue.getKey());
            read.add(new RawRecords.Pair(key.toString(), queue.getValue().readLong()));
        }
        assertThat(queue.next()).isFalse();
        assertThat(queue.getProgress().get()).isEqualTo(segments.isEmpty() ? 0 : 1);
        queue.close();
        return read;
    }

    /** The order of texts, of a class of its own. */
    static final class Unknown extends Text.Comparator {}
}
