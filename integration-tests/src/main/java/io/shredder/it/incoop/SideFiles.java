// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import io.shredder.it.corpus.BirchPoints;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;

/** The small files that jobs take along, the same for every version of the input. */
final class SideFiles {
    static final String VOCABULARY = "/bench/side/vocabulary";
    static final String CENTROIDS = "/bench/side/centroids";
    static final String QUERIES = "/bench/side/queries";

    /** All iterations are run and counted: with other centroids nothing of an iteration can be reused. */
    static final String KMEANS_OPTIONS = "--iterations 5 --centroids " + CENTROIDS;

    private static final int VOCABULARY_WORDS = 1000;
    private static final int VOCABULARY_PIECES = 32;
    private static final int VOCABULARY_PIECE_BYTES = 1 << 20;
    private static final int QUERY_POINTS = 20;
    private static final long CENTROID_SEED = 100;
    private static final long QUERY_SEED = 20;
    private static final Pattern NO_WORD = Pattern.compile("[^\\w]+");

    private SideFiles() {}

    /** The most frequent words of pieces from all over the text. */
    static void writeForText(FileSystem fs, Path text) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        try (var file = FileChannel.open(text)) {
            for (int i = 0; i < VOCABULARY_PIECES; i++) {
                count(piece(file, file.size() / VOCABULARY_PIECES * i), counts);
            }
        }
        write(
                fs,
                VOCABULARY,
                counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(VOCABULARY_WORDS)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.joining("\n")));
    }

    private static String piece(FileChannel file, long offset) throws IOException {
        var piece = ByteBuffer.allocate((int) Math.min(VOCABULARY_PIECE_BYTES, file.size() - offset));
        while (piece.hasRemaining() && file.read(piece, offset + piece.position()) >= 0) {
            // until the piece is full
        }
        return new String(piece.array(), 0, piece.position(), StandardCharsets.ISO_8859_1);
    }

    private static void count(String text, Map<String, Integer> counts) {
        NO_WORD.splitAsStream(text)
                .filter(word -> !word.isEmpty())
                .forEach(word -> counts.merge(word, 1, Integer::sum));
    }

    /** First centroids and queries. */
    static void writeForPoints(FileSystem fs) throws IOException {
        write(fs, CENTROIDS, BirchPoints.sample(BirchPoints.CLUSTERS, CENTROID_SEED));
        write(fs, QUERIES, BirchPoints.sample(QUERY_POINTS, QUERY_SEED));
    }

    private static void write(FileSystem fs, String file, String text) throws IOException {
        try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(file), true)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
