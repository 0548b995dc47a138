// SPDX-License-Identifier: Apache-2.0
package net.acme;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Words and their numbers. */
public final class Table {

    /** The option that says where it lies. */
    public static final String PLACE = "net.acme.table";

    private final Map<String, Integer> numbers = new HashMap<>();

    private Table() {}

    /** Reads lines of a word and a number; closes the stream. */
    public static Table read(InputStream in) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return of(reader.lines().collect(Collectors.toList()));
        }
    }

    /** Of such lines. */
    public static Table of(List<String> lines) {
        Table table = new Table();
        for (String line : lines) {
            int space = line.indexOf(' ');
            table.numbers.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
        }
        return table;
    }

    /** The number of a word; 1 for others. */
    public int number(String word) {
        return numbers.getOrDefault(word, 1);
    }
}
