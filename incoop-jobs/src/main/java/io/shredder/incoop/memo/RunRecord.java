// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a run of a job uses of the memo store, and what that has spared: {@code docs/formats/memo.md}, "A record of a
 * run".
 *
 * @param job name of the job
 * @param identity in hexadecimal
 * @param chunks of the input
 * @param reusedChunks of these, whose maps did not run
 * @param bytes of the input
 * @param reusedBytes of these, in reused chunks
 * @param plainFiles of the input, which were mapped as in a plain run
 * @param files names of memo files of the identity
 */
public record RunRecord(
        String job,
        String identity,
        long chunks,
        long reusedChunks,
        long bytes,
        long reusedBytes,
        long plainFiles,
        Set<String> files) {

    private static final String VERSION = "1";

    public RunRecord {
        files = Set.copyOf(files);
    }

    String encode() {
        StringBuilder text = new StringBuilder();
        line(text, "version", VERSION);
        line(text, "job", job.replaceAll("\\R", " "));
        line(text, "identity", identity);
        line(text, "chunks", Long.toString(chunks));
        line(text, "reused", Long.toString(reusedChunks));
        line(text, "bytes", Long.toString(bytes));
        line(text, "reused-bytes", Long.toString(reusedBytes));
        line(text, "plain-files", Long.toString(plainFiles));
        new TreeSet<>(files).forEach(file -> line(text, "file", file));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(" = ").append(value).append('\n');
    }

    /**
     * Reads what {@link #encode} gave.
     *
     * @param name of the file that the text came from, for errors
     * @throws IOException if it is no such record
     */
    static RunRecord decode(String text, String name) throws IOException {
        Map<String, String> values = new HashMap<>();
        SortedSet<String> files = new TreeSet<>();
        for (String line : text.lines().toList()) {
            int at = line.indexOf(" = ");
            if (at < 0) {
                throw new IOException(name + " is no record of a run: it has the line '" + line + "'");
            }
            String value = line.substring(at + 3);
            if (line.startsWith("file = ")) {
                files.add(value);
            } else {
                values.put(line.substring(0, at), value);
            }
        }
        if (!VERSION.equals(values.get("version"))) {
            throw new IOException(name + " is no record of a run of version " + VERSION);
        }
        return new RunRecord(
                values.getOrDefault("job", ""),
                values.getOrDefault("identity", ""),
                number(values, "chunks", name),
                number(values, "reused", name),
                number(values, "bytes", name),
                number(values, "reused-bytes", name),
                values.containsKey("plain-files") ? number(values, "plain-files", name) : 0,
                files);
    }

    private static long number(Map<String, String> values, String key, String name) throws IOException {
        String value = values.getOrDefault(key, "");
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IOException(name + " is no record of a run: its " + key + " is '" + value + "'", e);
        }
    }
}
