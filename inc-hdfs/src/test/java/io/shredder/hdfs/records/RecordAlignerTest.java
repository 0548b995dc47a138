// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordAlignerTest {

    private static final String DELIMITER_KEY = "textinputformat.record.delimiter";

    /** Where a chunk ends, and whether a segment does. */
    private record Cut(long end, boolean segment) {}

    /** Collects cuts and checks that every byte arrives once, in order, in chunks that aren't empty. */
    private static final class Cuts implements RecordAligner.Sink {
        private final byte[] expected;
        private final List<Cut> cuts = new ArrayList<>();
        private int position;
        private int chunkStart;

        Cuts(byte[] expected) {
            this.expected = expected;
        }

        @Override
        public void data(ByteBuffer piece) {
            assertThat(piece.hasRemaining()).isTrue();
            while (piece.hasRemaining()) {
                assertThat(piece.get()).isEqualTo(expected[position++]);
            }
        }

        @Override
        public void endChunk(boolean segmentEnd) {
            assertThat(position).isGreaterThan(chunkStart);
            chunkStart = position;
            cuts.add(new Cut(position, segmentEnd));
        }
    }

    @TempDir
    private Path folder;

    @Test
    void linesInRandomTextStayWholeAsLineRecordReaderReadsThem() throws Exception {
        for (int round = 0; round < 150; round++) {
            checkRound(new Configuration(false), randomBytes("\r\n\nab", round), round);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"|", "ab", "aa", "aba", "aab", "abab", "\r\n", "--sep--", "é"})
    void recordsWithADelimiterStayWholeAsLineRecordReaderReadsThem(String delimiter) throws Exception {
        Configuration conf = new Configuration(false);
        conf.set(DELIMITER_KEY, delimiter);
        for (int round = 0; round < 40; round++) {
            byte[] data = concatenation(List.of(delimiter, "a", "b", "\n", "x"), round);
            checkRound(conf, data, round);
        }
    }

    /** Every cut of the aligned chunks is the first record end at or after a given one, and none is lost. */
    private void checkRound(Configuration conf, byte[] data, long seed) throws Exception {
        Random random = new Random(seed);
        List<Cut> given = randomCuts(data.length, random);
        TreeSet<Long> recordEnds = recordEnds(data, conf);
        List<Cut> expected = alignByDefinition(given, recordEnds, data.length);
        assertThat(align(data, given, conf)).as("seed %d, cuts %s", seed, given).isEqualTo(expected);
    }

    private static List<Cut> alignByDefinition(List<Cut> given, TreeSet<Long> recordEnds, long length) {
        List<Cut> aligned = new ArrayList<>();
        for (Cut cut : given) {
            Long end = cut.end() == length ? Long.valueOf(length) : recordEnds.ceiling(cut.end());
            long moved = end == null ? length : end;
            boolean segment = cut.segment() || moved == length;
            if (!aligned.isEmpty() && aligned.get(aligned.size() - 1).end() == moved) {
                segment |= aligned.remove(aligned.size() - 1).segment();
            }
            aligned.add(new Cut(moved, segment));
        }
        return aligned;
    }

    private static List<Cut> align(byte[] data, List<Cut> given, Configuration conf) throws IOException {
        Cuts cuts = new Cuts(data);
        RecordAligner aligner =
                new RecordAligner(RecordFormats.find("text", conf).open("test"), cuts);
        int start = 0;
        for (Cut cut : given) {
            aligner.accept(ByteBuffer.wrap(data, start, (int) cut.end() - start).asReadOnlyBuffer(), cut.segment());
            start = (int) cut.end();
        }
        aligner.finish();
        assertThat(cuts.position).isEqualTo(data.length);
        return cuts.cuts;
    }

    /** Where Hadoop's reader says that records begin, but for the first, and the end. */
    private TreeSet<Long> recordEnds(byte[] data, Configuration conf) throws Exception {
        Path file = folder.resolve("records.txt");
        Files.write(file, data);
        InputFormat<LongWritable, Text> format = new TextInputFormat();
        TaskAttemptContext context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
        FileSplit split = new FileSplit(new org.apache.hadoop.fs.Path(file.toUri()), 0, data.length, new String[0]);
        TreeSet<Long> ends = new TreeSet<>();
        try (RecordReader<LongWritable, Text> reader = format.createRecordReader(split, context)) {
            reader.initialize(split, context);
            while (reader.nextKeyValue()) {
                ends.add(reader.getCurrentKey().get());
            }
        }
        ends.remove(0L);
        ends.add((long) data.length);
        return ends;
    }

    private static List<Cut> randomCuts(int length, Random random) {
        TreeSet<Integer> ends = new TreeSet<>(List.of(length));
        int count = random.nextInt(1 + length / 2);
        for (int i = 0; i < count; i++) {
            ends.add(1 + random.nextInt(length));
        }
        return ends.stream().map(end -> new Cut(end, random.nextInt(4) == 0)).toList();
    }

    private static byte[] randomBytes(String alphabet, long seed) {
        Random random = new Random(seed);
        byte[] data = new byte[1 + random.nextInt(120)];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        }
        return data;
    }

    private static byte[] concatenation(List<String> parts, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("s");
        for (int i = random.nextInt(60); i >= 0; i--) {
            text.append(parts.get(random.nextInt(parts.size())));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aRecordLongerThanManyChunksIsKeptWholeAndEndsASegmentIfAnyOfItsCutsDid() throws IOException {
        byte[] data = "one\nlooooooooong\nlast".getBytes(StandardCharsets.US_ASCII);
        List<Cut> given = List.of(
                new Cut(4, false),
                new Cut(6, false),
                new Cut(8, true),
                new Cut(10, false),
                new Cut(19, false),
                new Cut(21, false));
        List<Cut> cuts = align(data, given, new Configuration(false));
        assertThat(cuts).containsExactly(new Cut(4, false), new Cut(17, true), new Cut(21, true));
    }

    @Test
    void aCarriageReturnWaitsForItsLineFeed() throws IOException {
        byte[] data = "a\r\nb\rc".getBytes(StandardCharsets.US_ASCII);
        List<Cut> cuts =
                align(data, List.of(new Cut(2, false), new Cut(5, false), new Cut(6, false)), new Configuration(false));
        assertThat(cuts).extracting(Cut::end).containsExactly(3L, 5L, 6L);
    }

    @Test
    void rawCutsDoNotMove() throws IOException {
        byte[] data = "no line ends here".getBytes(StandardCharsets.US_ASCII);
        Cuts cuts = new Cuts(data);
        RecordAligner aligner = new RecordAligner(
                RecordFormats.find("raw", new Configuration(false)).open("test"), cuts);
        aligner.accept(ByteBuffer.wrap(data, 0, 3), true);
        aligner.accept(ByteBuffer.wrap(data, 3, 14), false);
        aligner.finish();
        assertThat(cuts.cuts).containsExactly(new Cut(3, true), new Cut(17, true));
    }

    @Test
    void anEmptyStreamHasNoChunks() throws IOException {
        Cuts cuts = new Cuts(new byte[0]);
        new RecordAligner(new LineBoundaries(), cuts).finish();
        assertThat(cuts.cuts).isEmpty();
    }
}
