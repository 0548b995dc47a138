// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.hdfs.scan.ScanRecords.Outcome;
import io.shredder.hdfs.scan.plan.ScanFindings;
import io.shredder.hdfs.scan.plan.ScanSettings;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/**
 * What became of files that were cut.
 *
 * @param outcomes sorted by path
 */
record CutFindings(ScanSettings settings, List<Outcome> outcomes) implements ScanFindings {

    CutFindings {
        outcomes = List.copyOf(outcomes);
    }

    /** Files that failed, and why. */
    Map<Path, String> failures() {
        Map<Path, String> failures = new TreeMap<>();
        outcomes.stream()
                .filter(outcome -> !outcome.failure().isEmpty())
                .forEach(outcome -> failures.put(outcome.file().path(), outcome.failure()));
        return failures;
    }

    @Override
    public boolean failed() {
        return !failures().isEmpty();
    }

    @Override
    public void print(PrintStream out, PrintStream err) {
        for (Outcome outcome : outcomes) {
            Path path = outcome.file().path();
            if (!outcome.failure().isEmpty()) {
                err.println("scan: " + path + ": " + outcome.failure());
                continue;
            }
            out.printf(
                    Locale.ROOT,
                    "%s: %,d bytes, %,d chunks%s%n",
                    path,
                    outcome.file().length(),
                    outcome.chunks(),
                    outcome.written() ? ", manifest written" : "");
            settings.records().opaque(path).ifPresent(why -> out.println(path + ": " + why));
        }
    }

    @Override
    public void addTo(ObjectNode document) {
        ArrayNode results = document.putArray("results");
        for (Outcome outcome : outcomes) {
            Path path = outcome.file().path();
            ObjectNode result = results.addObject().put("path", path.toString());
            result.put("bytes", outcome.file().length());
            if (!outcome.failure().isEmpty()) {
                result.put("failure", outcome.failure());
                continue;
            }
            result.put("chunks", outcome.chunks()).put("manifestWritten", outcome.written());
            settings.records().opaque(path).ifPresent(why -> result.put("note", why));
        }
    }
}
