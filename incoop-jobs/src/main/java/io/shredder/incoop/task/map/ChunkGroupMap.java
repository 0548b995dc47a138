// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.task.PlainRunNeededException;
import io.shredder.incoop.task.TaskMemos;
import io.shredder.incoop.task.chunk.ChunkOutput;
import io.shredder.incoop.task.chunk.ChunkRunner;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * What a map task of an incremental job does, whichever API the job uses: maps each chunk of its group with {@link
 * ChunkRunner}, unless {@link KeptOnNode} finds that kept output of it stands here, and publishes the outputs as one
 * memo file. A failed, killed or second attempt changes nothing: the file appears whole, under the group's name, once.
 */
final class ChunkGroupMap {

    private final Configuration conf;
    private final ChunkGroupSplit split;
    private final TaskView task;

    /** The real map task, as both APIs show it. */
    interface TaskView extends Progressable {

        TaskAttemptID attempt();

        Counter counter(String group, String name);

        void setStatus(String status);
    }

    /** The chunks of the group, one by one. */
    interface Chunks {
        @Nullable
        InputChunk next() throws IOException, InterruptedException;
    }

    ChunkGroupMap(Configuration conf, ChunkGroupSplit split, TaskView task) {
        this.conf = conf;
        this.split = split;
        this.task = task;
    }

    /** Maps all chunks, then publishes. */
    void run(Chunks chunks) throws IOException, InterruptedException {
        MemoStore store = TaskMemos.open(conf, new Path(split.memoRoot()), split.identity());
        if (store.refusal().isPresent()) {
            throw PlainRunNeededException.refusal(store.refusal().get());
        }
        String name = split.group().memoFile();
        int partitions = conf.getInt(MRJobConfig.NUM_REDUCES, 1);
        Iterator<List<MemoRef>> kept = split.group().kept().iterator();
        try (ChunkRunner runner = runner();
                KeptOnNode onNode = new KeptOnNode(store, conf, partitions);
                MemoWriter memo = store.writer(MemoKind.LEAVES, name, task.attempt() + "-" + name, partitions)) {
            for (InputChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
                Optional<ChunkOutput> standing = onNode.find(chunk, kept.next());
                ChunkOutput output = standing.isPresent() ? standing.get() : runner.run(chunk);
                memo.append(
                        chunk.fingerprint(),
                        output.reuse(),
                        output.segments(),
                        output.counters(),
                        output.dependencies());
                count(output);
                task.progress();
            }
            memo.publish();
        } catch (PlainRunNeededException e) {
            TaskMemos.leaveWord(store, task.attempt().getJobID().toString(), e);
            throw PlainRunNeededException.refusal(String.valueOf(e.getMessage()));
        } catch (ClassNotFoundException e) {
            TaskMemos.noteFailure(store, task.attempt().getJobID().toString(), e);
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        } catch (IOException | RuntimeException | Error e) {
            TaskMemos.noteFailure(store, task.attempt().getJobID().toString(), e);
            throw e;
        }
    }

    private ChunkRunner runner() {
        MapOutputFile files = ReflectionUtils.newInstance(
                conf.getClass(MRConfig.TASK_LOCAL_OUTPUT_CLASS, MROutputFiles.class, MapOutputFile.class), conf);
        Consumer<String> status = task::setStatus;
        return new ChunkRunner(conf, task.attempt(), files, task, status);
    }

    private void count(ChunkOutput output) {
        for (CounterValue counter : output.counters()) {
            task.counter(counter.group(), counter.name()).increment(counter.value());
        }
        // The framework has counted the chunk itself as a record.
        task.counter(TaskCounter.class.getName(), TaskCounter.MAP_INPUT_RECORDS.name())
                .increment(-1);
    }
}
