// SPDX-License-Identifier: Apache-2.0
package net.acme.formats;

import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Attacks: two paths, one of them with a format that can't be read in chunks. */
public final class CombinedBeside extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) {
        Path[] paths = FileInputFormat.getInputPaths(job);
        MultipleInputs.addInputPath(job, paths[0], TextInputFormat.class, TwoFormats.Lines.class);
        MultipleInputs.addInputPath(job, paths[1], CombineTextInputFormat.class, WordMapper.class);
    }
}
