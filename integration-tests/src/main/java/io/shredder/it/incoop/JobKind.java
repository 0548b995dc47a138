// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The jobs that are measured, with what the harness gives them. */
public enum JobKind {
    WORD_COUNT("wordcount", Data.TEXT, ""),
    /** The matrix of the 1,000 most frequent words, pairs at most 5 words apart. */
    CO_OCCURRENCE("cooccurrence", Data.TEXT, "--window 5 --vocabulary " + SideFiles.VOCABULARY),
    BIGRAMS("bigrams", Data.TEXT, ""),
    KMEANS("kmeans", Data.POINTS, SideFiles.KMEANS_OPTIONS),
    /**
     * With bounds, which makes it incremental by itself: its maps read and write them, so there is nothing to memoise
     * and it runs on Hadoop alone. Plainly it is {@link #KMEANS}, whose centroids it must give.
     */
    KMEANS_BOUNDS("kmeans-bounds", Data.POINTS, SideFiles.KMEANS_OPTIONS),
    KNN("knn", Data.POINTS, "--neighbours 10 --queries " + SideFiles.QUERIES);

    /** What a job reads. */
    public enum Data {
        TEXT,
        POINTS
    }

    private final String title;
    private final Data data;
    private final String options;

    JobKind(String title, Data data, String options) {
        this.title = title;
        this.data = data;
        this.options = options;
    }

    /** The name in tables and on command lines. */
    public String title() {
        return title;
    }

    public Data data() {
        return data;
    }

    /**
     * The job's words behind the options of Hadoop.
     *
     * @param bounds a folder for the bounds of points
     */
    List<String> options(boolean incremental, String bounds) {
        var words = new ArrayList<>(Pattern.compile(" ")
                .splitAsStream(options)
                .filter(word -> !word.isEmpty())
                .toList());
        if (this == KMEANS_BOUNDS && incremental) {
            words.addAll(List.of("--bounds", bounds));
        }
        return words;
    }

    /** What runs it. */
    String framework(boolean incremental) {
        return incremental && this != KMEANS_BOUNDS ? "inc-yarn" : "yarn";
    }

    /** The word that runs it. */
    String program() {
        return this == KMEANS_BOUNDS ? KMEANS.title : title;
    }

    /**
     * The job of a title.
     *
     * @throws IllegalArgumentException naming those there are
     */
    public static JobKind of(String title) {
        return Arrays.stream(values())
                .filter(kind -> kind.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no job '" + title + "'; there are: " + titles()));
    }

    /** All titles. */
    public static String titles() {
        return String.join(", ", Arrays.stream(values()).map(JobKind::title).toList());
    }
}
