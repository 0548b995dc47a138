// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks nothing: first words, with a combiner. */
public final class WordsWithCombiner extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setCombinerClass(Sum.class);
    }
}
