// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import io.shredder.it.figures.Bar;
import java.util.Formatter;
import java.util.Locale;

/** The report as one page of text. */
final class DemoPage {
    private DemoPage() {}

    static String of(DemoReport report) {
        var page = new Formatter(Locale.ROOT);
        page.format("%nShredder demo: commit %s, %s%n", report.commit(), report.machine());
        page.format(
                "%.0f s in all: build %.0f s, input %.0f s%n",
                report.totalSeconds(), report.buildSeconds(), report.inputSeconds());
        texts(report, page);
        jobs(report, page);
        images(report, page);
        page.format("%nBars%n");
        report.bars().forEach(bar -> page.format("  %s%n", bar.line()));
        page.format("%n%s%n", Bar.closingLine(report.bars()));
        return page.toString();
    }

    private static void texts(DemoReport report, Formatter page) {
        page.format("%nUpload (hdfs dfs -copyFromLocalGPU)          bytes   chunks  blocks  seconds  backend%n");
        for (DemoReport.Upload upload : report.uploads()) {
            page.format(
                    "  text %s                           %,14d %,8d %,7d %8.1f  %s%n",
                    upload.text(),
                    upload.bytes(),
                    upload.chunks(),
                    upload.blocks(),
                    upload.seconds(),
                    upload.backend());
        }
        DemoReport.Shared shared = report.shared();
        page.format(
                "  text 2 shares with text 1: %,d of %,d chunks, %,d of %,d blocks, %.2f %% of the bytes%n",
                shared.chunks(), shared.chunksTotal(), shared.blocks(), shared.blocksTotal(), shared.percent());
    }

    private static void jobs(DemoReport report, Formatter page) {
        page.format("%nWord count on YARN        maps run of total  map tasks  seconds  SHA-256 of the part files%n");
        for (DemoReport.Job job : report.jobs()) {
            page.format(
                    "  text %s, %-12s %12d of %,5d %10d %8.1f  %s%n",
                    job.text(),
                    job.incremental() ? "incremental" : "plain",
                    job.mapsRun(),
                    job.mapsTotal(),
                    job.mapTasks(),
                    job.seconds(),
                    job.partsSha256().substring(0, 24));
        }
        page.format("  (a map of an incremental run is one chunk's; of a plain run, one task's)%n");
    }

    private static void images(DemoReport report, Formatter page) {
        page.format("%nBackup                     bytes read     bytes sent   new chunks  known chunks  seconds%n");
        for (DemoReport.Backup backup : report.backups()) {
            page.format(
                    "  image %s            %,17d %,14d %,12d %,13d %8.1f%n",
                    backup.image(),
                    backup.bytesRead(),
                    backup.bytesSent(),
                    backup.newChunks(),
                    backup.knownChunks(),
                    backup.seconds());
        }
        for (DemoReport.Restore restore : report.restores()) {
            page.format(
                    "  image %s restored in %.1f s, SHA-256 %s: %s%n",
                    restore.image(),
                    restore.seconds(),
                    restore.restoredSha256().substring(0, 24),
                    restore.identical() ? "identical to its source" : "DIFFERENT from its source");
        }
    }
}
