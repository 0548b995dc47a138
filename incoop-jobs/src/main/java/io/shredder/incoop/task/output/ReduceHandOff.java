// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.task.Staging;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the shuffle, the reducer and the output format of one reduce task tell each other, all three of which Hadoop
 * makes and which have nothing but the task's configuration object in common. Used by the task's thread; finding one is
 * safe for several.
 */
public final class ReduceHandOff {

    /** By identity: a configuration is equal to itself only. */
    private static final Map<Configuration, ReduceHandOff> BY_TASK = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * A part file of an earlier run, here on the local disk, whole.
     *
     * @param counters what its reduce task counted
     */
    public record KeptPart(Staging staging, Staging.Staged bytes, List<CounterValue> counters) {}

    private final Optional<KeptPart> part;
    private final Optional<Fingerprint> keepUnder;
    private Optional<Completed> completed = Optional.empty();
    private Optional<Path> workFolder = Optional.empty();

    private ReduceHandOff(Optional<KeptPart> part, Optional<Fingerprint> keepUnder) {
        this.part = part;
        this.keepUnder = keepUnder;
    }

    /** The part file is not to be computed. */
    public static void reuse(Configuration task, KeptPart part) {
        BY_TASK.put(task, new ReduceHandOff(Optional.of(part), Optional.empty()));
    }

    /** The part file is to be computed, and kept under a key if nothing speaks against it. */
    public static void compute(Configuration task, Fingerprint keepUnder) {
        BY_TASK.put(task, new ReduceHandOff(Optional.empty(), Optional.of(keepUnder)));
    }

    public static @Nullable ReduceHandOff find(Configuration task) {
        return BY_TASK.get(task);
    }

    /** How many counters the reducer of a task has used, as far as that was seen. */
    public static int counters(Configuration task) {
        ReduceHandOff handOff = find(task);
        return handOff == null
                ? 0
                : handOff.completed.map(done -> done.counters().size()).orElse(0);
    }

    public Optional<KeptPart> part() {
        return part;
    }

    private record Completed(List<CounterValue> counters, List<Dependency> dependencies) {}

    /** Set by the reducer when it is done and has not asked for what other runs do not share. */
    public void complete(List<CounterValue> counters, List<Dependency> dependencies) {
        completed = Optional.of(new Completed(counters, dependencies));
    }

    /** Set by the output format: the attempt's folder, in which nothing but the part file may lie. */
    void writesTo(Path folder) {
        workFolder = Optional.of(folder);
    }

    /** What there is to keep, once the part file is written; empty if it must not be kept. */
    public Optional<Keepable> keepable() {
        if (keepUnder.isEmpty() || completed.isEmpty() || workFolder.isEmpty()) {
            return Optional.empty();
        }
        Completed done = completed.get();
        return Optional.of(new Keepable(keepUnder.get(), done.counters(), done.dependencies(), workFolder.get()));
    }

    /** A part file that may be kept. */
    public record Keepable(
            Fingerprint key, List<CounterValue> counters, List<Dependency> dependencies, Path workFolder) {}
}
