// SPDX-License-Identifier: Apache-2.0
package net.acme.order;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the combiner leaves a local file for each word that it sees. */
public final class CombinerFile extends AcmeJob {
    /** The combiner. */
    public static final class Leaving extends Sum {
        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            Files.write(
                    new File(context.getConfiguration().get("net.acme.left.here"), "seen-" + key).toPath(),
                    new byte[0]);
            super.reduce(key, values, context);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setCombinerClass(Leaving.class);
    }
}
