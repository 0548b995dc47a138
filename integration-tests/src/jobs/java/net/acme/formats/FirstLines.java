// SPDX-License-Identifier: Apache-2.0
package net.acme.formats;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Attacks: an input format that does not split files, so a mapper may rely on the first line of each. */
public final class FirstLines extends AcmeJob {
    /** The input format. */
    public static final class WholeFiles extends TextInputFormat {
        @Override
        protected boolean isSplitable(JobContext context, Path file) {
            return false;
        }
    }

    /** Gives its first line out. */
    public static final class Map extends LineMapper {
        private boolean begun;

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (!begun) {
                begun = true;
                emit(context, line, 1);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setInputFormatClass(WholeFiles.class);
        job.setMapperClass(Map.class);
    }
}
