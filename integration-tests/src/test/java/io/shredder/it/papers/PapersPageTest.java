// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.papers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PapersPageTest {

    private static final String INDEX =
            """
            # The papers

            Each has *a row*, see
            [BENCHMARKS.md](BENCHMARKS.md).

            - one, that goes
              on
            - two

            ## CROCUS

            | figure | command |
            |---|---|
            | figure 14, a < b | `./run bench pools` |
            | figure 3b | *not shown* |
            """;

    @TempDir
    private Path folder;

    private PapersPage.Outcome outcome(boolean ran, String printed) {
        PaperBench pools = new PaperBench("pools", List.of("--quick"), true);
        return new PapersPage.Outcome(
                pools,
                "./run bench pools --quick",
                Duration.ofSeconds(7),
                ran ? "done" : "exit code 1",
                ran,
                printed,
                folder);
    }

    private String page(PapersPage.Outcome outcome) throws IOException {
        return new PapersPage("a machine", INDEX, List.of(outcome)).html();
    }

    @Test
    void theIndexStandsOnThePageWithLinksToWhatWasMeasured() throws IOException {
        String page = page(outcome(true, "printed"));
        assertThat(page)
                .contains("<h1>The papers</h1>\n<p>a machine</p>")
                .contains("<p>Each has <em>a row</em>, see\nBENCHMARKS.md.</p>")
                .contains("<ul><li>one, that goes\n  on</li><li>two</li></ul>")
                .contains("<th>figure</th><th>command</th>")
                .contains(
                        "<td>figure 14, a &lt; b</td><td><code>./run bench pools</code> <a href=\"#pools\">now</a></td>")
                .contains("<td>figure 3b</td><td><em>not shown</em></td>")
                .contains("<td>done</td><td>7</td>")
                .doesNotContain("|---|");
    }

    @Test
    void aReportsTablesAndPlotsAreShown() throws IOException {
        Files.writeString(
                folder.resolve("report.json"),
                """
                {"heading": "h", "notes": ["a note"], "rows": [],
                 "tables": [{"title": "policies", "columns": ["policy"], "rows": [["<lafs>"]]}]}
                """);
        Files.writeString(folder.resolve("plot.svg"), "<svg>drawn</svg>");
        assertThat(page(outcome(true, "printed")))
                .contains("<p>a note</p>", "<h4>policies</h4>", "<td>&lt;lafs&gt;</td>")
                .contains("<figure><svg>drawn</svg></figure>")
                .doesNotContain("<pre>");
    }

    @Test
    void whatFailedShowsWhatItPrintedAndNoReportOfBefore() throws IOException {
        Files.writeString(folder.resolve("report.json"), "{\"tables\": [{\"title\": \"old\"}]}");
        assertThat(page(outcome(false, "went <wrong>")))
                .contains("exit code 1", "<pre>went &lt;wrong&gt;</pre>")
                .doesNotContain("old");
    }
}
