// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.config.ReduceSide;
import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.task.NotedCounters;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.ReduceContext;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;

/**
 * What the job's reducer sees of its task: all of it, but asking for what other runs do not share is noticed, and what
 * it counts is noted.
 */
final class ReduceContextView extends WrappedReducer<Object, Object, Object, Object>.Context {

    private static final List<TaskCounter> FRAMEWORKS_COUNTERS = List.of(
            TaskCounter.REDUCE_INPUT_GROUPS, TaskCounter.REDUCE_INPUT_RECORDS, TaskCounter.REDUCE_OUTPUT_RECORDS);

    private final JobConf conf;
    private final PositionWatch watch;
    private final NotedCounters noted = new NotedCounters();

    ReduceContextView(
            WrappedReducer<Object, Object, Object, Object> outer,
            ReduceContext<Object, Object, Object, Object> task,
            JobConf conf,
            PositionWatch watch) {
        outer.super(task);
        this.conf = conf;
        this.watch = watch;
        for (TaskCounter counter : FRAMEWORKS_COUNTERS) {
            noted.note(TaskCounter.class.getName(), counter.name(), task.getCounter(counter));
        }
    }

    /** What the reducer and the framework around it have counted; zeros are left out. */
    List<CounterValue> counted() {
        return noted.counted();
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Counter getCounter(Enum name) {
        return noted.note(name.getDeclaringClass().getName(), name.name(), super.getCounter(name));
    }

    @Override
    public Counter getCounter(String group, String name) {
        return noted.note(group, name, super.getCounter(group, name));
    }

    @Override
    public Configuration getConfiguration() {
        return conf;
    }

    @Override
    public TaskAttemptID getTaskAttemptID() {
        watch.asked("it asks for its task's id");
        return super.getTaskAttemptID();
    }

    @Override
    public JobID getJobID() {
        watch.asked("it asks for its job's id");
        return super.getJobID();
    }

    @Override
    public String getJobName() {
        watch.asked("it asks for its job's name");
        return super.getJobName();
    }

    @Override
    public OutputCommitter getOutputCommitter() {
        watch.asked("it asks for its output committer");
        return super.getOutputCommitter();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Class<? extends Reducer<?, ?, ?, ?>> getReducerClass() throws ClassNotFoundException {
        return (Class<? extends Reducer<?, ?, ?, ?>>) ReduceSide.reducerClass(super.getConfiguration());
    }

    @Override
    @SuppressWarnings("unchecked")
    public Class<? extends OutputFormat<?, ?>> getOutputFormatClass() throws ClassNotFoundException {
        return (Class<? extends OutputFormat<?, ?>>) (Class<?>) ReduceSide.outputFormatClass(super.getConfiguration());
    }
}
