// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Attacks: the mapper loads a singleton in a class loader of its own that a system-wide place keeps, here a static of
 * its own.
 */
public final class OwnLoaderSeen extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static Method isNew;
        private static Object registry;

        @Override
        protected void setup(Context context) throws IOException {
            synchronized (Map.class) {
                if (registry == null) {
                    load();
                }
            }
        }

        private static void load() throws IOException {
            try {
                URL jar = Map.class.getProtectionDomain().getCodeSource().getLocation();
                ClassLoader own = new URLClassLoader(new URL[] {jar}, null);
                Class<?> type = own.loadClass("net.acme.statics.SeenWords");
                Method instance = type.getDeclaredMethod("instance");
                instance.setAccessible(true);
                registry = instance.invoke(null);
                isNew = type.getDeclaredMethod("isNew", String.class);
                isNew.setAccessible(true);
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            try {
                if ((Boolean) isNew.invoke(registry, first(line))) {
                    emit(context, first(line), 1);
                }
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }
    }

    /** The reducer: once is enough. */
    public static final class Once extends Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            context.write(key, new IntWritable(1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.setReducerClass(Once.class);
    }
}
