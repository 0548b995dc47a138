// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;

/** Attacks: Hadoop's mapper of many threads. */
public final class Threads extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(MultithreadedMapper.class);
        MultithreadedMapper.setMapperClass(job, WordMapper.class);
        MultithreadedMapper.setNumberOfThreads(job, 3);
    }
}
