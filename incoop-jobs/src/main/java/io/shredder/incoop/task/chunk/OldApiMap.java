// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.task.WatchedConf;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.MapRunnable;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ReflectionUtils;

/** Maps a chunk with a mapper of the old API (configure, map, close), as Hadoop's own map task maps a split. */
final class OldApiMap {

    private final SetUps setUps;
    private final SetUps.ForChunk chunk;

    OldApiMap(SetUps setUps, SetUps.ForChunk chunk) {
        this.setUps = setUps;
        this.chunk = chunk;
    }

    /**
     * Maps all records.
     *
     * @param file where the chunk lies, as the mapper's configuration says it of a split
     */
    @SuppressWarnings("unchecked")
    void run(
            Optional<String> file,
            RecordReader<Object, Object> records,
            OutputCollector<Object, Object> output,
            Reporter reporter)
            throws IOException, InterruptedException, ClassNotFoundException {
        WatchedConf conf = chunk.conf();
        chunk.useSettings();
        file.ifPresent(path -> conf.set(MRJobConfig.MAP_INPUT_FILE, path));
        MapRunnable<Object, Object, Object, Object> runner = (MapRunnable<Object, Object, Object, Object>)
                setUps.mapper(chunk, List.of(conf), () -> ReflectionUtils.newInstance(conf.getMapRunnerClass(), conf));
        runner.run(records, output, reporter);
    }

    /** What the mapper sees of its task, noticing when it asks where it is. */
    record WatchedReporter(Reporter task, InputSplit split) implements Reporter {

        @Override
        public InputSplit getInputSplit() {
            return split;
        }

        @Override
        public void setStatus(String status) {
            task.setStatus(status);
        }

        @Override
        public Counters.Counter getCounter(Enum<?> name) {
            return task.getCounter(name);
        }

        @Override
        public Counters.Counter getCounter(String group, String name) {
            return task.getCounter(group, name);
        }

        @Override
        public void incrCounter(Enum<?> key, long amount) {
            task.incrCounter(key, amount);
        }

        @Override
        public void incrCounter(String group, String counter, long amount) {
            task.incrCounter(group, counter, amount);
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
}
