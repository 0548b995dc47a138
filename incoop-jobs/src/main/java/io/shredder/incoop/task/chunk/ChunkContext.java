// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.task.WatchedConf;
import io.shredder.incoop.world.Sightings;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.MapContextImpl;

/** What a chunk's mapper sees of its task, noticing when it asks where it is. */
final class ChunkContext<K1, V1, K2, V2> extends MapContextImpl<K1, V1, K2, V2> {

    private final PositionWatch watch;
    private final Sightings sightings;

    ChunkContext(
            WatchedConf conf,
            ChunkTask task,
            RecordReader<K1, V1> reader,
            RecordWriter<K2, V2> writer,
            InputSplit split,
            PositionWatch watch,
            Sightings sightings) {
        super(conf, task.getTaskID(), reader, writer, null, task.reporter(), split);
        this.watch = watch;
        this.sightings = sightings;
    }

    @Override
    public TaskAttemptID getTaskAttemptID() {
        sightings.onlyPlain("it asks for its task's id, and a chunk has no task");
        return super.getTaskAttemptID();
    }

    @Override
    public JobID getJobID() {
        watch.asked("it asks for its job's id");
        return super.getJobID();
    }

    @Override
    public OutputCommitter getOutputCommitter() {
        sightings.onlyPlain("it asks for its task's output committer, and a chunk has no task");
        return super.getOutputCommitter();
    }
}
