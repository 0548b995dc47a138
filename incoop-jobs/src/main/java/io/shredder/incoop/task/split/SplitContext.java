// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.split;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.MapContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** What reader and mapper of one of a job's own splits see of their task: all of it but for its number. */
public final class SplitContext<K1, V1, K2, V2> extends MapContextImpl<K1, V1, K2, V2> {

    private final SplitWatch watch;

    /** @param task the real one, or what stands in its place */
    public SplitContext(MapContext<K1, V1, K2, V2> task, SplitWatch watch) {
        super(
                watch.conf(),
                task.getTaskAttemptID(),
                new TasksReader<>(task),
                new TasksWriter<>(task),
                task.getOutputCommitter(),
                new TasksReporter(task, watch),
                watch.seen(task.getInputSplit()));
        this.watch = watch;
    }

    @Override
    public TaskAttemptID getTaskAttemptID() {
        watch.askedForTask("task's id");
        return super.getTaskAttemptID();
    }

    @Override
    public OutputCommitter getOutputCommitter() {
        watch.askedForTask("task's output committer");
        return super.getOutputCommitter();
    }

    /** What the reader sees before there is a mapper. */
    public static TaskAttemptContext ofReader(TaskAttemptContext task, SplitWatch watch) {
        return new OfReader(watch.conf(), task, watch);
    }

    /** What the job's own output format sees, which names the part file by it. */
    public static TaskAttemptContext ofWriter(TaskAttemptContext task, SplitWatch watch, TaskAttemptID named) {
        return new TaskAttemptContextImpl(watch.conf(), named, new TasksReporter(task, watch));
    }

    private static final class OfReader extends TaskAttemptContextImpl {

        private final SplitWatch watch;

        OfReader(Configuration conf, TaskAttemptContext task, SplitWatch watch) {
            super(conf, task.getTaskAttemptID(), new TasksReporter(task, watch));
            this.watch = watch;
        }

        @Override
        public TaskAttemptID getTaskAttemptID() {
            watch.askedForTask("task's id");
            return super.getTaskAttemptID();
        }
    }

    private static final class TasksReader<K, V> extends RecordReader<K, V> {

        private final MapContext<K, V, ?, ?> task;

        TasksReader(MapContext<K, V, ?, ?> task) {
            this.task = task;
        }

        @Override
        public void initialize(org.apache.hadoop.mapreduce.InputSplit split, TaskAttemptContext context) {
            // The task has done so.
        }

        @Override
        public boolean nextKeyValue() throws IOException, InterruptedException {
            return task.nextKeyValue();
        }

        @Override
        public K getCurrentKey() throws IOException, InterruptedException {
            return task.getCurrentKey();
        }

        @Override
        public V getCurrentValue() throws IOException, InterruptedException {
            return task.getCurrentValue();
        }

        @Override
        public float getProgress() {
            return task.getProgress();
        }

        @Override
        public void close() {}
    }

    private static final class TasksWriter<K, V> extends RecordWriter<K, V> {

        private final MapContext<?, ?, K, V> task;

        TasksWriter(MapContext<?, ?, K, V> task) {
            this.task = task;
        }

        @Override
        public void write(K key, V value) throws IOException, InterruptedException {
            task.write(key, value);
        }

        @Override
        public void close(TaskAttemptContext context) {}
    }

    private static final class TasksReporter extends StatusReporter {

        private final TaskAttemptContext task;
        private final SplitWatch watch;

        TasksReporter(TaskAttemptContext task, SplitWatch watch) {
            this.task = task;
            this.watch = watch;
        }

        @Override
        public Counter getCounter(Enum<?> name) {
            Counter counter = task.getCounter(name);
            watch.world().ifPresent(world -> world.counters()
                    .note(name.getDeclaringClass().getName(), name.name(), counter));
            return counter;
        }

        @Override
        public Counter getCounter(String group, String name) {
            Counter counter = task.getCounter(group, name);
            watch.world().ifPresent(world -> world.counters().note(group, name, counter));
            return counter;
        }

        @Override
        public void progress() {
            task.progress();
        }

        @Override
        public float getProgress() {
            return task.getProgress();
        }

        @Override
        public void setStatus(String status) {
            task.setStatus(status);
        }
    }
}
