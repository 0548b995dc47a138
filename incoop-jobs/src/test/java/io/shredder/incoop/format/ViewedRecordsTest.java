// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFilter;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other people's readers, to which a chunk looks like a file. */
class ViewedRecordsTest {

    private final Configuration conf = new Configuration();

    @TempDir
    File folder;

    @Test
    void anInputFormatOfSomebodyElsesIsServedByTheServiceThatItsJarBrings() throws Exception {
        ChunkRecords points = ChunkFormats.find(PointInputFormat.class, conf);
        Path file = write(ByteBuffer.allocate(24)
                .putInt(1)
                .putInt(2)
                .putInt(3)
                .putInt(4)
                .putInt(5)
                .putInt(6)
                .array());

        assertThat(points.recordFormat()).isEqualTo("points");
        assertThat(points.header(file, conf)).isEqualTo(InputHeader.NONE);
        assertThat(values(points, file, 8, 16)).containsExactly("x3 y4", "x5 y6");
    }

    @Test
    void aViewIsGoneWhenItsReaderIsClosedAndCannotBeWritten() throws Exception {
        ChunkFileSystem.configure(conf);
        Path file = write(new byte[24]);
        try (FSDataInputStream in = FileSystem.getLocal(conf).open(file)) {
            Path view = ChunkFileSystem.show(new ChunkInput(in, file, 8, 16, InputHeader.NONE, new PositionWatch()));
            FileSystem fs = view.getFileSystem(conf);

            assertThat(fs.getFileStatus(view).getLen()).isEqualTo(16);
            assertThat(view.getName()).isEqualTo(file.getName());
            assertThatThrownBy(() -> fs.create(view)).hasMessageContaining("only be read");
            ChunkFileSystem.hide(view);
            assertThatThrownBy(() -> fs.open(view)).isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void aHeaderLongerThanTheFirstReadIsFoundWhole() throws Exception {
        SequenceFile.Metadata metadata = new SequenceFile.Metadata();
        metadata.set(new Text("long"), new Text("m".repeat(20_000)));
        Path file = new Path(new File(folder, "long.seq").toURI());
        long headerBytes;
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(file),
                SequenceFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(BytesWritable.class),
                SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE),
                SequenceFile.Writer.metadata(metadata))) {
            headerBytes = writer.getLength();
            writer.append(new Text("key"), new BytesWritable(new byte[100]));
        }

        InputHeader header =
                ChunkFormats.find(SequenceFileInputFormat.class, conf).header(file, conf);

        assertThat(header.length()).isEqualTo((int) headerBytes);
    }

    @Test
    void aFileThatIsNoSequenceFileOrEndsInItsHeaderIsNamed() throws Exception {
        ChunkRecords records = ChunkFormats.find(SequenceFileInputFormat.class, conf);

        for (String start : List.of("Obj\u0001", "SEQ", "SEQ\u0006\u0001K")) {
            Path file = write(start.getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> records.header(file, conf))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void aFilterThatCountsRecordsIsNotServed() {
        assertThatThrownBy(() -> ChunkFormats.find(SequenceFileInputFilter.class, conf))
                .isInstanceOf(UnservedFormatException.class)
                .hasMessageContaining("SequenceFileInputFilter")
                .hasMessageContaining("createRecordReader");
    }

    private List<String> values(ChunkRecords records, Path file, long offset, int length) throws Exception {
        List<String> values = new ArrayList<>();
        try (FSDataInputStream in = FileSystem.getLocal(conf).open(file)) {
            ChunkInput chunk = new ChunkInput(in, file, offset, length, InputHeader.NONE, new PositionWatch());
            try (RecordReader<?, ?> reader =
                    records.open(chunk, new TaskAttemptContextImpl(conf, new TaskAttemptID()))) {
                while (reader.nextKeyValue()) {
                    values.add(String.valueOf(reader.getCurrentValue()));
                }
            }
        }
        return values;
    }

    private Path write(byte[] data) throws IOException {
        File file = new File(folder, "data");
        Files.write(file.toPath(), data);
        return new Path(file.toURI());
    }
}
