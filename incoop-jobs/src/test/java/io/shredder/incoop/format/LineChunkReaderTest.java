// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks, read one by one, give what Hadoop's own reader gives from the whole file. */
class LineChunkReaderTest {

    private final Configuration conf = new Configuration();

    @TempDir
    File folder;

    @Test
    void linesAndOffsetsAreThoseOfTheWholeFile() throws IOException {
        assertSameAsHadoop("one\ntwo\n\nfour\n", 4, 9);
        assertSameAsHadoop("no end", 6);
        assertSameAsHadoop("a\r\nb\rc\nd\r\n", 3, 7);
        assertSameAsHadoop("\n\n\n", 1, 2);
    }

    @Test
    void aByteOrderMarkIsDroppedAtOffsetZeroOnly() throws IOException {
        assertSameAsHadoop("\uFEFFone\n\uFEFFtwo\n", 7);
        assertSameAsHadoop("\uFEFF", 3);
        assertSameAsHadoop("\uFEFF\nnext\n", 4);
    }

    @Test
    void randomTextIsReadTheSame() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String[] pieces = {"a", "bc", "\n", "\n", "\r\n", "\r", "\uFEFF", "d "};
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder("x");
            List<Integer> cuts = new ArrayList<>();
            for (int i = random.nextInt(40); i >= 0; i--) {
                String piece = pieces[random.nextInt(pieces.length)];
                text.append(piece);
                if (piece.equals("\n") && random.nextInt(3) == 0) {
                    cuts.add(text.toString().getBytes(StandardCharsets.UTF_8).length);
                }
            }
            assertSameAsHadoop(
                    text.toString(), cuts.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    private void assertSameAsHadoop(String text, int... cuts) throws IOException {
        List<String> records = new ArrayList<>();
        int start = 0;
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        for (int i = 0; i <= cuts.length; i++) {
            int end = i < cuts.length ? cuts[i] : length;
            if (end > start) {
                LineChunkReader reader = reader(text, start, end, new PositionWatch());
                while (reader.nextKeyValue()) {
                    records.add(reader.getCurrentKey() + " " + reader.getCurrentValue());
                }
            }
            start = end;
        }
        assertThat(records).as("text %s cut at %s", text, cuts).isEqualTo(hadoopRecords(text));
    }

    private List<String> hadoopRecords(String text) throws IOException {
        List<String> records = new ArrayList<>();
        Path path = write(text);
        try (LineRecordReader reader = new LineRecordReader()) {
            reader.initialize(
                    new FileSplit(path, 0, new File(path.toUri()).length(), null),
                    new TaskAttemptContextImpl(conf, new TaskAttemptID()));
            while (reader.nextKeyValue()) {
                LongWritable key = reader.getCurrentKey();
                records.add(key + " " + reader.getCurrentValue());
            }
        }
        return records;
    }

    private LineChunkReader reader(String text, int start, int end, PositionWatch watch) throws IOException {
        Path path = write(text);
        FSDataInputStream file = FileSystem.getLocal(conf).open(path);
        ChunkInput chunk = new ChunkInput(file, path, start, end - start, InputHeader.NONE, watch);
        return new LineChunkReader(chunk, new byte[0], conf);
    }

    private Path write(String text) throws IOException {
        File file = new File(folder, "text");
        Files.writeString(file.toPath(), text);
        return new Path(file.toURI());
    }
}
