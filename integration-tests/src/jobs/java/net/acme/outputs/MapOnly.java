// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: no reducer, so the maps' output is the job's. */
public final class MapOnly extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setNumReduceTasks(0);
    }
}
