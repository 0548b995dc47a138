// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.KeyValueLineRecordReader;

/** The lines of a chunk, each cut into key and value as Hadoop's KeyValueLineRecordReader does. */
final class KeyValueChunkReader extends RecordReader<Text, Text> {

    private final LineChunkReader lines;
    private final byte separator;
    private final Text key = new Text();
    private final Text value = new Text();

    KeyValueChunkReader(LineChunkReader lines, Configuration conf) {
        this.lines = lines;
        this.separator = (byte)
                conf.get(KeyValueLineRecordReader.KEY_VALUE_SEPARATOR, "\t").charAt(0);
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
        // The constructor has done it: a chunk is no split.
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        if (!lines.nextKeyValue()) {
            return false;
        }
        Text line = lines.getCurrentValue();
        if (line == null) {
            return false;
        }
        int end = line.getLength();
        int middle = KeyValueLineRecordReader.findSeparator(line.getBytes(), 0, end, separator);
        KeyValueLineRecordReader.setKeyValue(key, value, line.getBytes(), end, middle);
        return true;
    }

    @Override
    public Text getCurrentKey() {
        return key;
    }

    @Override
    public Text getCurrentValue() {
        return value;
    }

    @Override
    public float getProgress() {
        return lines.getProgress();
    }

    @Override
    public void close() {
        lines.close();
    }
}
