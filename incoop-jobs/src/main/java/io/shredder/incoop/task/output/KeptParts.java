// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.plan.MapOnlyPlan.KeptPart;
import io.shredder.incoop.task.IncoopCounter;
import io.shredder.incoop.task.MemoReaders;
import io.shredder.incoop.task.TaskMemos;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Part files that a task of a job without reducers brings from the memo store. Hadoop makes the task's reader, writer
 * and mapper, which meet in its configuration object. Used by the task's thread; finding one is safe for several.
 */
public final class KeptParts {

    /** By identity: a configuration is equal to itself only. */
    private static final Map<Configuration, KeptParts> BY_TASK = Collections.synchronizedMap(new WeakHashMap<>());

    private final KeptPartsSplit split;
    /** What the parts' maps have counted, by names. */
    private final Map<CounterValue, Long> counters = new LinkedHashMap<>();

    private long memoBytes;

    /** Where the part file of a split goes, whose number in a plain run is this one. */
    interface Place {
        public Path of(int number, String extension) throws IOException;
    }

    /** A counter of the task. */
    public interface CounterOf {
        public Counter of(String group, String name);
    }

    private KeptParts(KeptPartsSplit split) {
        this.split = split;
    }

    /** To be called by the task's reader. */
    public static void carry(Configuration task, KeptPartsSplit split) {
        BY_TASK.put(task, new KeptParts(split));
    }

    /** Those of a task; empty if it maps. */
    public static Optional<KeptParts> of(Configuration task) {
        return Optional.ofNullable(BY_TASK.get(task));
    }

    /**
     * Lays all part files into the attempt's folder, each checked on the way.
     *
     * @throws IOException if one can't be had; then the job has to run plainly, and the next one tries none of those
     *     that can't be had
     */
    void bring(Configuration task, Place place, Progressable alive) throws IOException {
        String extension = extension(task);
        try (MemoReaders memos = new MemoReaders(TaskMemos.open(task, new Path(split.memoRoot()), split.identity()))) {
            IOException lost = null;
            for (KeptPart part : split.parts()) {
                Path file = place.of(part.number(), extension);
                try (OutputStream out = file.getFileSystem(task).create(file, false)) {
                    lost = bring(memos, part, out, alive).orElse(lost);
                }
                alive.progress();
            }
            if (lost != null) {
                throw lost(task, lost);
            }
            memoBytes = memos.bytesRead();
        }
    }

    /** Gives what is wrong with it in the store, if it can't be had. */
    private Optional<IOException> bring(MemoReaders memos, KeptPart part, OutputStream out, Progressable alive)
            throws IOException {
        try {
            MemoEntry entry = memos.entry(MemoKind.PARTS, part.ref(), part.key(), 1);
            memos.copy(part.ref(), entry.segments().get(0), out, alive);
            entry.counters().forEach(this::add);
            return Optional.empty();
        } catch (IOException e) {
            memos.giveUp(part.ref(), e);
            return Optional.of(e);
        }
    }

    private void add(CounterValue counter) {
        counters.merge(new CounterValue(counter.group(), counter.name(), 0), counter.value(), Long::sum);
    }

    private static IOException lost(Configuration task, IOException cause) {
        String reason = "a part file that was kept can't be used: " + cause.getMessage();
        TaskMemos.noteFailure(task, task.get(MRJobConfig.ID, ""), reason);
        return new IOException("incoop: the job has to run plainly: " + reason, cause);
    }

    /** As the job's own output format names its files. */
    private static String extension(Configuration task) {
        if (!MapOnly.writesText(task) || !task.getBoolean(FileOutputFormat.COMPRESS, false)) {
            return "";
        }
        Class<? extends CompressionCodec> codec =
                task.getClass(FileOutputFormat.COMPRESS_CODEC, GzipCodec.class, CompressionCodec.class);
        return ReflectionUtils.newInstance(codec, task).getDefaultExtension();
    }

    /** Counts what the maps counted that have given the part files. */
    public void count(CounterOf task) {
        // The task's own split is no split of a plain run.
        Counter bytes = task.of(TaskCounter.class.getName(), TaskCounter.SPLIT_RAW_BYTES.name());
        int plain = split.parts().stream().mapToInt(KeptPart::splitBytes).sum();
        bytes.increment(plain - bytes.getValue());
        counters.forEach(
                (counter, value) -> task.of(counter.group(), counter.name()).increment(value));
        SplitPart.publish(
                counters.size(),
                Map.of(
                        IncoopCounter.SPLITS_TOTAL, (long) split.parts().size(),
                        IncoopCounter.PARTS_REUSED, (long) split.parts().size(),
                        IncoopCounter.MEMO_BYTES_READ, memoBytes),
                task);
    }
}
