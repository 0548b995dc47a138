// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.papers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One page that needs nothing else: the index of evidence as it stands, then what each bench measured, with plots. */
final class PapersPage {
    private static final String STYLE =
            """
            body { font: 15px/1.45 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
            table { border-collapse: collapse; margin: 1em 0 }
            td, th { border: 1px solid #ccc; padding: .25em .6em; text-align: left; vertical-align: top }
            pre { background: #f6f6f6; padding: .8em; overflow-x: auto }
            figure { display: inline-block; margin: .5em 1em .5em 0; max-width: 46em }
            svg { max-width: 100%; height: auto }
            """;

    private static final Pattern CODE = Pattern.compile("`([^`]*)`");
    private static final Pattern EMPHASIS = Pattern.compile("\\*([^*]+)\\*");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern COMMAND = Pattern.compile("\\./run bench (\\w+)");

    private final String heading;
    private final String index;
    private final List<Outcome> outcomes;

    /**
     * What became of a bench.
     *
     * @param command as a user types it
     * @param printed by it, also if it left a report
     * @param folder of its report
     */
    record Outcome(
            PaperBench bench, String command, Duration took, String end, boolean ran, String printed, Path folder) {}

    /** @param index the index of evidence in Markdown */
    PapersPage(String heading, String index, List<Outcome> outcomes) {
        this.heading = heading;
        this.index = index;
        this.outcomes = List.copyOf(outcomes);
    }

    String html() throws IOException {
        var page = new StringBuilder("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">")
                .append("<title>The papers, table by table</title><style>")
                .append(STYLE)
                .append("</style>\n");
        List<String> paragraph = new ArrayList<>();
        boolean told = false;
        for (String line : (index + "\n").lines().toList()) {
            boolean joins = !line.isBlank() && !line.startsWith("#");
            if (joins
                    && (paragraph.isEmpty()
                            || line.startsWith("|") == paragraph.get(0).startsWith("|"))) {
                paragraph.add(line);
                continue;
            }
            end(paragraph, page);
            if (line.startsWith("#")) {
                page.append(title(line));
                if (!told) {
                    page.append("<p>").append(escaped(heading)).append("</p>\n").append(summary());
                    told = true;
                }
            } else if (joins) {
                paragraph.add(line);
            }
        }
        end(paragraph, page);
        page.append("<h2>What was measured now</h2>\n");
        for (Outcome outcome : outcomes) {
            page.append(measured(outcome));
        }
        return page.append("</html>\n").toString();
    }

    private static String title(String line) {
        int level = line.indexOf(' ');
        return "<h" + level + ">" + inline(line.substring(level + 1)) + "</h" + level + ">\n";
    }

    private void end(List<String> paragraph, StringBuilder page) {
        if (paragraph.isEmpty()) {
            return;
        }
        if (paragraph.get(0).startsWith("|")) {
            List<List<String>> rows = paragraph.stream()
                    .filter(line -> !line.startsWith("|---"))
                    .map(PapersPage::cells)
                    .toList();
            page.append(table(rows, this::linked));
        } else if (paragraph.get(0).startsWith("- ")) {
            String[] items = String.join("\n", paragraph).substring(2).split("\n- ", -1);
            page.append("<ul>");
            Arrays.stream(items)
                    .forEach(item -> page.append("<li>").append(inline(item)).append("</li>"));
            page.append("</ul>\n");
        } else {
            page.append("<p>").append(inline(String.join("\n", paragraph))).append("</p>\n");
        }
        paragraph.clear();
    }

    /** Of a line of a table in Markdown. */
    static List<String> cells(String line) {
        String inner = line.strip();
        inner = inner.substring(1, inner.endsWith("|") ? inner.length() - 1 : inner.length());
        return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
    }

    /** Makes HTML of a cell. */
    private interface Cell {
        String html(String text);
    }

    private static String table(List<List<String>> rows, Cell cell) {
        var html = new StringBuilder("<table>");
        for (int i = 0; i < rows.size(); i++) {
            String tag = i == 0 ? "th" : "td";
            html.append("<tr>");
            for (String text : rows.get(i)) {
                html.append("<" + tag + ">").append(cell.html(text)).append("</" + tag + ">");
            }
            html.append("</tr>\n");
        }
        return html.append("</table>\n").toString();
    }

    /** With a link to what was measured now, if the cell names its bench. */
    private String linked(String text) {
        Matcher named = COMMAND.matcher(text);
        boolean known = named.find()
                && outcomes.stream().anyMatch(outcome -> outcome.bench().name().equals(named.group(1)));
        return known ? inline(text) + " <a href=\"#" + named.group(1) + "\">now</a>" : inline(text);
    }

    /** Code, emphasis and the texts of links. */
    static String inline(String text) {
        String html = LINK.matcher(escaped(text)).replaceAll("$1");
        var parts = new StringBuilder();
        Matcher code = CODE.matcher(html);
        int at = 0;
        while (code.find()) {
            parts.append(EMPHASIS.matcher(html.substring(at, code.start())).replaceAll("<em>$1</em>"));
            parts.append("<code>").append(code.group(1)).append("</code>");
            at = code.end();
        }
        return parts.append(EMPHASIS.matcher(html.substring(at)).replaceAll("<em>$1</em>"))
                .toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private String summary() {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("bench", "how it ended", "seconds")));
        for (Outcome outcome : outcomes) {
            rows.add(List.of(
                    "`" + outcome.command() + "`",
                    outcome.end(),
                    String.format(Locale.ROOT, "%d", outcome.took().toSeconds())));
        }
        return table(rows, this::linked);
    }

    private static String measured(Outcome outcome) throws IOException {
        var html = new StringBuilder("<h3 id=\"" + outcome.bench().name() + "\"><code>")
                .append(escaped(outcome.command()))
                .append("</code></h3>\n");
        Path report = outcome.folder().resolve("report.json");
        if (!outcome.ran() || !outcome.bench().reports() || !Files.exists(report)) {
            return html.append("<pre>")
                    .append(escaped(outcome.printed()))
                    .append("</pre>\n")
                    .toString();
        }
        JsonNode all = new ObjectMapper().readTree(report.toFile());
        for (JsonNode note : all.path("notes")) {
            html.append("<p>").append(escaped(note.asText())).append("</p>\n");
        }
        for (JsonNode table : all.path("tables")) {
            html.append("<h4>").append(escaped(table.path("title").asText())).append("</h4>\n");
            List<List<String>> rows = new ArrayList<>(List.of(texts(table.path("columns"))));
            table.path("rows").forEach(row -> rows.add(texts(row)));
            html.append(table(rows, PapersPage::escaped));
        }
        try (Stream<Path> files = Files.list(outcome.folder())) {
            for (Path plot : files.filter(file -> file.toString().endsWith(".svg"))
                    .sorted()
                    .toList()) {
                html.append("<figure>").append(Files.readString(plot)).append("</figure>\n");
            }
        }
        return html.toString();
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }
}
