// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.format.ForwardingReader;
import java.io.IOException;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.RecordReader;

/** Counts the records that a mapper takes. */
final class CountedReader<K, V> extends ForwardingReader<K, V> {

    private final Counter taken;

    CountedReader(RecordReader<K, V> records, Counter taken) {
        super(records);
        this.taken = taken;
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        boolean more = super.nextKeyValue();
        if (more) {
            taken.increment(1);
        }
        return more;
    }
}
