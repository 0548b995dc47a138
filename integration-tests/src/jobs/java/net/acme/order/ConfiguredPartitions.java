// SPDX-License-Identifier: Apache-2.0
package net.acme.order;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Partitioner;

/** Attacks: which reducer a word goes to hangs on an option that the partitioner reads. */
public final class ConfiguredPartitions extends AcmeJob {
    /** By the word's length and the option. */
    public static final class ByOption extends Partitioner<Text, IntWritable> implements Configurable {
        private Configuration conf;

        @Override
        public void setConf(Configuration given) {
            conf = given;
        }

        @Override
        public Configuration getConf() {
            return conf;
        }

        @Override
        public int getPartition(Text key, IntWritable value, int partitions) {
            return (key.getLength() + conf.getInt("yarn.acme.shift", 0)) % partitions;
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setPartitionerClass(ByOption.class);
        job.setNumReduceTasks(3);
    }
}
