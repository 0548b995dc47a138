// SPDX-License-Identifier: Apache-2.0
package net.acme.stock;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;

/** Sets a job of Hadoop's examples up as its own program does, which would end the process. */
abstract class ExampleDriver extends Configured implements Tool {

    /** The job without its paths. */
    abstract Job job() throws Exception;

    @Override
    public final int run(String[] words) throws Exception {
        Job job = job();
        FileInputFormat.addInputPath(job, new Path(words[0]));
        FileOutputFormat.setOutputPath(job, new Path(words[1]));
        return job.waitForCompletion(true) ? 0 : 1;
    }
}
