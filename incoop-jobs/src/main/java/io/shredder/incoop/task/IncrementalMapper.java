// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.plan.InputChunk;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Stands in for the job's mapper: maps each chunk of its group with {@link ChunkRunner} and publishes the outputs as one memo
 * file. It writes nothing to its own output, which stays empty and tells the reduce tasks only that the map is done. A failed,
 * killed or second attempt changes nothing: the file appears whole, under the group's name, once.
 */
public final class IncrementalMapper extends Mapper<InputChunk, NullWritable, Object, Object> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
        ChunkGroupSplit split = (ChunkGroupSplit) context.getInputSplit();
        MemoStore store = new MemoStore(context.getConfiguration(), new Path(split.memoRoot()), split.identity());
        String attempt = context.getTaskAttemptID() + "-" + split.group().memoFile();
        try (ChunkRunner runner = runner(context);
                MemoWriter memo = store.writer(split.group().memoFile(), attempt, context.getNumReduceTasks())) {
            while (context.nextKeyValue()) {
                InputChunk chunk = context.getCurrentKey();
                ChunkOutput output = runner.run(chunk);
                memo.append(chunk.fingerprint(), output.reuse(), output.segments(), output.counters());
                count(context, output);
            }
            memo.publish();
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        }
    }

    private static ChunkRunner runner(Context context) {
        Configuration conf = context.getConfiguration();
        MapOutputFile files = ReflectionUtils.newInstance(
                conf.getClass(MRConfig.TASK_LOCAL_OUTPUT_CLASS, MROutputFiles.class, MapOutputFile.class), conf);
        return new ChunkRunner(
                conf,
                TaskAttemptID.downgrade(context.getTaskAttemptID()),
                files,
                context.getOutputCommitter(),
                context,
                context::setStatus);
    }

    private static void count(Context context, ChunkOutput output) {
        for (CounterValue counter : output.counters()) {
            context.getCounter(counter.group(), counter.name()).increment(counter.value());
        }
        // The framework has counted the chunk itself as a record.
        context.getCounter(TaskCounter.MAP_INPUT_RECORDS).increment(-1);
    }
}
