// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat;

/** Hadoop's FixedLengthInputFormat, of both APIs. */
public final class FixedLengthChunks implements ChunkFormat {

    private static final Set<String> SERVED = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat",
            "org.apache.hadoop.mapred.FixedLengthInputFormat");

    @Override
    public Optional<ChunkRecords> find(Class<?> inputFormat, Configuration conf) throws UnservedFormatException {
        if (!SERVED.contains(inputFormat.getName())) {
            return Optional.empty();
        }
        int recordBytes = FixedLengthInputFormat.getRecordLength(conf);
        if (recordBytes < 1) {
            throw new UnservedFormatException(
                    FixedLengthInputFormat.FIXED_RECORD_LENGTH + " is " + recordBytes + ", not a record's length");
        }
        return Optional.of(new FixedLength(recordBytes, new CompressionCodecFactory(conf)));
    }

    @Override
    public String served() {
        return "FixedLengthInputFormat";
    }

    private record FixedLength(int recordBytes, CompressionCodecFactory codecs) implements ChunkRecords {

        @Override
        public String recordFormat() {
            return "fixed:" + recordBytes;
        }

        @Override
        public Optional<String> refusal(Path file) {
            return CompressedInputs.refusal(file, codecs);
        }

        @Override
        public SplitReading splitReading() {
            return SplitReading.KEYS_ARE_OFFSETS;
        }

        @Override
        public RecordReader<?, ?> open(ChunkInput chunk, TaskAttemptContext context) {
            return new FixedLengthChunkReader(chunk, recordBytes);
        }
    }
}
