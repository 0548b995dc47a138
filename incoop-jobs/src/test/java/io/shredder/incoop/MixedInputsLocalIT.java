// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.format.SubclassFormats;
import io.shredder.incoop.task.IncoopCounter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;

/** Only some of a job's files have manifests: the others are mapped plainly, beside the chunks, and never kept. */
class MixedInputsLocalIT extends LocalJobs {

    private static final FinishedJob.Setup MARKING = job -> job.setMapperClass(InputMappers.Marking.class);

    private void put(String name, byte[] data) throws IOException {
        try (FSDataOutputStream out = fs.create(new Path(input.getParent(), name), true)) {
            out.write(data);
        }
    }

    private static byte[] lines(int seed, int count, String... more) {
        List<String> lines = new ArrayList<>(EditedTexts.lines(new Random(seed), count));
        lines.addAll(List.of(more));
        return EditedTexts.bytes(lines);
    }

    private static byte[] zipped(byte[] data) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(data);
        }
        return bytes.toByteArray();
    }

    private FinishedJob likePlainly(FinishedJob.Setup setup) throws Exception {
        FinishedJob run = run("inc-local", setup);
        FinishedJob plain = run("local", setup);
        assertThat(run.output()).isEqualTo(plain.output());
        for (TaskCounter counter : List.of(
                TaskCounter.MAP_INPUT_RECORDS, TaskCounter.MAP_OUTPUT_RECORDS, TaskCounter.REDUCE_OUTPUT_RECORDS)) {
            assertThat(run.counter(counter)).isEqualTo(plain.counter(counter));
        }
        return run;
    }

    @Test
    void filesWithoutAManifestAreMappedBesideChunksAndAnewEachTime() throws Exception {
        Uploads.upload(fs, input, lines(61, 3000));
        put("bare", lines(62, 2000));
        put("zipped.gz", zipped(lines(63, 1000)));

        FinishedJob cold = likePlainly(job -> {});
        FinishedJob again = likePlainly(job -> {});
        put("bare", lines(64, 2000));
        FinishedJob changed = likePlainly(job -> {});

        assertThat(cold.chunks(IncoopCounter.PLAIN_FILES)).isEqualTo(2);
        for (FinishedJob run : List.of(again, changed)) {
            assertThat(run.chunks(IncoopCounter.CHUNKS_TOTAL)).isPositive();
            assertThat(run.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
            assertThat(run.chunks(IncoopCounter.PARTS_REUSED)).isZero();
        }
        assertThat(changed.output()).isNotEqualTo(again.output());
    }

    @InTurn(days = 3)
    @Test
    void partFilesOfRunsWithAndWithoutSuchFilesAreNotTakenForEachOther() throws Exception {
        Uploads.upload(fs, input, lines(65, 1500));
        put("bare", lines(66, 300));
        likePlainly(job -> {});
        fs.delete(new Path(input.getParent(), "bare"), false);
        FinishedJob chunksOnly = likePlainly(job -> {});
        FinishedJob reused = likePlainly(job -> {});
        put("bare", lines(67, 300));

        FinishedJob mixed = likePlainly(job -> {});

        assertThat(chunksOnly.chunks(IncoopCounter.PARTS_REUSED)).isZero();
        assertThat(reused.chunks(IncoopCounter.PARTS_REUSED)).isEqualTo(2);
        assertThat(mixed.chunks(IncoopCounter.PARTS_REUSED)).isZero();
        assertThat(mixed.output()).isNotEqualTo(reused.output());
    }

    @Test
    void aFileWithAStaleManifestIsMappedPlainly() throws Exception {
        Uploads.upload(fs, input, lines(68, 1500));
        Path stale = new Path(input.getParent(), "stale");
        Uploads.upload(fs, stale, lines(69, 500));
        try (FSDataOutputStream out = fs.append(stale)) {
            out.write("appended line\n".getBytes(StandardCharsets.UTF_8));
        }

        FinishedJob run = likePlainly(job -> {});

        assertThat(run.chunks(IncoopCounter.PLAIN_FILES)).isEqualTo(1);
        assertThat(run.output().toString()).contains("appended");
    }

    @Test
    void withoutACombinerAndWithManyPartsTheRecordsAreTheSame() throws Exception {
        Uploads.upload(fs, input, lines(70, 1500));
        put("bare", lines(71, 1500));
        put("empty", new byte[0]);

        FinishedJob run = likePlainly(job -> {
            job.getConfiguration().unset("mapreduce.job.combine.class");
            job.setNumReduceTasks(7);
        });

        assertThat(run.chunks(IncoopCounter.PLAIN_FILES)).isEqualTo(1);
    }

    @InTurn(days = 3)
    @Test
    void aMapperMayAskAPlainlyMappedFileForItsOffsets() throws Exception {
        Uploads.upload(fs, input, lines(72, 1500));
        put("bare", lines(73, 500, "offset", "offset"));

        assertThat(likePlainly(MARKING).ranPlainly()).isFalse();
        FinishedJob again = likePlainly(MARKING);

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
    }

    @Test
    void aMapperSeesTheOptionsThatItsInputFormatSets() throws Exception {
        byte[] data = "one#;two#;option#;three#;".getBytes(StandardCharsets.UTF_8);
        Uploads.upload(fs, input, data, "text:233b", "#;".getBytes(StandardCharsets.UTF_8));
        put("bare", data);

        FinishedJob run = likePlainly(job -> {
            job.setInputFormatClass(SubclassFormats.ByHashes.class);
            job.setMapperClass(InputMappers.Marking.class);
        });

        assertThat(run.chunks(IncoopCounter.PLAIN_FILES)).isEqualTo(1);
        assertThat(run.output().toString()).contains("option #;");
    }

    @InTurn(days = 3)
    @Test
    void aMapperThatAsksForItsTaskInAPlainlyMappedFileHasTheWholeJobRunPlainly() throws Exception {
        for (String question : List.of("task", "partition")) {
            fs.delete(input.getParent(), true);
            Uploads.upload(fs, input, lines(74, 500));
            put("bare", lines(75, 100, question));

            assertThat(likePlainly(MARKING).ranPlainly()).isTrue();
            assertThat(likePlainly(MARKING).ranPlainly()).isTrue();
            fs.delete(new Path("/user"), true);
        }
    }

    @Test
    void whatAMapperWritesElsewhereFromAPlainlyMappedFileHappensOnce() throws Exception {
        for (String way : List.of("append ", "thread ")) {
            fs.delete(input.getParent(), true);
            java.nio.file.Path side = Files.createTempFile(folder.toPath(), "side", "");
            Uploads.upload(fs, input, lines(76, 500));
            put("bare", lines(77, 100, way + side));

            FinishedJob run = run("inc-local", MARKING);

            assertThat(run.ranPlainly()).isTrue();
            assertThat(Files.readString(side)).isEqualTo("x");
        }
    }

    @Test
    void withoutAnyManifestTheJobRunsPlainly() throws Exception {
        put("bare", lines(78, 500));
        put("empty", new byte[0]);

        assertThat(likePlainly(job -> {}).ranPlainly()).isTrue();
    }
}
