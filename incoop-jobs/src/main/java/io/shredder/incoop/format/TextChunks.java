// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;

/**
 * Hadoop's line-based InputFormats, of both APIs. Only {@code TextInputFormat} honours a delimiter, the others always
 * read lines. A mapper of NLineInputFormat gets exactly its number of lines, counted from the file's start: chunks are
 * whole groups of so many.
 */
public final class TextChunks implements ChunkFormat {

    private static final String LINES = "text";
    private static final String DELIMITER_KEY = "textinputformat.record.delimiter";

    private static final Set<String> TEXT =
            Set.of("org.apache.hadoop.mapreduce.lib.input.TextInputFormat", "org.apache.hadoop.mapred.TextInputFormat");

    private static final Set<String> LINE_GROUPS = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.NLineInputFormat", "org.apache.hadoop.mapred.lib.NLineInputFormat");

    private static final Set<String> KEY_VALUE = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat",
            "org.apache.hadoop.mapred.KeyValueTextInputFormat");

    @Override
    public Optional<ChunkRecords> find(Class<?> inputFormat, Configuration conf) throws UnservedFormatException {
        String name = inputFormat.getName();
        boolean keyValue = KEY_VALUE.contains(name);
        boolean lineGroups = LINE_GROUPS.contains(name);
        if (!keyValue && !lineGroups && !TEXT.contains(name)) {
            return Optional.empty();
        }
        if (conf.getInt(LineRecordReader.MAX_LINE_LENGTH, Integer.MAX_VALUE) != Integer.MAX_VALUE) {
            throw new UnservedFormatException("it skips long lines (" + LineRecordReader.MAX_LINE_LENGTH + ")");
        }
        String delimiter = TEXT.contains(name) ? delimiter(conf) : "";
        int linesPerMapper = lineGroups ? linesPerMapper(conf) : Integer.MAX_VALUE;
        return Optional.of(new Lines(delimiter, keyValue, linesPerMapper, new CompressionCodecFactory(conf)));
    }

    @Override
    public String served() {
        return "TextInputFormat, KeyValueTextInputFormat, NLineInputFormat";
    }

    private static int linesPerMapper(Configuration conf) throws UnservedFormatException {
        int lines = conf.getInt(NLineInputFormat.LINES_PER_MAP, 1);
        if (lines < 1) {
            throw new UnservedFormatException(
                    NLineInputFormat.LINES_PER_MAP + " is " + lines + ", not a number of lines");
        }
        return lines;
    }

    /** The bytes that end a record, in hexadecimal digits; none: LF, CR or CRLF. */
    private static String delimiter(Configuration conf) throws UnservedFormatException {
        String text = conf.get(DELIMITER_KEY);
        byte[] delimiter = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        String hex = HexFormat.of().formatHex(delimiter);
        if (overlapsItself(delimiter)) {
            throw new UnservedFormatException("its record delimiter " + hex
                    + " (hexadecimal) can overlap itself, so where records end depends on where one begins to look");
        }
        return hex;
    }

    private static boolean overlapsItself(byte[] delimiter) {
        String text = new String(delimiter, StandardCharsets.ISO_8859_1);
        for (int length = 1; length < text.length(); length++) {
            if (text.endsWith(text.substring(0, length))) {
                return true;
            }
        }
        return false;
    }

    /** @param recordsPerMapper as many as there are, unless chunks are groups of so many lines */
    private record Lines(String delimiter, boolean keyValue, int recordsPerMapper, CompressionCodecFactory codecs)
            implements ChunkRecords {

        @Override
        public String recordFormat() {
            boolean anyGroups = recordsPerMapper == 1 || recordsPerMapper == Integer.MAX_VALUE;
            if (!anyGroups) {
                return "lines:" + recordsPerMapper;
            }
            return delimiter.isEmpty() ? LINES : LINES + ":" + delimiter;
        }

        @Override
        public Optional<String> refusal(Path file) {
            return CompressedInputs.refusal(file, codecs);
        }

        @Override
        public SplitReading splitReading() {
            return keyValue ? SplitReading.CONTENT : SplitReading.KEYS_ARE_OFFSETS;
        }

        @Override
        public RecordReader<?, ?> open(ChunkInput chunk, TaskAttemptContext context) throws IOException {
            LineChunkReader lines =
                    new LineChunkReader(chunk, HexFormat.of().parseHex(delimiter), context.getConfiguration());
            return keyValue ? new KeyValueChunkReader(lines, context.getConfiguration()) : lines;
        }
    }
}
