// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.engine.SourceChangedException;
import io.shredder.hdfs.upload.HdfsDestination;
import io.shredder.hdfs.upload.Upload;
import io.shredder.hdfs.upload.UploadOptions;
import io.shredder.hdfs.upload.UploadSetting;
import io.shredder.hdfs.upload.UploadSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.PathData;
import org.junit.jupiter.api.Test;

/** A file that changes its length while it is read is refused, and nothing of it published. */
class ChangingSourceIT extends HdfsCase {

    /** Small buffers, as is the upload's: the engine can't have read all when the first chunk is written. */
    private static final ShredderOptions SMALL_BUFFERS =
            ShredderOptions.builder().bufferBytes(128 << 10).pipelineDepth(2).build();

    private interface Edit {
        void apply(RandomAccessFile file) throws IOException;
    }

    @Test
    void aFileThatShrinksIsRefused() throws Exception {
        refusesWhileEdited(file -> file.setLength(4 << 20));
    }

    @Test
    void aFileThatGrowsIsRefused() throws Exception {
        refusesWhileEdited(file -> file.setLength(9 << 20));
    }

    private void refusesWhileEdited(Edit edit) throws Exception {
        Path source = write("a", TextFiles.lines(8 << 20, 1));
        String target = fs.makeQualified(path("/upload/a")).toString();
        CommandFormat format = new CommandFormat(0, Integer.MAX_VALUE);
        UploadSetting.options().forEach(format::addOptionWithValue);
        format.parse(new LinkedList<>(
                List.of("-avg", "4k", "-blockAvg", "128k", "-buffer", "1m", "--", "source", "target")));
        UploadOptions options = UploadOptions.of(format, conf);
        boolean overwrite = false;
        try (Shredder engine = Shredder.open(SMALL_BUFFERS);
                HdfsDestination destination = new HdfsDestination(fs, new PathData(target, conf), overwrite)) {
            UploadSource from = UploadSource.ofFile(new PathData(source.toUri(), conf));
            assertThatThrownBy(() -> new Upload(engine, options).copy(from, destination, once(source, edit)))
                    .isInstanceOf(SourceChangedException.class)
                    .hasMessageContaining("changed while it was read");
            assertThat(names("/upload")).containsExactly(".a.shredder-upload");
        }
        assertThat(names("/upload")).isEmpty();
    }

    /** Edits the file when the first bytes have been written. */
    private static LongConsumer once(Path source, Edit edit) throws IOException {
        long length = Files.size(source);
        return written -> {
            try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
                if (file.length() == length) {
                    edit.apply(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
