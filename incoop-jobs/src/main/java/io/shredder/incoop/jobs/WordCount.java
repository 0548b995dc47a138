// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/** How often each word occurs: lines of word, tab, count. */
final class WordCount extends JobTool {
    WordCount() {
        super("wordcount", "Counts the words of text files.", List.of());
    }

    @Override
    int run(Arguments arguments) throws IOException, InterruptedException, ClassNotFoundException {
        Job job = job(arguments, new Path(arguments.output()));
        job.setMapperClass(WordMapper.class);
        countsTexts(job);
        return succeeds(job) ? DONE : FAILED;
    }

    /** Sets up a job whose maps count texts. */
    static void countsTexts(Job job) {
        job.setCombinerClass(LongSumReducer.class);
        job.setReducerClass(LongSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
    }

    /** Gives each word with a one. */
    static final class WordMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
        private final Words words = new Words();
        private final Text word = new Text();
        private final LongWritable one = new LongWritable(1);

        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            words.of(line);
            for (int i = 0; i < words.count(); i++) {
                words.copyTo(i, word);
                context.write(word, one);
            }
        }
    }
}
