// SPDX-License-Identifier: Apache-2.0
package net.acme.formats;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Attacks nothing: an input format that has nothing of its own but its name. */
public final class NamedFormat extends AcmeJob {
    /** The input format. */
    public static final class Lines extends TextInputFormat {}

    @Override
    protected void define(Job job, List<String> more) {
        job.setInputFormatClass(Lines.class);
        job.setMapperClass(WordMapper.class);
        job.setCombinerClass(Sum.class);
    }
}
