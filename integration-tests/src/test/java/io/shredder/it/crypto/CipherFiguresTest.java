// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CipherFiguresTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<Row> rows = new ArrayList<>();

    private void add(String form, int threads, int blocks, double rate) throws IOException {
        rows.add(Row.parse("{\"algorithm\":\"tea\",\"form\":\"" + form + "\",\"threads\":" + threads
                + ",\"blockBytes\":512,\"blocks\":" + blocks + ",\"gbPerSecond\":" + rate + "}"));
    }

    private Report report(boolean gpu) {
        var report = new Report("heading", new PrintStream(printed, true, StandardCharsets.UTF_8));
        new CipherFigures(rows, gpu).addTo(report);
        return report;
    }

    @Test
    void eachNumberOfBlocksHasALineWithWhatCopiesAreOfTheGpusTime() throws IOException {
        add("scalar", 1, 8, 0.5);
        add("scalar", 16, 8, 4);
        add("instructions", 1, 8, 2);
        add("instructions", 16, 8, 20);
        add("gpu-kernel", 0, 8, 100);
        add("gpu-total", 0, 8, 30);
        add("gpu-copies", 0, 8, 40);
        report(true);
        assertThat(printed.toString(StandardCharsets.UTF_8).replaceAll(" +", " "))
                .contains(
                        "### tea, blocks of 512 bytes: GB/s",
                        "| 8 | 0.50 | 4.00 | 2.00 | 20.0 | 100 | 30.0 | 75 % | 1.50 |");
    }

    @Test
    void withoutAGpuThereAreNoColumnsForIt(@TempDir Path folder) throws IOException {
        add("scalar", 1, 1, 0.5);
        add("scalar", 1, 4096, 0.6);
        report(false).write(folder);
        assertThat(printed.toString(StandardCharsets.UTF_8).replaceAll(" +", " "))
                .contains("| 1 | 0.50 | - | - | - |", "| 4,096 | 0.60 | - | - | - |")
                .doesNotContain("GPU");
        assertThat(Files.readString(folder.resolve("tea.svg")))
                .contains("scalar")
                .doesNotContain("gpu");
    }
}
