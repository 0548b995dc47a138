// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Gets each chunk with all groups that have it, and writes what it counted at its end. */
public final class SharingReducer extends Reducer<BytesWritable, LongWritable, NullWritable, BytesWritable> {

    private Sharing sharing = new Sharing(1);

    @Override
    protected void setup(Context context) {
        sharing = new Sharing(ChunkSampler.groups(context.getConfiguration()));
    }

    @Override
    protected void reduce(BytesWritable digest, Iterable<LongWritable> places, Context context) {
        long[] times = new long[sharing.groups()];
        int length = 0;
        for (LongWritable place : places) {
            length = ChunkSampler.length(place.get());
            times[ChunkSampler.group(place.get())]++;
        }
        sharing.addDifferent(length, times);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        context.write(NullWritable.get(), TaskRecords.of(sharing::write));
    }
}
