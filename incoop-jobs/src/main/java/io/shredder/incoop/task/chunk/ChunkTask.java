// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.memo.CounterValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.split.JobSplit;
import org.apache.hadoop.util.Progress;
import org.apache.hadoop.util.Progressable;

/**
 * A map task for one chunk within the real task. It has counters and phases of its own, so that the sort and the
 * combiner report what this chunk did and nothing else. It lets the real task know that it is alive.
 */
public final class ChunkTask extends MapTask {

    private final MapOutputFile files;
    private final Counters counters = new Counters();
    private final Progress sortPhase = new Progress();
    private final TaskReporter reporter;

    /**
     * @param attempt the real task's
     * @param files where the chunk's output goes for a moment, on a local disk
     * @param alive the real task
     * @param status the real task's status line
     */
    public ChunkTask(TaskAttemptID attempt, MapOutputFile files, Progressable alive, Consumer<String> status) {
        super("", attempt, attempt.getTaskID().getId(), new JobSplit.TaskSplitIndex(), 1);
        this.files = files;
        this.reporter = new Forwarding(alive, status);
    }

    public TaskReporter reporter() {
        return reporter;
    }

    /** What this chunk has counted so far; zeros are left out. */
    List<CounterValue> counterValues() {
        List<CounterValue> values = new ArrayList<>();
        for (Counters.Group group : counters) {
            for (Counters.Counter counter : group) {
                if (counter.getValue() != 0) {
                    values.add(new CounterValue(group.getName(), counter.getName(), counter.getValue()));
                }
            }
        }
        return values;
    }

    @Override
    public Progress getSortPhase() {
        return sortPhase;
    }

    @Override
    public MapOutputFile getMapOutputFile() {
        return files;
    }

    private final class Forwarding extends TaskReporter {

        private final Progressable alive;
        private final Consumer<String> status;

        Forwarding(Progressable alive, Consumer<String> status) {
            super(new Progress(), null);
            this.alive = alive;
            this.status = status;
        }

        @Override
        public Counters.Counter getCounter(Enum<?> name) {
            return counters.findCounter(name);
        }

        @Override
        public Counters.Counter getCounter(String group, String name) {
            return counters.findCounter(group, name);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public void incrCounter(Enum key, long amount) {
            counters.incrCounter(key, amount);
        }

        @Override
        public void incrCounter(String group, String counter, long amount) {
            counters.incrCounter(group, counter, amount);
        }

        @Override
        public void progress() {
            alive.progress();
        }

        @Override
        public void setStatus(String text) {
            status.accept(text);
        }
    }
}
