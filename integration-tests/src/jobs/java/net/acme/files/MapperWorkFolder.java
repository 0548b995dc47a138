// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Attacks: the mapper writes a file in the job's output folder, by getWorkOutputPath. */
public final class MapperWorkFolder extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final TreeMap<String, Integer> seen = new TreeMap<>();

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            seen.merge(first(line), 1, Integer::sum);
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            Path path = new Path(FileOutputFormat.getWorkOutputPath(context), "seen/words.txt");
            try (OutputStream out =
                    path.getFileSystem(context.getConfiguration()).create(path)) {
                out.write(seen.toString().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
