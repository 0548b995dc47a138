// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.IncrementalJob;
import io.shredder.incoop.ReduceSide;
import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.CounterValue;
import java.io.IOException;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in for the job's reducer, and runs it, noticing when it asks for what differs between runs of the same job. Does not run it
 * if the part file has been copied: then it only counts what that one's reduce task counted.
 */
public final class IncrementalReducer extends Reducer<Object, Object, Object, Object> {

    private static final Logger LOG = LoggerFactory.getLogger(IncrementalReducer.class);

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
        PositionWatch watch = new PositionWatch();
        WatchedConf conf = new WatchedConf(context.getConfiguration(), watch);
        IncrementalJob.restoreMapper(conf);
        ReduceSide.restore(conf);
        ReduceContextView view = new ReduceContextView(new WrappedReducer<>(), context, conf, watch);
        try {
            Reducer<Object, Object, Object, Object> own =
                    ReflectionUtils.newInstance(ReduceSide.reducerClass(conf), conf);
            SideAccess side = new SideAccess();
            own.run(view);
            if (side.happened()) {
                LOG.warn("incoop: the reducer used files by itself: its part file is not kept for reuse");
                watch.asked();
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("the job's reducer is missing: " + e.getMessage(), e);
        }
        if (handOff != null && !watch.wasAsked()) {
            handOff.complete(view.counted());
        }
    }
}
