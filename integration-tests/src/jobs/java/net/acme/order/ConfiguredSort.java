// SPDX-License-Identifier: Apache-2.0
package net.acme.order;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the order of keys hangs on an option that the comparator reads. */
public final class ConfiguredSort extends AcmeJob {
    /** Forwards or backwards. */
    public static final class Ordered extends WritableComparator implements Configurable {
        private Configuration conf;

        /** By name. */
        public Ordered() {
            super(Text.class, true);
        }

        @Override
        public void setConf(Configuration given) {
            conf = given;
        }

        @Override
        public Configuration getConf() {
            return conf;
        }

        @Override
        public int compare(WritableComparable one, WritableComparable other) {
            int order = one.toString().compareTo(other.toString());
            return "down".equals(conf.get("fs.acme.order")) ? -order : order;
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setSortComparatorClass(Ordered.class);
    }
}
