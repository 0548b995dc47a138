// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.it.figures.Row;
import io.shredder.it.incoop.Comparison;
import io.shredder.it.incoop.JobKind;
import io.shredder.it.incoop.Outcome;
import io.shredder.it.incoop.Version;
import io.shredder.it.incoop.Version.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The runs of {@code bench incoop} in a file, a line of JSON each, written as they end: a measurement that takes hours
 * can be done in parts. For one thread.
 */
final class RunLog {
    private static final String FILE = "runs.jsonl";

    private final ObjectMapper mapper = new ObjectMapper();
    private final Path file;
    private final String conditions;
    private final List<Entry> entries = new ArrayList<>();

    /**
     * A run that was measured.
     *
     * @param conditions under which only such runs may stand in one table
     * @param first whether it filled the memo store
     * @param memoBytes that the store held then; 0 of later runs
     */
    private record Entry(String conditions, boolean first, Comparison run, long memoBytes) {}

    private RunLog(Path file, String conditions) {
        this.file = file;
        this.conditions = conditions;
    }

    /** Begins anew in a folder. */
    static RunLog begin(Path folder, String conditions) throws IOException {
        Files.createDirectories(folder);
        Files.deleteIfExists(folder.resolve(FILE));
        return new RunLog(folder.resolve(FILE), conditions);
    }

    /**
     * Goes on with what a folder holds. A last line that an interruption cut off is dropped.
     *
     * @throws IllegalArgumentException if those runs were measured under other conditions
     */
    static RunLog goOn(Path folder, String conditions) throws IOException {
        var log = new RunLog(folder.resolve(FILE), conditions);
        String text = Files.exists(log.file) ? Files.readString(log.file) : "";
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        List<String> lines = whole.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Entry entry = log.parse(lines.get(i), i + 1);
            if (!entry.conditions().equals(conditions)) {
                throw new IllegalArgumentException(log.file + ": measured with " + entry.conditions() + ", not with "
                        + conditions + ": give the same options, or another --out");
            }
            log.entries.add(entry);
        }
        Files.createDirectories(folder);
        Files.writeString(log.file, whole);
        return log;
    }

    private Entry parse(String line, int number) throws IOException {
        try {
            Row row = Row.parse(line);
            var version =
                    new Version(row.number("changedPercent"), Style.of(row.text("edit")), (int) row.number("places"));
            var run = new Comparison(
                    JobKind.of(row.name()),
                    version,
                    (long) row.number("inputBytes"),
                    mapper.treeToValue(row.json().path("plain"), Outcome.class),
                    mapper.treeToValue(row.json().path("incremental"), Outcome.class));
            return new Entry(
                    row.text("conditions"), row.json().path("first").asBoolean(), run, (long) row.number("memoBytes"));
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(file + ", line " + number + ": no run: " + e.getMessage(), e);
        }
    }

    /** A later run, if it was measured. */
    Optional<Comparison> later(JobKind kind, Version version) {
        return later(kind).stream().filter(run -> run.version().equals(version)).findFirst();
    }

    /** A job's later runs, the least changed first. */
    List<Comparison> later(JobKind kind) {
        return entries.stream()
                .filter(entry -> !entry.first() && entry.run().kind() == kind)
                .map(Entry::run)
                .sorted(Comparator.comparingDouble(run -> run.version().percent()))
                .toList();
    }

    /** A job's first run, if it was measured. */
    Optional<Comparison> first(JobKind kind) {
        return firstOf(kind).map(Entry::run);
    }

    /** Bytes of the memo store after a job's first run; 0 if it wasn't measured. */
    long memoBytes(JobKind kind) {
        return firstOf(kind).map(Entry::memoBytes).orElse(0L);
    }

    private Optional<Entry> firstOf(JobKind kind) {
        return entries.stream()
                .filter(entry -> entry.first() && entry.run().kind() == kind)
                .findFirst();
    }

    /** All runs, in the order they were measured. */
    List<Comparison> all() {
        return entries.stream().map(Entry::run).toList();
    }

    /** All runs as rows. */
    List<Row> rows() {
        return entries.stream().map(this::row).toList();
    }

    /** Keeps a first run. */
    void keepFirst(Comparison run, long memoBytes) throws IOException {
        keep(new Entry(conditions, true, run, memoBytes));
    }

    /** Keeps a later run. */
    void keepLater(Comparison run) throws IOException {
        keep(new Entry(conditions, false, run, 0));
    }

    private void keep(Entry entry) throws IOException {
        entries.add(entry);
        Files.writeString(
                file,
                mapper.writeValueAsString(row(entry).json()) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
    }

    private Row row(Entry entry) {
        Comparison run = entry.run();
        ObjectNode row = mapper.createObjectNode()
                .put("name", run.kind().title())
                .put("first", entry.first())
                .put("changedPercent", run.version().percent())
                .put("edit", run.version().style().title())
                .put("places", run.version().places())
                .put("inputBytes", run.inputBytes())
                .put("memoBytes", entry.memoBytes())
                .put("identical", run.identical())
                .put("conditions", entry.conditions());
        row.set("plain", mapper.valueToTree(run.plain()));
        row.set("incremental", mapper.valueToTree(run.incremental()));
        return new Row(row);
    }
}
