// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.figures.Bar;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A scanner's attack on the console: Wapiti, which {@code tools/wapiti.sh} installs, follows the page's links and the
 * OpenAPI document, and puts what breaks other sites into each parameter.
 */
final class ConsoleScan {
    /** All that need no other machine, and no dictionary of somebody else's programs. */
    private static final List<String> MODULES = List.of(
            "backup",
            "cookieflags",
            "crlf",
            "csp",
            "csrf",
            "exec",
            "file",
            "htaccess",
            "http_headers",
            "ldap",
            "methods",
            "permanentxss",
            "redirect",
            "shellshock",
            "sql",
            "timesql",
            "upload",
            "xss");

    private static final String NOWHERE = "http://127.0.0.1:9/";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_SECONDS = 900;

    private ConsoleScan() {}

    static void measure(Children children, Path root, Path work, DaemonOfYears daemon, Consumer<Bar> bars)
            throws IOException, InterruptedException {
        Path scanner = root.resolve(".tools/wapiti/bin/wapiti");
        if (!Files.isExecutable(scanner)) {
            bars.accept(Bar.notRun("scan of the console", "needs a scanner: tools/wapiti.sh"));
            return;
        }
        Path report = work.resolve("scan.json");
        List<String> words = new ArrayList<>(
                List.of(scanner.toString(), "--url", daemon.address().toString()));
        words.addAll(List.of("--swagger", daemon.address() + "api/v1/openapi.json", "--scope", "folder"));
        words.addAll(List.of("--module", String.join(",", MODULES), "--max-scan-time", String.valueOf(MOST_SECONDS)));
        words.addAll(List.of("--endpoint", NOWHERE, "--dns-endpoint", "localhost")); // None of those modules needs one.
        words.addAll(List.of("--flush-session", "--no-bugreport", "--format", "json"));
        words.addAll(List.of("--output", report.toString()));
        words.addAll(List.of("--store-session", work.resolve("scan").toString()));
        words.addAll(List.of("--store-config", work.resolve("scan-config").toString()));
        children.start(new Command("wapiti", words, Map.of(), work, work.resolve("scan.log")))
                .waitForSuccess();
        JsonNode found = JSON.readTree(report.toFile());
        List<String> findings = new ArrayList<>();
        for (String kind : List.of("vulnerabilities", "anomalies")) {
            found.path(kind).fields().forEachRemaining(each -> each.getValue()
                    .forEach(one -> findings.add(each.getKey() + " at "
                            + one.path("method").asText() + " "
                            + one.path("path").asText() + ": "
                            + one.path("info").asText())));
        }
        int pages = found.path("infos").path("crawled_pages_nbr").asInt();
        bars.accept(Bar.holds(
                "a scanner attacks the console (Wapiti, " + MODULES.size() + " modules, " + pages + " pages)",
                findings.isEmpty() && pages > 0,
                findings.isEmpty() ? "no finding" : findings.size() + " findings: " + String.join("; ", findings),
                "no finding"));
    }
}
