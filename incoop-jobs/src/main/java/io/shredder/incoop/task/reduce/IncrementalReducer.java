// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.ReduceSide;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.task.output.ReduceHandOff;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Stands in for the job's reducer, and runs it, noticing when it asks for what differs between runs of the same job.
 * Does not run it if the part file has been copied: then it only counts what that one's reduce task counted.
 */
public final class IncrementalReducer extends Reducer<Object, Object, Object, Object> {

    @Override
    @SuppressWarnings("unchecked")
    public void run(Context context) throws IOException, InterruptedException {
        ReduceHandOff handOff = ReduceHandOff.find(context.getConfiguration());
        if (handOff != null && handOff.part().isPresent()) {
            for (CounterValue counter : handOff.part().get().counters()) {
                context.getCounter(counter.group(), counter.name()).increment(counter.value());
            }
            return;
        }
        ReduceWatch watch = ReduceWatch.of(context.getConfiguration());
        try {
            JobConf conf = ownConf(context, watch);
            ReduceContextView view = new ReduceContextView(new WrappedReducer<>(), context, conf, watch.position());
            Reducer<Object, Object, Object, Object> own =
                    ReflectionUtils.newInstance(ReduceSide.reducerClass(context.getConfiguration()), conf);
            own.run(view);
            Optional<List<Dependency>> dependencies = watch.dependencies();
            if (handOff != null && dependencies.isPresent()) {
                handOff.complete(view.counted(), dependencies.get());
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("the job's reducer is missing: " + e.getMessage(), e);
        }
    }

    private static JobConf ownConf(Context context, ReduceWatch watch) {
        return watch.conf(Originals.ownCopy(context.getConfiguration()));
    }
}
