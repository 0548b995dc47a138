// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * Attacks: the mapper writes a file beside the job's output, by getPathForWorkFile; its name holds the map's number.
 */
public final class MapperWorkFile extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private int lines;

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            lines++;
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            Path path = FileOutputFormat.getPathForWorkFile(context, "lines", ".txt");
            try (OutputStream out =
                    path.getFileSystem(context.getConfiguration()).create(path)) {
                out.write((lines + " lines\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
