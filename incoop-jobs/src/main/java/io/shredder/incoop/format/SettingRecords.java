// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The records of an InputFormat that sets options of its reader by itself.
 *
 * @param records as they are read with these options
 * @param settings options, by name
 */
record SettingRecords(ChunkRecords records, Map<String, String> settings) implements ChunkRecords {

    SettingRecords {
        settings = Map.copyOf(settings);
    }

    @Override
    public String recordFormat() {
        return records.recordFormat();
    }

    @Override
    public Optional<String> refusal(Path file) {
        return records.refusal(file);
    }

    @Override
    public InputHeader header(Path file, Configuration conf) throws IOException {
        return records.header(file, conf);
    }

    @Override
    public int recordsPerMapper() {
        return records.recordsPerMapper();
    }

    @Override
    public SplitReading splitReading() {
        return records.splitReading();
    }

    @Override
    public RecordReader<?, ?> open(ChunkInput chunk, TaskAttemptContext context)
            throws IOException, InterruptedException {
        settings.forEach(context.getConfiguration()::set);
        return records.open(chunk, context);
    }
}
