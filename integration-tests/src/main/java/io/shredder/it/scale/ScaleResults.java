// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The file of all rows, a line of JSON each, which calls of the bench add to. For one process at a time. */
public final class ScaleResults {
    private final ObjectMapper mapper = new ObjectMapper();
    private final Path file;
    private final List<ScaleRow> rows = new ArrayList<>();

    /** Reads what earlier calls have left; a line that an end of a program has torn is left out. */
    public ScaleResults(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                read(line);
            }
        }
    }

    private void read(String line) {
        try {
            rows.add(mapper.readValue(line, ScaleRow.class));
        } catch (JsonProcessingException e) {
            System.err.println("bench: left out of " + file + ", which is torn there: " + line);
        }
    }

    /** Whether a unit's rows are there. */
    public boolean has(String unit) {
        return rows.stream().anyMatch(row -> row.unit().equals(unit));
    }

    /** All rows, oldest first. */
    public List<ScaleRow> rows() {
        return List.copyOf(rows);
    }

    /** Keeps a unit's rows, in the file, too. */
    public void add(List<ScaleRow> measured) throws IOException {
        var lines = new StringBuilder();
        for (ScaleRow row : measured) {
            lines.append(mapper.writeValueAsString(row)).append('\n');
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        rows.addAll(measured);
    }
}
