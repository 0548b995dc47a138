// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import net.acme.WordMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Attacks: two inputs with a mapper each. */
public final class TwoInputs extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        Path[] paths = FileInputFormat.getInputPaths(job);
        MultipleInputs.addInputPath(job, paths[0], TextInputFormat.class, WordMapper.class);
        MultipleInputs.addInputPath(job, paths[1], TextInputFormat.class, Whole.class);
    }

    /** Counts lines. */
    public static final class Whole extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, line, 1);
        }
    }
}
