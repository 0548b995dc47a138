// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.IncrementalJob;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.util.ReflectionUtils;

/** Maps a chunk with a fresh mapper of the new API (setup, run, cleanup), as Hadoop's own map task maps a split. */
final class NewApiMap {

    private NewApiMap() {}

    /** @param settings what the input format sets in the configuration, as it is opened once there is a mapper */
    @SuppressWarnings("unchecked")
    static void run(
            WatchedConf conf, Map<String, String> settings, ChunkContext<Object, Object, Object, Object> context)
            throws IOException, InterruptedException, ClassNotFoundException {
        Mapper<Object, Object, Object, Object> mapper = (Mapper<Object, Object, Object, Object>)
                ReflectionUtils.newInstance(IncrementalJob.mapperClass(conf), conf);
        settings.forEach(conf::set);
        mapper.run(new WrappedMapper<Object, Object, Object, Object>().getMapContext(context));
    }
}
