// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.Manifest;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/**
 * Hadoop's own line-based InputFormats, of both MapReduce APIs, and {@code raw} for files without records.
 *
 * <p>Class names are compared exactly: a subclass may read other records. Only {@code TextInputFormat} honours {@code
 * textinputformat.record.delimiter}; the others always read lines.
 */
public final class TextRecords implements InputRecords {

    private static final String DELIMITER_KEY = "textinputformat.record.delimiter";
    private static final String LINES_KEY = "mapreduce.input.lineinputformat.linespermap";

    private static final Set<String> DELIMITED = Set.of(
            "text",
            "org.apache.hadoop.mapreduce.lib.input.TextInputFormat",
            "org.apache.hadoop.mapred.TextInputFormat");

    private static final Set<String> LINES = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat",
            "org.apache.hadoop.mapred.KeyValueTextInputFormat");

    private static final Set<String> LINE_GROUPS = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.NLineInputFormat", "org.apache.hadoop.mapred.lib.NLineInputFormat");

    @Override
    public Optional<RecordFormat> find(String inputFormat, Configuration conf) {
        if (inputFormat.equals("raw")) {
            return Optional.of(new Raw());
        }
        String delimiter = conf.get(DELIMITER_KEY);
        if (LINES.contains(inputFormat) || (DELIMITED.contains(inputFormat) && delimiter == null)) {
            return Optional.of(lines(new CompressionCodecFactory(conf)));
        }
        if (LINE_GROUPS.contains(inputFormat)) {
            return Optional.of(lineGroups(conf));
        }
        if (DELIMITED.contains(inputFormat)) {
            return Optional.of(delimited(delimiter.getBytes(StandardCharsets.UTF_8), conf));
        }
        return Optional.empty();
    }

    /** An NLineInputFormat mapper gets exactly so many lines: chunks hold whole groups; groups of one are any text. */
    private static RecordFormat lineGroups(Configuration conf) {
        int lines = conf.getInt(LINES_KEY, 1);
        if (lines < 1) {
            throw new IllegalArgumentException(LINES_KEY + " is " + lines + ": give a number of lines, at least 1");
        }
        CompressionCodecFactory codecs = new CompressionCodecFactory(conf);
        return lines == 1
                ? lines(codecs)
                : new Text("lines:" + lines, OptionalInt.empty(), () -> new LineGroupBoundaries(lines), codecs);
    }

    private static RecordFormat lines(CompressionCodecFactory codecs) {
        return new Text("text", OptionalInt.of(1), LineBoundaries::new, codecs);
    }

    private static RecordFormat delimited(byte[] delimiter, Configuration conf) {
        if (delimiter.length == 0 || delimiter.length > 256) {
            throw new IllegalArgumentException(
                    DELIMITER_KEY + " has " + delimiter.length + " bytes: use 1 to 256, or unset it for lines");
        }
        String name = "text:" + HexFormat.of().formatHex(delimiter);
        OptionalInt context = DelimiterBoundaries.occurrencesMayOverlap(delimiter)
                ? OptionalInt.empty()
                : OptionalInt.of(delimiter.length);
        return new Text(name, context, () -> new DelimiterBoundaries(delimiter), new CompressionCodecFactory(conf));
    }

    @Override
    public String served() {
        return "text, raw, TextInputFormat, KeyValueTextInputFormat, NLineInputFormat";
    }

    record Raw() implements RecordFormat {

        @Override
        public String manifestName() {
            return Manifest.RAW;
        }

        @Override
        public Optional<String> opaque(Path file) {
            return Optional.empty();
        }

        @Override
        public OptionalInt contextBytes() {
            return OptionalInt.of(0);
        }

        @Override
        public RecordBoundaries open(String file) {
            return new AnyBoundaries();
        }
    }

    private record Text(
            String manifestName,
            OptionalInt contextBytes,
            Supplier<RecordBoundaries> boundaries,
            CompressionCodecFactory codecs)
            implements RecordFormat {

        @Override
        public Optional<String> opaque(Path file) {
            return CompressedFiles.opaque(file, codecs);
        }

        @Override
        public RecordBoundaries open(String file) {
            return boundaries.get();
        }
    }
}
