// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Records of {@code fixedlengthinputformat.record.length} bytes, for Hadoop's InputFormat of either MapReduce API. */
public final class FixedLengthRecords implements InputRecords {

    private static final String LENGTH_KEY = "fixedlengthinputformat.record.length";

    private static final Set<String> SERVED = Set.of(
            "fixed",
            "org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat",
            "org.apache.hadoop.mapred.FixedLengthInputFormat");

    @Override
    public Optional<RecordFormat> find(String inputFormat, Configuration conf) {
        if (!SERVED.contains(inputFormat)) {
            return Optional.empty();
        }
        int recordBytes = conf.getInt(LENGTH_KEY, 0);
        if (recordBytes < 1) {
            throw new IllegalArgumentException(LENGTH_KEY + " is " + recordBytes
                    + ": give the records' length in bytes with -D " + LENGTH_KEY + "=N");
        }
        return Optional.of(new FixedLength(recordBytes, new CompressionCodecFactory(conf)));
    }

    @Override
    public String served() {
        return "fixed, FixedLengthInputFormat";
    }

    private record FixedLength(int recordBytes, CompressionCodecFactory codecs) implements RecordFormat {

        @Override
        public String manifestName() {
            return "fixed:" + recordBytes;
        }

        @Override
        public Optional<String> opaque(Path file) {
            return CompressedFiles.opaque(file, codecs);
        }

        @Override
        public RecordBoundaries open(String file) {
            return new FixedLengthBoundaries(recordBytes, file);
        }
    }
}
