// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the reducer writes a local file with java.nio; a run that copies part files would not. */
public final class ReducerLocalFile extends AcmeJob {
    /** The reducer. */
    public static final class Leave extends Sum {
        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            Files.writeString(
                    new File(context.getConfiguration().get("net.acme.left.here"), "reduced").toPath(), "done\n");
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(Leave.class);
        job.setNumReduceTasks(1);
    }
}
