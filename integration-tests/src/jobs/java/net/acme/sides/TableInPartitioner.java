// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Partitioner;

/** Attacks: the partitioner reads a local table. */
public final class TableInPartitioner extends AcmeJob {
    /** Words by what the table says. */
    public static final class ByTable extends Partitioner<Text, IntWritable> implements Configurable {
        private Configuration conf;
        private Table table;

        @Override
        public void setConf(Configuration given) {
            conf = given;
            try {
                table = Table.read(new FileInputStream(given.get(Table.PLACE)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Configuration getConf() {
            return conf;
        }

        @Override
        public int getPartition(Text key, IntWritable value, int partitions) {
            return table.number(key.toString()) / 10 % partitions;
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setPartitionerClass(ByTable.class);
        job.setNumReduceTasks(3);
    }
}
