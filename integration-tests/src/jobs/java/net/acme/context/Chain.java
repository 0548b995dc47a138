// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;

/** Attacks: a chain of two mappers. */
public final class Chain extends AcmeJob {
    /** The second mapper: counts words by their last digit. */
    public static final class Digits extends Mapper<Text, IntWritable, Text, IntWritable> {
        @Override
        protected void map(Text key, IntWritable value, Context context) throws IOException, InterruptedException {
            String word = key.toString();
            context.write(new Text(word.substring(Math.max(0, word.length() - 1))), value);
        }
    }

    @Override
    protected void define(Job job, List<String> more) throws IOException {
        Configuration none = new Configuration(false);
        ChainMapper.addMapper(
                job, WordMapper.class, LongWritable.class, Text.class, Text.class, IntWritable.class, none);
        ChainMapper.addMapper(job, Digits.class, Text.class, IntWritable.class, Text.class, IntWritable.class, none);
    }
}
