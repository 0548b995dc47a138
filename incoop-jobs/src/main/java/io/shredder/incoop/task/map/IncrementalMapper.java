// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.config.OwnClasses;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.task.output.KeptParts;
import io.shredder.incoop.task.split.SplitContext;
import io.shredder.incoop.task.split.SplitWatch;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Stands in for the job's mapper: {@link ChunkGroupMap} does its work on chunks. It writes nothing to its own output,
 * which stays empty and tells the reduce tasks only that the map is done. Of a split without chunks the job's own
 * mapper writes there.
 */
public final class IncrementalMapper extends Mapper<InputChunk, NullWritable, Object, Object> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
        Optional<KeptParts> kept = KeptParts.of(context.getConfiguration());
        if (kept.isPresent()) {
            kept.get().count(context::getCounter);
            return;
        }
        if (!(context.getInputSplit() instanceof ChunkGroupSplit split)) {
            mapOwnSplit(context);
            return;
        }
        new ChunkGroupMap(context.getConfiguration(), split, new ContextView(context))
                .run(() -> context.nextKeyValue() ? context.getCurrentKey() : null);
    }

    /** Maps a split that has no chunks, with the job's own reader and mapper, to the task's ordinary output. */
    @SuppressWarnings("unchecked")
    private static void mapOwnSplit(Context context) throws IOException, InterruptedException {
        Configuration task = context.getConfiguration();
        try (SplitWatch watch = SplitWatch.of(task)) {
            watch.run(() -> {
                Mapper<InputChunk, NullWritable, Object, Object> own =
                        (Mapper<InputChunk, NullWritable, Object, Object>)
                                ReflectionUtils.newInstance(OwnClasses.mapper(watch.conf()), watch.conf());
                own.run(new WrappedMapper<InputChunk, NullWritable, Object, Object>()
                        .getMapContext(new SplitContext<>(context, watch)));
                return own;
            });
            watch.mapped();
        }
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
