// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.InTurn;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.figures.Row;
import io.shredder.it.process.Children;
import io.shredder.it.scale.HeldLink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bench's cells at tiny sizes, against a real agent: what is sent and kept, not how fast. */
class IntegrityLabIT {
    private static final long FILE_BYTES = 3 << 20;
    private static final int BLOCK_BYTES = 256 << 10;
    private static final long IMAGE_BYTES = 24 << 20;
    /** What a store keeps of a block beside its bytes, at most. */
    private static final double MOST_BESIDE = 0.02;

    private static final Children CHILDREN = new Children();

    @TempDir
    static Path folder;

    private static IntegrityLab lab;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        int cores = ProcessorSet.all().count();
        lab = new IntegrityLab(new IntegrityLab.Place(folder, List.of(), CHILDREN), cores);
    }

    @AfterAll
    static void close() {
        CHILDREN.close();
    }

    private static List<String> files(Workload workload) throws IOException {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            files.add(lab.file("file-" + i, i, FILE_BYTES).toString());
        }
        return switch (workload) {
            case DIFFERENT -> files;
            case SIMILAR -> Collections.nCopies(3, files.get(0));
            case CHECKPOINT -> CheckpointFigures.images(folder.resolve("images"), 1, 2, IMAGE_BYTES);
        };
    }

    private static List<WriteJob.Cell> cells(Workload workload, boolean byContent) throws IOException {
        List<String> files = files(workload);
        return lab.variants(false).stream()
                .map(variant -> new WriteJob.Cell(
                        workload.word() + " " + variant.word(),
                        variant,
                        new Cutting(byContent, BLOCK_BYTES),
                        files,
                        workload.primed(),
                        1,
                        0,
                        Long.MAX_VALUE))
                .toList();
    }

    private static List<Row> run(List<WriteJob.Cell> cells, Optional<HeldLink> link)
            throws IOException, InterruptedException {
        return lab.run(cells, DigestAlgorithm.BLAKE3, link);
    }

    private static Row row(List<Row> rows, Variant variant) {
        return rows.stream()
                .filter(row -> row.text("variant").equals(variant.word()))
                .findFirst()
                .orElseThrow();
    }

    /** All of one workload and one way of cutting. */
    private static void requireSameKept(List<Row> rows) throws IOException {
        assertThat(rows).hasSameSizeAs(lab.variants(false));
        IntegrityLab.requireSameStored(rows);
        for (Row row : rows) {
            double sent = row.number("sentBytes");
            assertThat(row.number("storedBytes")).isBetween(sent, sent * (1 + MOST_BESIDE));
        }
        assertThat(row(rows, Variant.ORACLE).number("storedBytes"))
                .isEqualTo(row(rows, Variant.CPU).number("storedBytes"));
    }

    @Test
    void theStoreKeepsTheSameWhoeverDigestsAndAllWhereNobodyDoes() throws IOException, InterruptedException {
        List<WriteJob.Cell> cells = new ArrayList<>();
        for (boolean byContent : new boolean[] {false, true}) {
            cells.addAll(cells(Workload.DIFFERENT, byContent));
            cells.addAll(cells(Workload.SIMILAR, byContent));
        }
        List<Row> rows = run(cells, Optional.empty());
        int each = lab.variants(false).size();
        for (int from = 0; from < rows.size(); from += 2 * each) {
            List<Row> different = rows.subList(from, from + each);
            List<Row> similar = rows.subList(from + each, from + 2 * each);
            requireSameKept(different);
            requireSameKept(similar);
            assertThat(different).allSatisfy(row -> {
                assertThat(row.number("bytes")).isEqualTo(3 * FILE_BYTES);
                assertThat(row.number("sentBytes")).isEqualTo(3 * FILE_BYTES);
            });
            assertThat(row(similar, Variant.NONE).number("sentBytes")).isEqualTo(3 * FILE_BYTES);
            assertThat(row(similar, Variant.CPU).number("sentBytes")).isEqualTo(FILE_BYTES);
            assertThat(row(similar, Variant.CPU).number("bytes")).isEqualTo(2 * FILE_BYTES);
        }
    }

    @Test
    void ofCheckpointsFixedBlocksFindAFifthAgainAndBlocksByContentMost() throws IOException, InterruptedException {
        List<WriteJob.Cell> cells = new ArrayList<>(cells(Workload.CHECKPOINT, false));
        cells.addAll(cells(Workload.CHECKPOINT, true));
        List<Row> rows = run(cells, Optional.empty());
        List<Row> fixed = rows.subList(0, rows.size() / 2);
        List<Row> byContent = rows.subList(rows.size() / 2, rows.size());
        requireSameKept(fixed);
        requireSameKept(byContent);
        double some = CheckpointFigures.similarity(row(fixed, Variant.ORACLE), IMAGE_BYTES);
        double most = CheckpointFigures.similarity(row(byContent, Variant.ORACLE), IMAGE_BYTES);
        assertThat(some).isBetween(0.20, 0.23);
        assertThat(most).isGreaterThan(3 * some);
    }

    @Test
    @InTurn(days = 3)
    void aLinkHoldsBackWhatIsSentButNotWhatIsThereAlready() throws IOException, InterruptedException {
        double megabytes = 5;
        List<WriteJob.Cell> cells = new ArrayList<>(cells(Workload.DIFFERENT, false));
        cells.addAll(cells(Workload.SIMILAR, false));
        cells.removeIf(cell -> cell.variant() != Variant.CPU);
        Optional<HeldLink> link = lab.link(new LinkRate(megabytes * 8 / 1000));
        try {
            List<Row> rows = run(cells, link);
            assertThat(Measurements.rate(rows.get(0))).isLessThan(megabytes * 1.1);
            assertThat(Measurements.rate(rows.get(1))).isGreaterThan(megabytes * 1.1);
        } finally {
            link.ifPresent(HeldLink::close);
        }
    }
}
