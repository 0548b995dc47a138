// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code hadoop shredder scan --report}: what folders share. */
class ScanReportIT extends ScanCase {

    @Test
    void whatFoldersShareIsToldAsTheirChunksSayItAndASampleIsNearThat() throws Exception {
        byte[] one = TextFiles.lines(2 * BLOCK, 1);
        byte[] edited = TextFiles.inserted(one, BLOCK, "some words in between\n");
        byte[] other = TextFiles.lines(BLOCK, 2);
        put(one, "/upload/a/x");
        put(edited, "/upload/b/deep/x");
        put(other, "/upload/b/y");
        put(other, "/upload/b/z");
        put(TextFiles.lines(BLOCK / 2, 3), "/upload/top");
        List<Chunk> first = uploaded(one, "one");
        List<Chunk> second = new ArrayList<>(uploaded(edited, "edited"));
        second.addAll(uploaded(other, "other"));
        second.addAll(uploaded(other, "other"));
        List<Chunk> third = uploaded(TextFiles.lines(BLOCK / 2, 3), "third");
        List<Chunk> all = Stream.of(first, second, third).flatMap(List::stream).toList();

        ShellRun run = scan("--report", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines())
                .contains(line("all", all))
                .contains(line("in " + fs.makeQualified(path("/upload/a")), first))
                .contains(line("in " + fs.makeQualified(path("/upload/b")), second))
                .contains(line("in " + fs.makeQualified(path("/upload")), third));
        Set<Fingerprint> ofFirst = first.stream().map(Chunk::fingerprint).collect(Collectors.toSet());
        long shared = different(second.stream()
                .filter(chunk -> ofFirst.contains(chunk.fingerprint()))
                .toList());
        assertThat(shared).isGreaterThan(BLOCK);
        assertThat(run.out())
                .contains("both " + fs.makeQualified(path("/upload/a")) + " and " + fs.makeQualified(path("/upload/b"))
                        + "\t" + shared + " bytes\t");
        assertThat(names("/upload/a")).containsExactly("x");

        ShellRun sampled = scan("--report", "-sample", "40", "/upload");
        assertThat(saved(sampled.outLines())).isCloseTo(saved(run.outLines()), within(8.0));
    }

    private static long different(List<Chunk> chunks) {
        return chunks.stream()
                .collect(Collectors.toMap(Chunk::fingerprint, Chunk::length, (same, again) -> same))
                .values()
                .stream()
                .mapToLong(Integer::longValue)
                .sum();
    }

    private static String line(String what, List<Chunk> chunks) {
        long bytes = chunks.stream().mapToLong(Chunk::length).sum();
        long different = different(chunks);
        return String.format(
                Locale.ROOT,
                "%s\t%d bytes\t%d different\t%.1f %% saved",
                what,
                bytes,
                different,
                100.0 * (bytes - different) / bytes);
    }

    private static double saved(List<String> lines) {
        String all = lines.stream()
                .filter(line -> line.startsWith("all\t"))
                .findFirst()
                .orElseThrow();
        return Double.parseDouble(all.replaceFirst(".*different\t(.*) % saved", "$1"));
    }

    @InTurn(days = 2)
    @Test
    void theReportIsOneDocumentOfJsonAndOnePage() throws Exception {
        byte[] one = TextFiles.lines(BLOCK, 1);
        put(one, "/upload/a/x");
        put(one, "/upload/b<i>&\"/x");
        put(new byte[BLOCK / 2], "/upload/b<i>&\"/zeros");
        java.nio.file.Path page = local.resolve("page.html");
        ShellRun run = scan(
                "--report", "--json", "--averages", "16k", "--html", page.toString(), "-inputFormat", "raw", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        JsonNode document = new ObjectMapper().readTree(run.out());
        assertThat(document.get("task").asText()).isEqualTo("report");
        assertThat(document.get("samplePercent").asDouble()).isEqualTo(100);
        assertThat(document.get("bytes").asLong()).isEqualTo(2L * one.length + BLOCK / 2);
        assertThat(document.get("all").get("bytes")).isEqualTo(document.get("bytes"));
        assertThat(document.get("all").get("different").asLong()).isBetween((long) one.length, one.length + 16L * 1024);
        assertThat(document.get("folders").get(1).get("path").asText()).endsWith("/upload/b<i>&\"");
        JsonNode pair = document.get("pairs").get(0);
        assertThat(pair.get("bytes").asLong()).isEqualTo(one.length);
        assertThat(pair.get("percentOfSmaller").asDouble()).isEqualTo(100);
        assertThat(document.get("chunkLengths").size()).isPositive();
        JsonNode average = document.get("averages").get(0);
        ShellRun alone = command("--report", "-avg", "16k", "-inputFormat", "raw", "/upload");
        assertThat(average.get("averageBytes").asLong()).isEqualTo(16_384);
        assertThat(average.get("bytes")).isEqualTo(document.get("bytes"));
        assertThat(average.get("different")).isNotEqualTo(document.get("all").get("different"));
        assertThat(alone.out())
                .contains("\nall\t" + average.get("bytes") + " bytes\t" + average.get("different") + " different\t");

        String html = Files.readString(page);
        assertThat(html)
                .contains("<svg ")
                .contains("/upload/b&lt;i&gt;&amp;&quot;")
                .doesNotContain("b<i>")
                .doesNotContain("http-equiv")
                .doesNotContain("src=");
        assertThat(Files.list(local).map(file -> file.getFileName().toString())).doesNotContain("page.html.partial");
    }

    @InTurn(days = 3)
    @Test
    void foldersBeyondTheSixtyThirdAreToldTogether() throws Exception {
        byte[] same = TextFiles.lines(20_000, 1);
        for (int i = 100; i < 170; i++) {
            put(same, "/upload/" + i + "/a");
        }
        ShellRun run = scan("--report", "/upload");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.outLines().stream().filter(line -> line.startsWith("in ")))
                .hasSize(64);
        assertThat(run.outLines())
                .contains("all\t" + 70 * same.length + " bytes\t" + same.length + " different\t98.6 % saved")
                .contains("in all other folders\t" + 7 * same.length + " bytes\t" + same.length
                        + " different\t85.7 % saved");
        assertThat(run.outLines().stream().filter(line -> line.startsWith("both ")))
                .hasSize(10);
    }

    @InTurn(days = 2)
    @Test
    void whatRepeatsVeryMuchDoesNotMisleadASample() throws Exception {
        byte[] content = TextFiles.lines(4 * BLOCK, 4);
        Arrays.fill(content, BLOCK, 3 * BLOCK, (byte) 0);
        put(content, "/upload/a/x");
        put(TextFiles.lines(BLOCK, 5), "/upload/b/x");
        ShellRun exact = scan("--report", "-inputFormat", "raw", "/upload");
        ShellRun sampled = scan("--report", "-sample", "5", "-inputFormat", "raw", "/upload");
        assertThat(saved(exact.outLines())).isGreaterThan(30);
        assertThat(saved(sampled.outLines())).isCloseTo(saved(exact.outLines()), within(0.5));
    }

    @Test
    void wordsThatMakeNoSenseAreRefused() throws Exception {
        assertThat(scan("--report", "-sample", "200", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("-sample", "2", "/upload").err()).contains("-sample 2 is for --report");
        assertThat(scan("--html", "a.html", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("--report", "--write", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("--report", "--averages", "4k,no", "/upload").err()).contains("no is not a size");
        assertThat(scan("--report", "--html", "/no/such/folder/a.html", "/upload")
                        .err())
                .contains("/no/such/folder/a.html can't be written");
        assertThat(scan("--report", "/upload").out()).as("no file").startsWith("all\t0 bytes\t0 different");
    }
}
