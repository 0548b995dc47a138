// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/**
 * Counts words, and stops at lines {@code fault NAME} until the file {@code NAME.done} is there; {@code NAME.reached}
 * says that it has stopped. At {@code fault halt} its process ends at once, the first time. The files lie in a local
 * folder, as the test does.
 */
public class FaultMapper extends OldApiJobs.WordMapper {

    static final String FOLDER = "test.faults";

    private File folder = new File("");

    @Override
    public void configure(JobConf job) {
        super.configure(job);
        folder = new File(job.get(FOLDER));
    }

    @Override
    public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
            throws IOException {
        String text = line.toString();
        if (text.startsWith("fault ")) {
            FaultSite.stop(folder, text.substring(6), reporter::progress);
        }
        super.map(key, line, output, reporter);
    }
}
