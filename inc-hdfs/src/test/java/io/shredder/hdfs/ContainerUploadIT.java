// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;

/** Files that are cut by their own structure. */
class ContainerUploadIT extends HdfsCase {

    private static final int RECORDS = 2000;

    @Test
    void aSequenceFilesBlocksBeginAtSyncMarksSoEachIsASplitOfItsOwn() throws Exception {
        Path source = sequenceFile("a.seq");
        byte[] data = Files.readAllBytes(source);

        ShellRun run = shell("-inputFormat", "sequencefile", source.toString(), "/upload/a.seq");

        assertThat(run.err()).isEmpty();
        assertThat(read("/upload/a.seq")).isEqualTo(data);
        Manifest manifest = manifest("/upload/a.seq");
        assertThat(manifest.recordFormat()).isEqualTo("sequencefile");
        assertThat(manifest.segmentLengths()).hasSizeGreaterThan(4).isEqualTo(blockLengths("/upload/a.seq"));
        for (Chunk chunk : manifest.chunks().subList(1, manifest.chunks().size())) {
            assertThat(Arrays.copyOfRange(data, (int) chunk.offset(), (int) chunk.offset() + 4))
                    .containsOnly(0xFF);
        }
        assertThat(keysSplitBySplit(manifest)).hasSize(RECORDS).isSorted();
    }

    @Test
    void aBrokenSequenceFileIsRefusedWithTheOffsetAndLeavesNothingBehind() throws Exception {
        Path source = sequenceFile("broken.seq");
        byte[] data = Files.readAllBytes(source);
        Files.write(source, Arrays.copyOf(data, data.length - 7));
        Files.delete(source.resolveSibling(".broken.seq.crc"));

        ShellRun run = shell("-inputFormat", "sequencefile", source.toString(), "/upload/broken.seq");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).contains("broken.seq: damaged at offset ");
        assertThat(names("/upload")).isEmpty();
    }

    private List<Integer> keysSplitBySplit(Manifest manifest) throws Exception {
        List<Integer> keys = new ArrayList<>();
        long start = 0;
        for (long length : manifest.segmentLengths()) {
            try (SequenceFileRecordReader<IntWritable, BytesWritable> reader = new SequenceFileRecordReader<>()) {
                reader.initialize(
                        new FileSplit(fs.makeQualified(path("/upload/a.seq")), start, length, new String[0]),
                        new TaskAttemptContextImpl(conf, new TaskAttemptID()));
                while (reader.nextKeyValue()) {
                    keys.add(reader.getCurrentKey().get());
                }
            }
            start += length;
        }
        return keys;
    }

    private Path sequenceFile(String name) throws IOException {
        Path file = local.resolve(name);
        Random random = new Random(5);
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(new org.apache.hadoop.fs.Path(file.toUri())),
                SequenceFile.Writer.keyClass(IntWritable.class),
                SequenceFile.Writer.valueClass(BytesWritable.class),
                SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE),
                SequenceFile.Writer.syncInterval(3000))) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] value = new byte[random.nextInt(2000)];
                random.nextBytes(value);
                writer.append(new IntWritable(i), new BytesWritable(value));
            }
        }
        return file;
    }
}
