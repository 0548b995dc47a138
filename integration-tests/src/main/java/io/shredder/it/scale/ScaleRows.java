// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.scale.ScaleRow.Part;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rows of several calls and rounds; of what was measured more than once, the median. */
public final class ScaleRows {
    private final List<ScaleRow> medians;

    /** What makes two rows measurements of the same. */
    private record Same(Part part, String who, String what, int cores, int count, double gbit) {}

    /** Of all of these. */
    public ScaleRows(List<ScaleRow> rows) {
        Map<Same, List<ScaleRow>> together = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> new Same(row.part(), row.who(), row.what(), row.cores(), row.count(), row.gbit()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        this.medians = together.values().stream().map(ScaleRows::median).toList();
    }

    /** By rate; the lower of the two in the middle. */
    private static ScaleRow median(List<ScaleRow> same) {
        return same.stream()
                .sorted(Comparator.comparingDouble(ScaleRow::rate))
                .toList()
                .get((same.size() - 1) / 2);
    }

    /** All of a part, by cores, then in the order in which they were first measured. */
    public List<ScaleRow> of(Part part) {
        return medians.stream()
                .filter(row -> row.part() == part)
                .sorted(Comparator.comparingInt(ScaleRow::cores))
                .toList();
    }

    /** Which numbers of cores a part was measured on. */
    public Set<Integer> cores(Part part) {
        return of(part).stream().map(ScaleRow::cores).collect(Collectors.toCollection(TreeSet::new));
    }

    /** An operation of a contender, or a limit of the machine. */
    public Optional<ScaleRow> find(Part part, String who, String what, int cores) {
        return medians.stream()
                .filter(row -> row.part() == part
                        && row.who().equals(who)
                        && row.what().equals(what)
                        && row.cores() == cores)
                .findFirst();
    }

    /** So many images or clients at once. */
    public Optional<ScaleRow> find(Part part, int cores, int count) {
        return medians.stream()
                .filter(row -> row.part() == part && row.cores() == cores && row.count() == count)
                .findFirst();
    }
}
