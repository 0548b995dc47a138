// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a thread of the mapper makes a file on HDFS for each word of one letter's class. */
public final class MapperFileInThread extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final Set<String> seen = new HashSet<>();

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            String word = first(line);
            emit(context, word, 1);
            if (word.length() == 2 && seen.add(word)) {
                Path path = new Path(context.getConfiguration().get("net.acme.left"), word);
                Configuration conf = context.getConfiguration();
                Thread writer = new Thread(() -> {
                    try {
                        path.getFileSystem(conf).create(path, true).close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                writer.start();
                writer.join();
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
