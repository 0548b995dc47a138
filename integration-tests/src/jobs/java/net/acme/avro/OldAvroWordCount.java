// SPDX-License-Identifier: Apache-2.0
package net.acme.avro;

import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.mapred.AvroCollector;
import org.apache.avro.mapred.AvroJob;
import org.apache.avro.mapred.AvroMapper;
import org.apache.avro.mapred.AvroReducer;
import org.apache.avro.mapred.Pair;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextOutputFormat;
import org.apache.hadoop.util.Tool;

/** Counts words of an Avro file of strings with Avro's own mapper, combiner and reducer for the old API. */
public final class OldAvroWordCount extends Configured implements Tool {
    /** The mapper. */
    public static final class Map extends AvroMapper<CharSequence, Pair<CharSequence, Long>> {
        @Override
        public void map(CharSequence line, AvroCollector<Pair<CharSequence, Long>> out, Reporter reporter)
                throws IOException {
            for (String word : line.toString().split(" ")) {
                out.collect(new Pair<>(word, 1L));
            }
        }
    }

    /** The combiner and reducer. */
    public static final class Reduce extends AvroReducer<CharSequence, Long, Pair<CharSequence, Long>> {
        @Override
        public void reduce(
                CharSequence word,
                Iterable<Long> counts,
                AvroCollector<Pair<CharSequence, Long>> out,
                Reporter reporter)
                throws IOException {
            long sum = 0;
            for (long count : counts) {
                sum += count;
            }
            out.collect(new Pair<>(word, sum));
        }
    }

    @Override
    public int run(String[] words) throws Exception {
        JobConf conf = new JobConf(getConf(), OldAvroWordCount.class);
        conf.setJobName("Avro word count");
        AvroJob.setInputSchema(conf, Schema.create(Schema.Type.STRING));
        Schema pair = Pair.getPairSchema(Schema.create(Schema.Type.STRING), Schema.create(Schema.Type.LONG));
        AvroJob.setMapOutputSchema(conf, pair);
        AvroJob.setOutputSchema(conf, pair);
        // A binary file would have a random marker, other in each run.
        conf.setOutputFormat(TextOutputFormat.class);
        AvroJob.setMapperClass(conf, Map.class);
        AvroJob.setCombinerClass(conf, Reduce.class);
        AvroJob.setReducerClass(conf, Reduce.class);
        FileInputFormat.addInputPaths(conf, words[0]);
        FileOutputFormat.setOutputPath(conf, new Path(words[1]));
        return JobClient.runJob(conf).isSuccessful() ? 0 : 1;
    }
}
