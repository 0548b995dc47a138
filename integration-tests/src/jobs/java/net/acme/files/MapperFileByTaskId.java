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

/** Attacks: the mapper writes a file elsewhere on HDFS that is named by its task. */
public final class MapperFileByTaskId extends AcmeJob {
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
            int task = context.getTaskAttemptID().getTaskID().getId();
            Path path = new Path(context.getConfiguration().get("net.acme.left"), "task-" + task);
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
