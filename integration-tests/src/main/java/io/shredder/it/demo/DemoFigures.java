// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import io.shredder.it.figures.Bar;
import java.util.ArrayList;
import java.util.List;

/**
 * What one run measured, before it is judged.
 *
 * @param inputSeconds what fetching and making the input took
 * @param uploads first and second text
 * @param shared what the second text has in common with the first
 * @param jobs plain and incremental word counts, of the first and then of the second text
 * @param backups first and second image
 * @param restores first and second image
 * @param verified whether the agent found all it keeps undamaged
 */
record DemoFigures(
        double inputSeconds,
        List<DemoReport.Upload> uploads,
        DemoReport.Shared shared,
        List<DemoReport.Job> jobs,
        List<DemoReport.Backup> backups,
        List<DemoReport.Restore> restores,
        boolean verified) {
    private static final double SHARED_PERCENT_NEEDED = 90;
    private static final double MAPS_PERCENT_ALLOWED = 10;
    private static final double SENT_PERCENT_ALLOWED = 15;
    private static final double SECONDS_ALLOWED = 20 * 60.0;

    /** Judges the figures, and the demo's whole time. */
    List<Bar> bars(double totalSeconds) {
        var bars = new ArrayList<Bar>();
        bars.add(Bar.atMost("demo, all of it", totalSeconds, SECONDS_ALLOWED, " s"));
        bars.add(equality(
                "texts on HDFS equal to their sources",
                uploads.stream().filter(DemoReport.Upload::equal).count(),
                uploads.size()));
        bars.add(Bar.atLeast("second text: bytes in shared chunks", shared.percent(), SHARED_PERCENT_NEEDED, " %"));
        DemoReport.Job warm = jobs.get(jobs.size() - 1);
        bars.add(Bar.atMost(
                "word count after the edit: maps run",
                100.0 * warm.mapsRun() / warm.mapsTotal(),
                MAPS_PERCENT_ALLOWED,
                " %"));
        bars.add(equality("part files equal to the plain run's", equalPairs(), jobs.size() / 2));
        bars.add(Bar.atMost(
                "second image: bytes sent of bytes read",
                backups.get(backups.size() - 1).percentSent(),
                SENT_PERCENT_ALLOWED,
                " %"));
        bars.add(equality(
                "restored images identical by SHA-256",
                restores.stream().filter(DemoReport.Restore::identical).count(),
                restores.size()));
        bars.add(Bar.holds("backup repository verified", verified, verified ? "undamaged" : "damaged", "undamaged"));
        return bars;
    }

    /** Jobs come in pairs: plain, then incremental, on the same text. */
    private long equalPairs() {
        long equal = 0;
        for (int i = 0; i < jobs.size(); i += 2) {
            if (jobs.get(i).partsSha256().equals(jobs.get(i + 1).partsSha256())) {
                equal++;
            }
        }
        return equal;
    }

    private static Bar equality(String name, long equal, long all) {
        return Bar.holds(name, equal == all, equal + " of " + all, "all");
    }
}
