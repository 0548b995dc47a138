// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.PositionWatch;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.jspecify.annotations.Nullable;

/** What a chunk's mapper sees of its task, noticing when it asks where it is. */
final class ChunkContext<K1, V1, K2, V2> extends MapContextImpl<K1, V1, K2, V2> {

    private final PositionWatch watch;

    ChunkContext(
            WatchedConf conf,
            ChunkTask task,
            RecordReader<K1, V1> reader,
            RecordWriter<K2, V2> writer,
            @Nullable OutputCommitter committer,
            InputSplit split,
            PositionWatch watch) {
        super(conf, task.getTaskID(), reader, writer, committer, task.reporter(), split);
        this.watch = watch;
    }

    @Override
    public InputSplit getInputSplit() {
        watch.asked();
        return super.getInputSplit();
    }

    @Override
    public TaskAttemptID getTaskAttemptID() {
        watch.asked();
        return super.getTaskAttemptID();
    }

    @Override
    public JobID getJobID() {
        watch.asked();
        return super.getJobID();
    }

    @Override
    public OutputCommitter getOutputCommitter() {
        watch.asked();
        return super.getOutputCommitter();
    }
}
