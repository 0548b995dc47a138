// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.it.corpus.BirchPoints;
import io.shredder.it.incoop.Version.Style;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionTest {
    @Test
    void everyStyleOfPointsLeavesPoints(@TempDir Path folder) throws Exception {
        Path points = BirchPoints.in(folder, 100_000);
        for (Style style : Style.values()) {
            Path file = folder.resolve("version");
            new Version(10, style, 8).write(points, file, JobKind.Data.POINTS);

            assertThat(Files.readAllLines(file)).allMatch(line -> line.matches("-?\\d+\\.\\d{3} -?\\d+\\.\\d{3}"));
            assertThat(Files.mismatch(points, file)).isNotNegative();
        }
    }

    @Test
    void namesOfJobsAndEditsAreThoseOfTheCommandLine() {
        assertThat(Style.of("move")).isEqualTo(Style.MOVE);
        assertThat(JobKind.of("kmeans-bounds")).isEqualTo(JobKind.KMEANS_BOUNDS);
        assertThatThrownBy(() -> Style.of("edit")).hasMessageContaining("rewrite, insert, delete, move, mixed");
        assertThatThrownBy(() -> JobKind.of("sort")).hasMessageContaining("wordcount, cooccurrence");
    }
}
