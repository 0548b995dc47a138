// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** How often two words follow each other in a line: lines of first word, blank, second word, tab, count. */
final class BigramCount extends JobTool {
    private static final byte[] BLANK = {' '};

    BigramCount() {
        super("bigrams", "Counts the pairs of words that follow each other in a line of text files.", List.of());
    }

    @Override
    int run(Arguments arguments) throws IOException, InterruptedException, ClassNotFoundException {
        Job job = job(arguments, new Path(arguments.output()));
        job.setMapperClass(BigramMapper.class);
        WordCount.countsTexts(job);
        return succeeds(job) ? DONE : FAILED;
    }

    /** Gives each pair with a one. */
    static final class BigramMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
        private final Words words = new Words();
        private final Text pair = new Text();
        private final LongWritable one = new LongWritable(1);

        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            words.of(line);
            for (int i = 1; i < words.count(); i++) {
                words.copyTo(i - 1, pair);
                pair.append(BLANK, 0, 1);
                words.appendTo(i, pair);
                context.write(pair, one);
            }
        }
    }
}
