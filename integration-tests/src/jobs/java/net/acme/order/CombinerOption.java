// SPDX-License-Identifier: Apache-2.0
package net.acme.order;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the combiner leaves words out by an option; leaving out twice is leaving out once. */
public final class CombinerOption extends AcmeJob {
    /** Combiner and reducer. */
    public static final class AtLeast extends Sum {
        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            if (key.getLength() >= context.getConfiguration().getInt("security.acme.least", 0)) {
                super.reduce(key, values, context);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setCombinerClass(AtLeast.class);
    }
}
