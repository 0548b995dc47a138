// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;

/**
 * How often two words stand near each other in a line, by the method of pairs (Lin and Dyer, Data-Intensive Text
 * Processing with MapReduce, section 3.2) with a combiner. The matrix is symmetric, so each pair stands once, the
 * smaller word first: lines of word, blank, word, tab, count. Pairs rather than stripes: their counts are sums of whole
 * numbers, for which any grouping of combiners gives the same bytes.
 */
final class CoOccurrence extends JobTool {
    private static final String WINDOW = "cooccurrence.window";
    private static final String VOCABULARY = "cooccurrence.vocabulary";
    private static final int MOST_WINDOW = 1000;
    private static final int DEFAULT_WINDOW = 2;
    private static final byte[] BLANK = {' '};

    CoOccurrence() {
        super(
                "cooccurrence",
                "Counts how often two words stand near each other in a line of text files.",
                List.of(
                        new Arguments.Option(
                                "window", "N", "words of a line at most so far apart, default " + DEFAULT_WINDOW),
                        new Arguments.Option(
                                "vocabulary",
                                "FILE",
                                "a word a line: only these count, the others keep their places; default: all words")));
    }

    @Override
    int run(Arguments arguments) throws IOException, InterruptedException, ClassNotFoundException {
        Job job = job(arguments, new Path(arguments.output()));
        job.setMapperClass(PairMapper.class);
        WordCount.countsTexts(job);
        job.getConfiguration().setInt(WINDOW, arguments.number("window", DEFAULT_WINDOW, 1, MOST_WINDOW));
        Optional<String> vocabulary = arguments.text("vocabulary");
        if (vocabulary.isPresent()) {
            CacheFile.add(job, new Path(vocabulary.get()), VOCABULARY);
        }
        return succeeds(job) ? DONE : FAILED;
    }

    /** Gives each pair with a one. */
    static final class PairMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
        private final Words words = new Words();
        private final Text pair = new Text();
        private final LongWritable one = new LongWritable(1);
        private boolean[] counts = new boolean[0];
        private int window;
        private @Nullable WordSet vocabulary;

        @Override
        protected void setup(Context context) throws IOException {
            Configuration conf = context.getConfiguration();
            window = conf.getInt(WINDOW, DEFAULT_WINDOW);
            vocabulary = CacheFile.isGiven(conf, VOCABULARY) ? WordSet.of(CacheFile.lines(conf, VOCABULARY)) : null;
        }

        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            words.of(line);
            mark();
            for (int i = 0; i < words.count(); i++) {
                int last = Math.min(words.count() - 1, i + window);
                for (int j = i + 1; counts[i] && j <= last; j++) {
                    if (counts[j]) {
                        write(i, j, context);
                    }
                }
            }
        }

        /** Looks each word of the line up once. */
        private void mark() {
            if (counts.length < words.count()) {
                counts = new boolean[2 * words.count()];
            }
            if (vocabulary == null) {
                Arrays.fill(counts, 0, words.count(), true);
                return;
            }
            for (int i = 0; i < words.count(); i++) {
                counts[i] = vocabulary.contains(words.bytes(), words.start(i), words.length(i));
            }
        }

        private void write(int i, int j, Context context) throws IOException, InterruptedException {
            boolean inOrder = words.compare(i, j) <= 0;
            words.copyTo(inOrder ? i : j, pair);
            pair.append(BLANK, 0, 1);
            words.appendTo(inOrder ? j : i, pair);
            context.write(pair, one);
        }
    }
}
