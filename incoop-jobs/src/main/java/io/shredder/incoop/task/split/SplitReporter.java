// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.split;

import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.Reporter;

/** What an old API's mapper sees of its task without reducers; its counts and its questions to its split are noted. */
public final class SplitReporter implements Reporter {

    private final Reporter task;
    private final SplitWatch watch;
    private final SplitWorld world;

    private SplitReporter(Reporter task, SplitWatch watch, SplitWorld world) {
        this.task = task;
        this.watch = watch;
        this.world = world;
    }

    /** The task's own, if the job has reducers. */
    public static Reporter of(Reporter task, SplitWatch watch) {
        return watch.world()
                .<Reporter>map(world -> new SplitReporter(task, watch, world))
                .orElse(task);
    }

    @Override
    public InputSplit getInputSplit() {
        return watch.seen(task.getInputSplit());
    }

    @Override
    public Counters.Counter getCounter(Enum<?> name) {
        return world.counters().note(name.getDeclaringClass().getName(), name.name(), task.getCounter(name));
    }

    @Override
    public Counters.Counter getCounter(String group, String name) {
        return world.counters().note(group, name, task.getCounter(group, name));
    }

    @Override
    public void incrCounter(Enum<?> name, long amount) {
        getCounter(name).increment(amount);
    }

    @Override
    public void incrCounter(String group, String name, long amount) {
        getCounter(group, name).increment(amount);
    }

    @Override
    public void setStatus(String status) {
        task.setStatus(status);
    }

    @Override
    public float getProgress() {
        return task.getProgress();
    }

    @Override
    public void progress() {
        task.progress();
    }
}
