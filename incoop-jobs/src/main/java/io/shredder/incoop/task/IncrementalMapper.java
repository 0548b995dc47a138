// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.plan.InputChunk;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Stands in for the job's mapper: {@link ChunkGroupMap} does its work. It writes nothing to its own output, which stays empty and
 * tells the reduce tasks only that the map is done.
 */
public final class IncrementalMapper extends Mapper<InputChunk, NullWritable, Object, Object> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
        ChunkGroupSplit split = (ChunkGroupSplit) context.getInputSplit();
        new ChunkGroupMap(context.getConfiguration(), split, new ContextView(context))
                .run(() -> context.nextKeyValue() ? context.getCurrentKey() : null);
    }

    private record ContextView(Context context) implements ChunkGroupMap.TaskView {

        @Override
        public TaskAttemptID attempt() {
            return TaskAttemptID.downgrade(context.getTaskAttemptID());
        }

        @Override
        public Counter counter(String group, String name) {
            return context.getCounter(group, name);
        }

        @Override
        public void setStatus(String status) {
            context.setStatus(status);
        }

        @Override
        public void progress() {
            context.progress();
        }
    }
}
