// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.it.backup.Contender;
import io.shredder.it.backup.Operation;
import io.shredder.it.backup.StageTimes;
import io.shredder.it.corpus.SimilarImages;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Figure 18 of Shredder (FAST 2012, section 7.3): backup bandwidth by similarity. The agent has the master image; each
 * measured image keeps of its segments what the similarity table leaves. What limits is told by the CPU time of each
 * stage's threads.
 */
final class BackupBench {
    /** Where it works and what starts programs. */
    record Place(Path work, Children children) {}

    /** What to measure: percentages, images each, and the seed of all. */
    record Plan(List<Double> similarities, int rounds, long seed) {
        Plan {
            if (rounds < 1) {
                throw new IllegalArgumentException("--rounds is " + rounds + ": give 1 or more");
            }
            for (double percent : similarities) {
                if (!(percent >= 0 && percent <= 100)) {
                    throw new IllegalArgumentException("--similarity has " + percent + ": give parts from 0 to 100");
                }
            }
        }
    }

    private final Contender contender;
    private final SimilarImages images;
    private final Path image;
    private final Place place;
    private final Plan plan;
    private final Report report;
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<Backup> backups = new ArrayList<>();

    /**
     * One backup.
     *
     * @param similarity percent expected
     * @param kept percent of the segments that are the master's
     * @param seconds as the backup itself reports
     * @param commandSeconds with the start of Java
     * @param stages CPU seconds by stage, of the whole command
     */
    private record Backup(
            double similarity,
            double kept,
            double seconds,
            double commandSeconds,
            long bytes,
            long sentBytes,
            Map<String, Double> stages) {
        double rate() {
            return bytes / 1e6 / seconds;
        }
    }

    /**
     * A bench without figures.
     *
     * @param contender with an empty repository; its sources are the master and {@code image}
     * @param image the file that each image is written to
     */
    BackupBench(Contender contender, SimilarImages images, Path image, Place place, Plan plan, Report report) {
        this.contender = contender;
        this.images = images;
        this.image = image;
        this.place = place;
        this.plan = plan;
        this.report = report;
    }

    void measure() throws IOException, InterruptedException {
        backUp(Operation.FIRST, -1, 100);
        backups.clear();
        for (int round = 0; round < plan.rounds(); round++) {
            for (int i = 0; i < plan.similarities().size(); i++) {
                double similarity = plan.similarities().get(i);
                long seed = plan.seed() * 1_000_003 + round * 1009L + i;
                int kept = images.write(image, images.table(similarity / 100), seed);
                backUp(Operation.CHANGED, similarity, 100.0 * kept / images.segments());
            }
        }
        report.keep("backup", rows());
        report.add(rates());
        report.add(stages());
        report.add(chart());
    }

    private void backUp(Operation operation, double similarity, double kept) throws IOException, InterruptedException {
        Contender.Invocation command = contender.commands(operation).get(0);
        Path log = place.work().resolve("backup.log");
        Files.deleteIfExists(log);
        long startNs = System.nanoTime();
        try (StageTimes times = StageTimes.of(contender.daemons())) {
            Child child = place.children()
                    .start(new Command("backup", command.words(), contender.environment(), command.folder(), log));
            times.watch(child.pid());
            child.waitForSuccess();
            double commandSeconds = (System.nanoTime() - startNs) / 1e9;
            JsonNode json = summary(log);
            backups.add(new Backup(
                    similarity,
                    kept,
                    json.required("milliseconds").asLong() / 1e3,
                    commandSeconds,
                    json.required("bytesRead").asLong(),
                    json.required("bytesSent").asLong(),
                    times.seconds()));
        }
    }

    private JsonNode summary(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        String json = lines.stream()
                .filter(line -> line.startsWith("{"))
                .reduce((a, b) -> b)
                .orElse("");
        if (json.isEmpty()) {
            throw new IOException("the backup printed no summary: " + log);
        }
        return mapper.readTree(json);
    }

    private List<Row> rows() {
        var rows = new ArrayList<Row>();
        for (Backup one : backups) {
            ObjectNode row = mapper.createObjectNode().put("name", "similarity " + one.similarity());
            row.put("keptPercent", one.kept());
            row.put("seconds", one.seconds());
            row.put("commandSeconds", one.commandSeconds());
            row.put("bytes", one.bytes());
            row.put("sentBytes", one.sentBytes());
            row.set("stageCpuSeconds", mapper.valueToTree(one.stages()));
            rows.add(new Row(row));
        }
        return rows;
    }

    private Table rates() {
        var rows = new ArrayList<List<String>>();
        for (double similarity : plan.similarities()) {
            Backup one = median(similarity);
            rows.add(List.of(
                    number("%.0f %%", similarity),
                    number("%.1f %%", one.kept()),
                    number("%.0f", one.rate()),
                    number("%.2f", one.bytes() * 8 / 1e9 / one.seconds()),
                    number("%.1f %%", 100.0 * one.sentBytes() / one.bytes()),
                    limit(one)));
        }
        return new Table(
                "Backup bandwidth by similarity (figure 18 of Shredder)",
                List.of("similarity", "segments kept", "MB/s", "Gbit/s", "sent", "what limits"),
                rows);
    }

    /** The cores, if they were busy, and whose threads used most of them; or the busiest stage. */
    private static String limit(Backup one) {
        double all =
                one.stages().values().stream().mapToDouble(Double::doubleValue).sum();
        var most = one.stages().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow();
        double cores = all / one.commandSeconds();
        boolean full = cores > 0.9 * Runtime.getRuntime().availableProcessors();
        return number("%.1f cores busy", cores)
                + (full ? ": the cores, most by " : ", most by ")
                + most.getKey()
                + number(" (%.0f %%)", 100 * most.getValue() / all);
    }

    private Table stages() {
        var columns = new ArrayList<>(List.of("similarity"));
        columns.addAll(backups.get(0).stages().keySet());
        var rows = new ArrayList<List<String>>();
        for (double similarity : plan.similarities()) {
            var row = new ArrayList<>(List.of(number("%.0f %%", similarity)));
            Backup one = median(similarity);
            one.stages().values().forEach(seconds -> row.add(number("%.2f", seconds * 1e9 / one.bytes())));
            rows.add(row);
        }
        return new Table("CPU seconds of each stage's threads for 1 GB of image", columns, rows);
    }

    private Chart chart() {
        List<Point> points = plan.similarities().stream()
                .sorted()
                .map(similarity -> new Point(similarity, median(similarity).rate()))
                .toList();
        return new Chart(
                "backup-similarity",
                "Backup bandwidth by similarity to what the agent has (figure 18)",
                new Axis("similarity, percent", Scale.LINEAR),
                new Axis("MB/s of image", Scale.LINEAR),
                List.of(new Curve("shredder", points)));
    }

    private Backup median(double similarity) {
        List<Backup> sorted = backups.stream()
                .filter(one -> one.similarity() == similarity)
                .sorted((a, b) -> Double.compare(a.seconds(), b.seconds()))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
