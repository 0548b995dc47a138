// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;

/** A job over the part files of another one. */
class ChainLocalIT extends LocalJobs {

    private static final FinishedJob.Setup CHUNKED = job -> {
        job.getConfiguration().setBoolean("incoop.output.chunked", true);
        job.getConfiguration().setInt("incoop.output.chunk.bytes", 4096);
    };

    private static final FinishedJob.Setup LINES = job -> {
        job.setMapperClass(TestMappers.CountingMapper.class);
        job.setNumReduceTasks(1);
    };

    private static Path outputOf(FinishedJob run) {
        return FileOutputFormat.getOutputPath(run.job());
    }

    private static FinishedJob second(String framework, Path input) throws Exception {
        return FinishedJob.wordCount(conf(framework), fs, input, LINES);
    }

    @Test
    @InTurn(days = 3)
    void theSecondJobOfAChainMapsWhatHasChangedInTheFirstOnesPartFilesAlone() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(91), 6000);
        for (int i = 0; i < lines.size(); i++) {
            lines.set(i, lines.get(i) + " word" + i);
        }
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Path first = outputOf(run("inc-local", CHUNKED));
        FinishedJob cold = second("inc-local", first);
        lines.set(3000, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob edited = run("inc-local", CHUNKED);
        FinishedJob next = second("inc-local", outputOf(edited));

        assertThat(edited.output()).isEqualTo(run("local", CHUNKED).output());
        assertThat(cold.chunks(IncoopCounter.CHUNKS_COMPUTED)).isGreaterThan(8);
        assertThat(cold.output()).isEqualTo(second("local", first).output());
        assertThat(next.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(next.chunks(IncoopCounter.CHUNKS_COMPUTED)).isBetween(1L, 12L);
        assertThat(next.output()).isEqualTo(second("local", outputOf(edited)).output());
    }

    @Test
    void aFileTruncatedAndAppendedToItsOldBlocksIsFoundOut() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(94), 1000)));
        Path parts = outputOf(run("inc-local", CHUNKED));
        assertThat(second("inc-local", parts).ranPlainly()).isFalse();
        for (FileStatus part : fs.listStatus(parts, path -> path.getName().startsWith("part-"))) {
            edit(part);
        }

        FinishedJob edited = second("inc-local", parts);

        assertThat(edited.ranPlainly()).isTrue();
        assertThat(edited.output()).isEqualTo(second("local", parts).output());
    }

    /** Its last bytes are others, and nothing else of it: neither its id, nor its length, nor where its blocks end. */
    private static void edit(FileStatus part) throws Exception {
        byte[] tail = "zz\t1\n".getBytes(StandardCharsets.US_ASCII);
        if (!fs.truncate(part.getPath(), part.getLen() - tail.length)) {
            GenericTestUtils.waitFor(() -> isClosed(part.getPath()), 50, 30_000);
        }
        try (FSDataOutputStream out = fs.append(part.getPath())) {
            out.write(tail);
        }
        assertThat(fs.getFileStatus(part.getPath()).getLen()).isEqualTo(part.getLen());
    }

    private static boolean isClosed(Path file) {
        try {
            return ((DistributedFileSystem) fs).isFileClosed(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @InTurn(days = 3)
    @Test
    void partFilesThatAreReusedGetManifestsToo() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(92), 2000)));
        run("inc-local", CHUNKED);

        FinishedJob again = run("inc-local", CHUNKED);

        assertThat(again.chunks(IncoopCounter.PARTS_REUSED)).isEqualTo(2);
        assertThat(second("inc-local", outputOf(again)).ranPlainly()).isFalse();
    }

    @Test
    void withoutTheOptionPartFilesGetNoManifests() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(93), 500)));

        FinishedJob run = wordCount("inc-local");

        assertThat(fs.listStatus(outputOf(run)))
                .noneMatch(file -> file.getPath().getName().startsWith("."));
        assertThat(second("inc-local", outputOf(run)).ranPlainly()).isTrue();
    }
}
