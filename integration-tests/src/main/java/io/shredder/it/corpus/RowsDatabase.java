// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/**
 * An SQLite database whose rows are pieces of a real text, and its next version: rows overwritten by others of the same
 * length, so that pages change where they lie. Made by the {@code sqlite3} program. For one thread.
 */
final class RowsDatabase {
    private static final int LEAST_ROW_BYTES = 200;
    private static final int MOST_ROW_BYTES = 3000;
    /** Spreads times over the index so that neighbours there are none in the table. */
    private static final int CREATION_STEP = 0x9e3779b1;

    private static final byte BETWEEN_COLUMNS = 0x1f;
    private static final byte BETWEEN_ROWS = 0x1e;
    private static final String IMPORT = ".mode ascii\n.import \"%s\" %s\n";
    private static final String FAST =
            "PRAGMA journal_mode=OFF;\nPRAGMA synchronous=OFF;\nPRAGMA cache_size=-262144;\n";
    private static final String COLUMNS = "(id INTEGER PRIMARY KEY, created INTEGER, changed TEXT, body TEXT)";

    /** Length of each row's body, by its id less 1. */
    private final List<Integer> rowBytes = new ArrayList<>();

    private final Path folder;
    private final Path logs;
    private final Children children;
    private final Random random;

    RowsDatabase(Path folder, Path logs, Children children, Random random) {
        this.folder = folder;
        this.logs = logs;
        this.children = children;
        this.random = random;
    }

    /** Rows of the database. */
    int count() {
        return rowBytes.size();
    }

    /** Makes a database of rows that take so many bytes of a text. */
    void create(Path database, InputStream text, long textBytes) throws IOException, InterruptedException {
        Path rows = folder.resolve("rows.import");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(rows), 1 << 20)) {
            for (long left = textBytes; left > 0; ) {
                int length = LEAST_ROW_BYTES + random.nextInt(MOST_ROW_BYTES - LEAST_ROW_BYTES);
                rowBytes.add(length);
                writeRow(out, rowBytes.size(), "2026-01-01T00:00:00", text, length);
                left -= length;
            }
        }
        sqlite(
                database,
                FAST + "CREATE TABLE documents" + COLUMNS + ";\n" + String.format(IMPORT, rows, "documents")
                        + "CREATE INDEX by_creation ON documents(created);\n");
        Files.delete(rows);
    }

    /**
     * Overwrites rows with new text: some runs of rows that lie beside each other, and single rows all over the table.
     *
     * @param runs how many runs
     * @param runRows rows of each
     * @param singles how many single rows
     */
    void update(Path database, InputStream text, int runs, int runRows, int singles)
            throws IOException, InterruptedException {
        Path rows = folder.resolve("rows.import");
        var ids = new TreeSet<Integer>();
        for (int run = 0; run < runs; run++) {
            int first = 1 + random.nextInt(Math.max(1, rowBytes.size() - runRows));
            for (int id = first; id < first + runRows && id <= rowBytes.size(); id++) {
                ids.add(id);
            }
        }
        random.ints(singles, 1, rowBytes.size() + 1).forEach(ids::add);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(rows), 1 << 20)) {
            for (int id : ids) {
                writeRow(out, id, "2026-02-01T00:00:00", text, rowBytes.get(id - 1));
            }
        }
        sqlite(
                database,
                FAST + "PRAGMA temp_store=MEMORY;\nCREATE TEMP TABLE fresh" + COLUMNS + ";\n"
                        + String.format(IMPORT, rows, "fresh")
                        + "UPDATE documents SET changed = fresh.changed, body = fresh.body"
                        + " FROM fresh WHERE fresh.id = documents.id;\n");
        Files.delete(rows);
    }

    private static void writeRow(OutputStream out, int id, String changed, InputStream text, int length)
            throws IOException {
        byte[] body = text.readNBytes(length);
        if (body.length < length) {
            throw new IOException("the text is too short for the database");
        }
        for (int i = 0; i < length; i++) {
            boolean plain = body[i] >= ' ' || body[i] == '\n' || body[i] == '\t';
            body[i] = plain ? body[i] : (byte) '?';
        }
        out.write(Integer.toString(id).getBytes(StandardCharsets.US_ASCII));
        out.write(BETWEEN_COLUMNS);
        out.write(Integer.toString(id * CREATION_STEP & 0x7fffffff).getBytes(StandardCharsets.US_ASCII));
        out.write(BETWEEN_COLUMNS);
        out.write(changed.getBytes(StandardCharsets.US_ASCII));
        out.write(BETWEEN_COLUMNS);
        out.write(body);
        out.write(BETWEEN_ROWS);
    }

    /** Text from some place of a file on. */
    static InputStream textFrom(Path file, long offset) throws IOException {
        var in = new BufferedInputStream(Files.newInputStream(file), 1 << 20);
        in.skipNBytes(offset);
        return in;
    }

    private void sqlite(Path database, String script) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("script.sql"), script);
        var words = List.of("sqlite3", "-batch", "-bail", database.toString(), ".read " + file);
        children.run(new Command("sqlite3", words, Map.of(), folder, logs.resolve("sqlite3.log")));
    }
}
