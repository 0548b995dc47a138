// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.Manifest;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/**
 * Hadoop's own line-based InputFormats, of both MapReduce APIs, and {@code raw} for files without records.
 *
 * <p>Class names are compared exactly: a subclass may read other records. Only {@code TextInputFormat} honours {@code
 * textinputformat.record.delimiter}; the others always read lines.
 */
public final class TextRecords implements InputRecords {

    private static final String DELIMITER_KEY = "textinputformat.record.delimiter";

    private static final Set<String> DELIMITED = Set.of(
            "text",
            "org.apache.hadoop.mapreduce.lib.input.TextInputFormat",
            "org.apache.hadoop.mapred.TextInputFormat");

    private static final Set<String> LINES = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat",
            "org.apache.hadoop.mapreduce.lib.input.NLineInputFormat",
            "org.apache.hadoop.mapred.KeyValueTextInputFormat",
            "org.apache.hadoop.mapred.lib.NLineInputFormat");

    @Override
    public Optional<RecordFormat> find(String inputFormat, Configuration conf) {
        if (inputFormat.equals("raw")) {
            return Optional.of(new Raw());
        }
        String delimiter = conf.get(DELIMITER_KEY);
        if (LINES.contains(inputFormat) || (DELIMITED.contains(inputFormat) && delimiter == null)) {
            return Optional.of(new Text("text", LineBoundaries::new, new CompressionCodecFactory(conf)));
        }
        if (DELIMITED.contains(inputFormat)) {
            return Optional.of(delimited(delimiter.getBytes(StandardCharsets.UTF_8), conf));
        }
        return Optional.empty();
    }

    private static RecordFormat delimited(byte[] delimiter, Configuration conf) {
        if (delimiter.length == 0 || delimiter.length > 256) {
            throw new IllegalArgumentException(
                    DELIMITER_KEY + " has " + delimiter.length + " bytes: use 1 to 256, or unset it for lines");
        }
        String name = "text:" + HexFormat.of().formatHex(delimiter);
        return new Text(name, () -> new DelimiterBoundaries(delimiter), new CompressionCodecFactory(conf));
    }

    @Override
    public String served() {
        return "text, raw, TextInputFormat, KeyValueTextInputFormat, NLineInputFormat";
    }

    private record Raw() implements RecordFormat {

        @Override
        public String manifestName() {
            return Manifest.RAW;
        }

        @Override
        public Optional<String> refusal(Path file) {
            return Optional.empty();
        }

        @Override
        public RecordBoundaries open() {
            return new AnyBoundaries();
        }
    }

    private record Text(String manifestName, Supplier<RecordBoundaries> boundaries, CompressionCodecFactory codecs)
            implements RecordFormat {

        @Override
        public Optional<String> refusal(Path file) {
            CompressionCodec codec = codecs.getCodec(file);
            return codec == null
                    ? Optional.empty()
                    : Optional.of(
                            "MapReduce reads " + codec.getDefaultExtension() + " files decompressed, so lines can't be "
                                    + "kept whole: decompress it first, or use -inputFormat raw");
        }

        @Override
        public RecordBoundaries open() {
            return boundaries.get();
        }
    }
}
