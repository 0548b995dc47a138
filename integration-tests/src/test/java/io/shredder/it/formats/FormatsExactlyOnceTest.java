// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordFile;
import io.shredder.hdfs.records.RecordFormats;
import io.shredder.incoop.format.ChunkFormats;
import io.shredder.incoop.format.ChunkRecords;
import io.shredder.incoop.format.InputHeader;
import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.world.AgentLoader;
import io.shredder.it.formats.RecordsOf.Pair;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of every format. Whatever the file and wherever it is cut, the records of its chunks are those that
 * Hadoop's own reader gives from the whole file, each once, in order. And a chunk's records follow from it and its
 * file's header alone.
 */
class FormatsExactlyOnceTest {

    @BeforeAll
    static void lookAtOffsets() {
        assertThat(AgentLoader.load()).isEmpty();
    }

    private static final int ROUNDS = 8;
    private static final String NEW_API = "org.apache.hadoop.mapreduce.lib.input.";
    private static final String OLD_API = "org.apache.hadoop.mapred.";

    @TempDir
    File folder;

    static Stream<Arguments> formats() {
        Stream.Builder<Arguments> formats = Stream.builder();
        for (String api : List.of(NEW_API, OLD_API)) {
            formats.add(Arguments.of(RecordFile.LINES, api + "TextInputFormat"));
            formats.add(Arguments.of(RecordFile.LINES, api + "KeyValueTextInputFormat"));
            formats.add(Arguments.of(RecordFile.FIXED, api + "FixedLengthInputFormat"));
            for (String as : List.of("", "AsText", "AsBinary")) {
                String name = api + "SequenceFile" + as + "InputFormat";
                formats.add(Arguments.of(RecordFile.SEQUENCE_FILE, name));
                formats.add(Arguments.of(RecordFile.SEQUENCE_FILE_RECORDS, name));
                formats.add(Arguments.of(RecordFile.SEQUENCE_FILE_BLOCKS, name));
            }
        }
        formats.add(Arguments.of(RecordFile.LINE_GROUPS, NEW_API + "NLineInputFormat"));
        formats.add(Arguments.of(RecordFile.LINE_GROUPS, OLD_API + "lib.NLineInputFormat"));
        formats.add(Arguments.of(RecordFile.AVRO, "org.apache.avro.mapreduce.AvroKeyInputFormat"));
        formats.add(Arguments.of(RecordFile.AVRO, "org.apache.avro.mapred.AvroInputFormat"));
        formats.add(Arguments.of(RecordFile.AVRO, "org.apache.avro.mapred.AvroAsTextInputFormat"));
        return formats.build();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyRecordIsInExactlyOneChunkInOrder(RecordFile kind, String inputFormat) throws Exception {
        Case format = new Case(kind, inputFormat);
        long seed = System.nanoTime();
        System.out.println(kind + " " + inputFormat + " seed " + seed);
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            byte[] data = kind.random(random);
            List<Integer> ends = ChunkedFile.chunkEnds(format.upload, data, random);
            Path file = write("file", data);
            assertThat(chunkByChunk(format, file, ends))
                    .as("%s, seed %d, chunks end at %s", inputFormat, seed + round, ends)
                    .isEqualTo(format.reader.hadoop(file, 0, data.length));
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aChunksRecordsAreTheSameWhereverItLies(RecordFile kind, String inputFormat) throws Exception {
        Case format = new Case(kind, inputFormat);
        long seed = System.nanoTime();
        System.out.println(kind + " " + inputFormat + " seed " + seed);
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            byte[] data = kind.random(random);
            List<Integer> ends = ChunkedFile.chunkEnds(format.upload, data, random);
            int chunk = random.nextInt(ends.size());
            int start = chunk == 0 ? 0 : ends.get(chunk - 1);
            byte[] bytes = Arrays.copyOfRange(data, start, ends.get(chunk));
            Path file = write("file", data);
            InputHeader header = start == 0 ? InputHeader.NONE : format.map.header(file, format.conf);
            Path moved = write("moved", elsewhere(data, header.length(), bytes, random));
            long movedTo = header.length() + ELSEWHERE_BYTES;
            PositionWatch watch = new PositionWatch();
            List<Pair> there = read(format, file, start, bytes.length, header, watch);
            List<Pair> here = read(format, moved, movedTo, bytes.length, header, watch);
            assertThat(values(here))
                    .as("%s, seed %d", inputFormat, seed + round)
                    .isEqualTo(values(there));
            assertThat(here.equals(there) || watch.wasAsked())
                    .as("%s, seed %d: keys that differ are noticed", inputFormat, seed + round)
                    .isTrue();
        }
    }

    private static final int ELSEWHERE_BYTES = 31;

    /** Another file with the same header, in which other bytes stand around the chunk. */
    private static byte[] elsewhere(byte[] data, int headerBytes, byte[] chunk, Random random) {
        byte[] file = new byte[headerBytes + ELSEWHERE_BYTES + chunk.length + ELSEWHERE_BYTES];
        random.nextBytes(file);
        System.arraycopy(data, 0, file, 0, headerBytes);
        System.arraycopy(chunk, 0, file, headerBytes + ELSEWHERE_BYTES, chunk.length);
        return file;
    }

    /** A byte order mark at a chunk's start is part of its first line, but not at a file's start. That is noticed. */
    private static List<String> values(List<Pair> pairs) {
        return pairs.stream()
                .map(pair -> pair.value().replaceFirst("^\uFEFF", ""))
                .toList();
    }

    @Test
    void mappersOfLineGroupsGetTheLinesThatNLineInputFormatGivesThem() throws Exception {
        Case format = new Case(RecordFile.LINE_GROUPS, RecordFile.LINE_GROUPS.inputFormat());
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            byte[] data = RecordFile.LINE_GROUPS.random(random);
            Path file = write("file", data);
            List<List<Pair>> hadoop = new ArrayList<>();
            FileSystem local = FileSystem.getLocal(format.conf);
            for (FileSplit split : NLineInputFormat.getSplitsForFile(local.getFileStatus(file), format.conf, 3)) {
                hadoop.add(format.reader.hadoop(split.getPath(), split.getStart(), split.getLength()));
            }
            List<List<Pair>> ours = new ArrayList<>();
            int start = 0;
            for (int end : ChunkedFile.chunkEnds(format.upload, data, random)) {
                List<Pair> pairs = read(format, file, start, end - start, InputHeader.NONE, new PositionWatch());
                for (int i = 0; i < pairs.size(); i += format.map.recordsPerMapper()) {
                    ours.add(pairs.subList(i, Math.min(pairs.size(), i + format.map.recordsPerMapper())));
                }
                start = end;
            }
            assertThat(ours).as("seed %d", seed + round).isEqualTo(hadoop);
        }
    }

    private List<Pair> chunkByChunk(Case format, Path file, List<Integer> ends) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        InputHeader header = format.map.header(file, format.conf);
        int start = 0;
        for (int end : ends) {
            InputHeader inFront = start == 0 ? InputHeader.NONE : header;
            pairs.addAll(read(format, file, start, end - start, inFront, new PositionWatch()));
            start = end;
        }
        return pairs;
    }

    private static List<Pair> read(
            Case format, Path file, long start, int length, InputHeader header, PositionWatch watch) throws Exception {
        try (FSDataInputStream in = FileSystem.getLocal(format.conf).open(file)) {
            return format.reader.chunk(format.map, in, file, start, length, header, watch);
        }
    }

    private Path write(String name, byte[] data) throws Exception {
        File file = new File(folder, name);
        Files.write(file.toPath(), data);
        return new Path(file.toURI());
    }

    /** Both halves of a format, which must call it by the same name. */
    private static final class Case {

        private final Configuration conf;
        private final RecordFormat upload;
        private final ChunkRecords map;
        private final RecordsOf reader;

        Case(RecordFile kind, String inputFormat) throws Exception {
            conf = kind.configured(new Configuration());
            upload = RecordFormats.find(inputFormat, conf);
            map = ChunkFormats.find(Class.forName(inputFormat), conf);
            reader = new RecordsOf(conf, Class.forName(inputFormat));
            assertThat(map.recordFormat()).isEqualTo(upload.manifestName());
        }
    }
}
