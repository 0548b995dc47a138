// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.formats;

import io.shredder.incoop.format.ChunkInput;
import io.shredder.incoop.format.ChunkRecords;
import io.shredder.incoop.format.InputHeader;
import io.shredder.incoop.format.PositionWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.mapred.AvroWrapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** A file's records as text: by Hadoop's own reader, or a chunk at a time by ours. */
record RecordsOf(Configuration conf, Class<?> inputFormat) {

    /** Key and value. */
    record Pair(String key, String value) {}

    /** What Hadoop reads of a part of a file. */
    List<Pair> hadoop(Path file, long start, long length) throws Exception {
        return InputFormat.class.isAssignableFrom(inputFormat)
                ? newApi(new FileSplit(file, start, length, new String[0]))
                : oldApi(new org.apache.hadoop.mapred.FileSplit(file, start, length, new String[0]));
    }

    private List<Pair> newApi(FileSplit split) throws Exception {
        TaskAttemptContext context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
        InputFormat<?, ?> format = (InputFormat<?, ?>) ReflectionUtils.newInstance(inputFormat, conf);
        try (RecordReader<?, ?> reader = format.createRecordReader(split, context)) {
            reader.initialize(split, context);
            return all(reader);
        }
    }

    private List<Pair> oldApi(org.apache.hadoop.mapred.FileSplit split) throws IOException {
        JobConf job = new JobConf(conf);
        org.apache.hadoop.mapred.InputFormat<?, ?> format =
                (org.apache.hadoop.mapred.InputFormat<?, ?>) ReflectionUtils.newInstance(inputFormat, job);
        return all(format.getRecordReader(split, job, Reporter.NULL));
    }

    private static <K, V> List<Pair> all(org.apache.hadoop.mapred.RecordReader<K, V> reader) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        K key = reader.createKey();
        V value = reader.createValue();
        while (reader.next(key, value)) {
            pairs.add(new Pair(text(key), text(value)));
        }
        reader.close();
        return pairs;
    }

    /** What ours reads of a chunk that lies anywhere. */
    List<Pair> chunk(
            ChunkRecords records,
            FSDataInputStream file,
            Path path,
            long offset,
            int length,
            InputHeader header,
            PositionWatch watch)
            throws Exception {
        ChunkInput chunk = new ChunkInput(file, path, offset, length, header, watch);
        try (RecordReader<?, ?> reader = records.open(chunk, new TaskAttemptContextImpl(conf, new TaskAttemptID()))) {
            return all(reader);
        }
    }

    private static List<Pair> all(RecordReader<?, ?> reader) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        while (reader.nextKeyValue()) {
            pairs.add(new Pair(text(reader.getCurrentKey()), text(reader.getCurrentValue())));
        }
        return pairs;
    }

    private static String text(Object part) {
        return String.valueOf(part instanceof AvroWrapper<?> wrapper ? wrapper.datum() : part);
    }
}
