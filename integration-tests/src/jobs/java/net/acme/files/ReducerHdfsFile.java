// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the reducer writes a file of its own on HDFS; a run that copies part files would not. */
public final class ReducerHdfsFile extends AcmeJob {
    /** The reducer. */
    public static final class Leave extends Sum {
        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            Path path = new Path(context.getConfiguration().get("net.acme.left"), "reduced");
            try (OutputStream out =
                    path.getFileSystem(context.getConfiguration()).create(path, true)) {
                out.write(1);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(Leave.class);
        job.setNumReduceTasks(1);
    }
}
