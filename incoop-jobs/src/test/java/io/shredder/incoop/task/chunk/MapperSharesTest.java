// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.Test;

class MapperSharesTest {

    @Test
    void eachMapperGetsItsNumberOfRecordsAndTheLastOneTheRest() throws Exception {
        assertThat(shares(7, 3, 3)).containsExactly(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7));
        assertThat(shares(6, 3, 3)).containsExactly(List.of(1, 2, 3), List.of(4, 5, 6));
        assertThat(shares(2, 1, 1)).containsExactly(List.of(1), List.of(2));
    }

    @Test
    void whatAMapperLeavesOfItsShareIsNotTheNextOnes() throws Exception {
        assertThat(shares(7, 3, 1)).containsExactly(List.of(1), List.of(4), List.of(7));
        assertThat(shares(6, 3, 0)).containsExactly(List.of(), List.of());
    }

    @Test
    void withoutALimitOneMapperGetsAll() throws Exception {
        assertThat(shares(5, Integer.MAX_VALUE, 9)).containsExactly(List.of(1, 2, 3, 4, 5));
        assertThat(shares(5, Integer.MAX_VALUE, 2)).containsExactly(List.of(1, 2));
    }

    @Test
    void aChunkWithoutRecordsHasOneMapperToo() throws Exception {
        assertThat(shares(0, 3, 3)).containsExactly(List.of());
    }

    /** What mappers get that each take up to so many records. */
    private static List<List<Integer>> shares(int records, int recordsPerMapper, int taken) throws Exception {
        List<List<Integer>> shares = new ArrayList<>();
        try (MapperShares<Integer, Integer> reader = new MapperShares<>(new Numbers(records), recordsPerMapper)) {
            do {
                List<Integer> share = new ArrayList<>();
                while (share.size() < taken && reader.nextKeyValue()) {
                    share.add(reader.getCurrentValue());
                }
                shares.add(share);
            } while (reader.nextShare());
        }
        return shares;
    }

    /** Counts from 1. */
    private static final class Numbers extends RecordReader<Integer, Integer> {

        private final int count;
        private int current;

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {}

        @Override
        public boolean nextKeyValue() {
            return ++current <= count;
        }

        @Override
        public Integer getCurrentKey() {
            return current;
        }

        @Override
        public Integer getCurrentValue() {
            return current;
        }

        @Override
        public float getProgress() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
