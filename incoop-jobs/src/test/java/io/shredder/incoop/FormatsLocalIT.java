// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.format.PointInputFormat;
import io.shredder.incoop.task.IncoopCounter;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.junit.jupiter.api.Test;

/** Jobs over other inputs than lines: the result of a plain run, and only new chunks are mapped. */
class FormatsLocalIT extends LocalJobs {

    @InTurn(days = 3)
    @Test
    void ofASequenceFileThatGrewOnlyWhatIsNewIsMapped() throws Exception {
        FinishedJob.Setup setup = job -> job.setInputFormatClass(SequenceFileInputFormat.class);
        byte[] data = sequenceFile(new Random(41), CompressionType.NONE, "one");
        List<Integer> ends = endsBeforeMarks(data);
        int earlier = ends.get(ends.size() - 3);
        Uploads.upload(fs, input, Arrays.copyOf(data, earlier), "sequencefile", ends.subList(0, ends.size() - 2));
        FinishedJob cold = run("inc-local", setup);
        assertThat(cold.output()).isEqualTo(run("local", setup).output());

        Uploads.upload(fs, input, data, "sequencefile", ends);
        FinishedJob grown = run("inc-local", setup);

        assertThat(grown.chunks(IncoopCounter.CHUNKS_REUSED))
                .isEqualTo(ends.size() - 2)
                .isPositive();
        assertThat(grown.chunks(IncoopCounter.CHUNKS_COMPUTED)).isEqualTo(2);
        assertThat(grown.output()).isEqualTo(run("local", setup).output());
    }

    @InTurn(days = 3)
    @Test
    void theSameChunksBehindAnotherHeaderAreMappedAgain() throws Exception {
        FinishedJob.Setup setup = job -> job.setInputFormatClass(SequenceFileInputFormat.class);
        byte[] data = sequenceFile(new Random(42), CompressionType.BLOCK, "one");
        List<Integer> ends = endsBeforeMarks(data);
        Uploads.upload(fs, input, data, "sequencefile", ends);
        run("inc-local", setup);
        int note = new String(data, StandardCharsets.ISO_8859_1).indexOf("one");
        System.arraycopy("two".getBytes(StandardCharsets.US_ASCII), 0, data, note, 3);
        Uploads.upload(fs, input, data, "sequencefile", ends);

        FinishedJob other = run("inc-local", setup);

        assertThat(ends.size()).isGreaterThan(3);
        assertThat(other.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(other.output()).isEqualTo(run("local", setup).output());
    }

    @InTurn(days = 3)
    @Test
    void theOldApiReadsSequenceFilesInChunksToo() throws Exception {
        FinishedJob.Setup setup = job -> {
            JobConf conf = (JobConf) job.getConfiguration();
            conf.unset(MRJobConfig.MAP_CLASS_ATTR);
            conf.setMapperClass(FormatMappers.PairCounter.class);
            conf.setInputFormat(org.apache.hadoop.mapred.SequenceFileInputFormat.class);
        };
        byte[] data = sequenceFile(new Random(43), CompressionType.RECORD, "one");
        Uploads.upload(fs, input, data, "sequencefile", endsBeforeMarks(data));
        FinishedJob cold = run("inc-local", setup);

        FinishedJob again = run("inc-local", setup);

        assertThat(cold.chunks(IncoopCounter.CHUNKS_COMPUTED)).isGreaterThan(3);
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output())
                .isEqualTo(cold.output())
                .isEqualTo(run("local", setup).output());
    }

    @Test
    void eachMapperOfNLineInputFormatGetsItsNumberOfLines() throws Exception {
        int linesPerMapper = 40;
        FinishedJob.Setup setup = job -> {
            job.setInputFormatClass(NLineInputFormat.class);
            NLineInputFormat.setNumLinesPerSplit(job, linesPerMapper);
            job.setMapperClass(FormatMappers.ShareCounter.class);
        };
        byte[] data = EditedTexts.bytes(EditedTexts.lines(new Random(44), 210));
        Uploads.upload(fs, input, data, "lines:40", endsOfLines(data, 2 * linesPerMapper));
        FinishedJob cold = run("inc-local", setup);

        assertThat(cold.chunks(IncoopCounter.CHUNKS_COMPUTED)).isEqualTo(3);
        assertThat(cold.output().toString())
                .contains("mappers with 40 lines\t5")
                .contains("mappers with 10 lines\t1");
        assertThat(cold.output()).isEqualTo(run("local", setup).output());
    }

    @InTurn(days = 3)
    @Test
    void recordsOfFixedLengthAreServed() throws Exception {
        FinishedJob.Setup setup = job -> {
            job.setInputFormatClass(FixedLengthInputFormat.class);
            FixedLengthInputFormat.setRecordLength(job.getConfiguration(), 10);
            job.setMapperClass(FormatMappers.BytesCounter.class);
        };
        byte[] data = new byte[10 * 400];
        new Random(45).nextBytes(data);
        Uploads.upload(fs, input, data, "fixed:10", List.of(1000, 1010, 3000, 4000));
        run("inc-local", setup);

        FinishedJob again = run("inc-local", setup);

        assertThat(again.chunks(IncoopCounter.CHUNKS_REUSED)).isEqualTo(4);
        assertThat(again.output()).isEqualTo(run("local", setup).output());
    }

    @Test
    void anInputFormatWithAServiceOfItsOwnIsServed() throws Exception {
        FinishedJob.Setup setup = job -> job.setInputFormatClass(PointInputFormat.class);
        ByteBuffer points = ByteBuffer.allocate(PointInputFormat.POINT_BYTES * 300);
        Random random = new Random(46);
        while (points.hasRemaining()) {
            points.putInt(random.nextInt(50));
        }
        Uploads.upload(fs, input, points.array(), "points", List.of(800, 1600, 2400));
        run("inc-local", setup);

        FinishedJob again = run("inc-local", setup);

        assertThat(again.chunks(IncoopCounter.CHUNKS_REUSED)).isEqualTo(3);
        assertThat(again.output()).isEqualTo(run("local", setup).output());
    }

    static byte[] sequenceFile(Random random, CompressionType compression, String note) throws IOException {
        Configuration conf = new Configuration();
        conf.setInt("io.seqfile.compress.blocksize", 500);
        SequenceFile.Metadata metadata = new SequenceFile.Metadata();
        metadata.set(new Text("note"), new Text(note));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FSDataOutputStream out = new FSDataOutputStream(bytes, null);
                SequenceFile.Writer writer = SequenceFile.createWriter(
                        conf,
                        SequenceFile.Writer.stream(out),
                        SequenceFile.Writer.keyClass(Text.class),
                        SequenceFile.Writer.valueClass(Text.class),
                        SequenceFile.Writer.compression(compression),
                        SequenceFile.Writer.metadata(metadata),
                        SequenceFile.Writer.syncInterval(800))) {
            for (int i = 0; i < 300; i++) {
                writer.append(new Text("key" + i % 7), new Text(EditedTexts.line(random)));
            }
        }
        return bytes.toByteArray();
    }

    /** Where Hadoop's reader sees marks. */
    static List<Integer> endsBeforeMarks(byte[] data) throws IOException {
        File file = new File(folder, "marks.seq");
        Files.write(file.toPath(), data);
        List<Integer> ends = new ArrayList<>();
        Configuration conf = new Configuration();
        try (SequenceFile.Reader reader =
                new SequenceFile.Reader(conf, SequenceFile.Reader.file(new Path(file.toURI())))) {
            long before = reader.getPosition();
            Text key = new Text();
            while (reader.next(key, new Text())) {
                if (reader.syncSeen()) {
                    ends.add((int) before);
                }
                before = reader.getPosition();
            }
        }
        ends.add(data.length);
        return ends;
    }

    static List<Integer> endsOfLines(byte[] data, int lines) {
        List<Integer> ends = new ArrayList<>();
        int seen = 0;
        for (int i = 0; i < data.length; i++) {
            if (data[i] == '\n' && ++seen % lines == 0) {
                ends.add(i + 1);
            }
        }
        if (ends.get(ends.size() - 1) < data.length) {
            ends.add(data.length);
        }
        return ends;
    }
}
