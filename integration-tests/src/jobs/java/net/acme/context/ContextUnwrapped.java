// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MapContext;

/** Attacks: the mapper takes the context inside its context by reflection, and that one's reader. */
public final class ContextUnwrapped extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void setup(Context context) throws IOException {
            try {
                Field inner = context.getClass().getDeclaredField("mapContext");
                inner.setAccessible(true);
                MapContext<?, ?, ?, ?> mapContext = (MapContext<?, ?, ?, ?>) inner.get(context);
                context.getCounter("acme", mapContext.getClass().getSimpleName())
                        .increment(1);
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
