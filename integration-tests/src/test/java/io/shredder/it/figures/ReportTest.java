// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @Test
    void whatWasMeasuredIsPrintedAndLeftInFiles(@TempDir Path folder) throws IOException {
        var printed = new ByteArrayOutputStream();
        var report = new Report("2026-11-21, a machine", new PrintStream(printed, true, StandardCharsets.UTF_8));
        report.keep("part", List.of(Row.parse("{\"name\":\"a\",\"gbPerSecond\":1.5}")));
        report.keep("part", List.of(Row.parse("{\"name\":\"b\",\"error\":\"no such switch\"}")));
        report.add(new Table("A table", List.of("what", "GB/s"), List.of(List.of("a", "1.50"))));
        report.add(new Table("Nothing measured", List.of("what"), List.of()));
        report.add(new Chart(
                "plot",
                "A plot",
                new Axis("x", Scale.LINEAR),
                new Axis("y", Scale.LINEAR),
                List.of(new Curve("c", List.of(new Point(1, 1))))));
        report.write(folder);

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("a machine", "| a    | 1.50 |", "no such switch")
                .doesNotContain("Nothing measured");
        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("report.json").toFile());
        assertThat(json.path("rows").get(0).path("part").asText()).isEqualTo("part");
        assertThat(json.path("rows")).hasSize(2);
        assertThat(json.path("tables").get(0).path("title").asText()).isEqualTo("A table");
        assertThat(Files.readString(folder.resolve("report.md"))).contains("A table", "plot.svg", "no such switch");
        assertThat(folder.resolve("plot.svg")).isNotEmptyFile();
    }

    @Test
    void theSameReasonIsToldOnce() throws IOException {
        var printed = new ByteArrayOutputStream();
        var report = new Report("h", new PrintStream(printed, true, StandardCharsets.UTF_8));
        report.note("no cargo");
        report.note("no cargo");
        assertThat(printed.toString(StandardCharsets.UTF_8)).containsOnlyOnce("no cargo");
    }

    @Test
    void aRowThatDoesNotFitItsHeadingsIsRefused() {
        assertThatThrownBy(() -> new Table("t", List.of("a", "b"), List.of(List.of("1"))))
                .hasMessageContaining("1 cells under 2 headings");
    }
}
