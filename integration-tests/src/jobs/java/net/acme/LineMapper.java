// SPDX-License-Identifier: Apache-2.0
package net.acme;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Maps a line, whose key it does not look at. */
public abstract class LineMapper extends Mapper<LongWritable, Text, Text, IntWritable> {

    /** Maps one line. */
    protected abstract void line(String line, Context context) throws IOException, InterruptedException;

    @Override
    protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
        line(value.toString(), context);
    }

    /** Writes a word and a number. */
    protected static void emit(Context context, String word, int number) throws IOException, InterruptedException {
        context.write(new Text(word), new IntWritable(number));
    }

    /** The line's first word. */
    protected static String first(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? line : line.substring(0, space);
    }
}
