// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.plan.ReusePlan;
import io.shredder.incoop.task.PlainRunNeededException;
import io.shredder.incoop.task.TaskMemos;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.jspecify.annotations.Nullable;

/**
 * The reduce side of an incremental job. While maps may still run, {@link PartitionInput} brings what earlier runs have
 * kept. Then Hadoop's own shuffle runs. The ordinary outputs of maps of chunks are empty. But once the shuffle is done,
 * every map has succeeded, so every memo file of the plan is published, and what the reduce task needs of them is
 * brought, too. The shuffle itself brings the output of splits that were mapped as in a plain run.
 */
public final class IncrementalShuffle<K, V> extends Shuffle<K, V> {

    private static final Set<IncrementalShuffle<?, ?>> OPEN = ConcurrentHashMap.newKeySet();

    private ShuffleConsumerPlugin.@Nullable Context<K, V> task;
    private @Nullable PartitionInput<K, V> input;
    private @Nullable ReduceWatch watch;

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public void init(ShuffleConsumerPlugin.Context context) {
        task = context;
        OPEN.add(this);
        watch = ReduceWatch.begin(context.getJobConf());
        super.init(context);
    }

    @Override
    public RawKeyValueIterator run() throws IOException, InterruptedException {
        if (task == null) {
            throw new IllegalStateException("run before init");
        }
        try {
            return input(task);
        } catch (PlainRunNeededException e) {
            end();
            TaskMemos.leaveWord(
                    MemoStore.ofJob(task.getJobConf()),
                    task.getReduceId().getJobID().toString(),
                    e);
            throw PlainRunNeededException.refusal(String.valueOf(e.getMessage()));
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            end();
            throw e;
        }
    }

    private RawKeyValueIterator input(ShuffleConsumerPlugin.Context<K, V> task)
            throws IOException, InterruptedException {
        ReusePlan plan = readPlan(task.getJobConf());
        input = new PartitionInput<>(task, plan);
        input.bringKept();
        RawKeyValueIterator ordinary = super.run();
        if (plan.plainFiles() == 0 && ordinary.next()) {
            throw new IOException("maps of chunks have ordinary output: a bug");
        }
        return input.open(ordinary);
    }

    private static ReusePlan readPlan(JobConf conf) throws IOException {
        Path file = new Path(conf.get(IncoopKeys.PLAN_FILE));
        try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
            return ReusePlan.decode(IOUtils.readFullyToByteArray(in), file.toString());
        }
    }

    /** Called when the reducer has run and before its part file is committed. */
    @Override
    public void close() {
        boolean refused = true;
        try {
            if (watch != null) {
                refuseIfOtherThanPlainly(watch);
            }
            refused = false;
        } finally {
            if (!refused && input != null) {
                input.close();
            }
            end();
        }
        super.close();
    }

    /** Hadoop does not close the shuffle of a task whose reducer has failed. In the client's process others follow. */
    public static void endThoseOf(JobID job) {
        for (IncrementalShuffle<?, ?> shuffle : List.copyOf(OPEN)) {
            if (shuffle.task != null
                    && shuffle.task.getReduceId().getJobID().toString().equals(job.toString())) {
                shuffle.end();
            }
        }
    }

    private void end() {
        OPEN.remove(this);
        if (watch != null) {
            watch.close();
        }
        if (input != null) {
            input.abandon();
        }
    }

    private void refuseIfOtherThanPlainly(ReduceWatch seen) {
        Optional<String> reason = seen.plainReason();
        if (reason.isPresent() && task != null) {
            TaskMemos.noteFailure(
                    task.getJobConf(), task.getReduceId().getJobID().toString(), reason.get());
            throw new IllegalStateException("incoop: the job has to run plainly: " + reason.get());
        }
    }
}
