// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Jobs that look things up beside their input. */
final class SideJobs {
    private static final String TABLE = "net.acme.table";
    private static final String CHANGED = "the table changed";
    private static final int TEN_MEGABYTES_OF_LINES = 800_000;

    private SideJobs() {}

    static List<JobCase> cases() {
        var cases = new ArrayList<JobCase>();
        cases.addAll(tablesOnHdfs());
        cases.addAll(tablesOnDisk());
        cases.addAll(otherTables());
        cases.addAll(cacheFiles());
        return cases;
    }

    private static List<JobCase> tablesOnHdfs() {
        return List.of(
                onHdfs(acme("hdfs-table-in-static", "sides.HdfsTableInStatic")).with(Trait.ALSO_ON_YARN),
                onHdfs(acme("hdfs-table-per-mapper", "sides.HdfsTablePerMapper")),
                onHdfs(acme("hdfs-table-in-reducer", "sides.HdfsTableInReducer")),
                onHdfs(acme("hdfs-table-by-file-context", "sides.HdfsTableByContext")),
                onHdfs(acme("hdfs-table-in-thread", "sides.HdfsTableInThread")),
                onHdfs(acme("hdfs-table-in-executor", "sides.HdfsTableInExecutor")),
                onHdfs(acme("hdfs-table-in-library", "sides.HdfsTableInLibrary")),
                onHdfs(acme("hdfs-table-in-reducers-thread", "sides.HdfsTableInReducersThread")),
                onHdfs(acme("hdfs-table-in-static-old-api", "oldapi.TableInStatic")),
                acme("hdfs-table-in-parallel-stream", "sides.HdfsTableInParallel")
                        .given(now -> parts(now.option(TABLE, "${hdfs}/part-"), 1))
                        .then(CHANGED, now -> parts(now, 2)),
                onHdfs(acme("hdfs-listing", "sides.HdfsListing"))
                        .then("a file more", now -> now.onHdfs("another", "more\n")),
                onHdfs(acme("hdfs-flag", "sides.HdfsFlag")).then("a flag set", now -> now.onHdfs("flag", "set\n")),
                acme("big-table-in-static", "sides.BigTableInStatic")
                        .given(now -> now.option(TABLE, "${hdfs}/table").onHdfs("table", bigTable(1)))
                        .then(CHANGED, now -> now.onHdfs("table", bigTable(2))));
    }

    private static List<JobCase> tablesOnDisk() {
        return List.of(
                onDisk(acme("local-table-in-static", "sides.LocalTableInStatic"))
                        .with(Trait.ALSO_ON_YARN),
                onDisk(acme("local-table-by-nio", "sides.LocalTableByNio")),
                onDisk(acme("local-table-by-random-access", "sides.LocalTableRandomAccess")),
                onDisk(acme("local-table-mapped", "sides.LocalTableMapped")),
                onDisk(acme("local-table-by-url", "sides.LocalTableByUrl")),
                onDisk(acme("local-table-by-hadoop", "sides.LocalTableByHadoop")),
                onDisk(acme("local-table-by-relative-name", "sides.RelativeTable")),
                onDisk(acme("local-table-late", "sides.LateTable")),
                onDisk(acme("local-table-in-reducer", "sides.LocalTableInReducer")),
                onDisk(acme("local-table-in-combiner", "sides.TableInCombiner")),
                onDisk(acme("local-table-in-partitioner", "sides.TableInPartitioner"))
                        .with(Trait.OWN_REDUCERS));
    }

    private static List<JobCase> otherTables() {
        return List.of(
                onDisk(acme("table-by-process", "sides.TableByProcess")),
                served(acme("table-by-socket", "sides.TableBySocket")),
                served(acme("table-by-socket-in-reducer", "sides.TableBySocketInReducer")),
                onClassPath(acme("table-on-class-path", "sides.TableOnClassPath")),
                onClassPath(acme("table-on-context-class-path", "sides.TableOnContextClassPath")));
    }

    private static List<JobCase> cacheFiles() {
        return List.of(
                cached(acme("cache-file-by-link", "sides.CacheFileByLink"), "${hdfs}/table#linked-table"),
                cached(acme("cache-file-by-uri", "sides.CacheFileByUri"), "${hdfs}/table"),
                cached(acme("cache-file-by-local-path", "sides.CacheFileByLocalPath"), "${hdfs}/table"),
                acme("cache-files-in-order", "sides.CacheFilesInOrder")
                        .given(now -> now.arguments("${input}", "${output}", "${hdfs}/one", "${hdfs}/two")
                                .onHdfs("one", table(1))
                                .onHdfs("two", table(2)))
                        .then(
                                "the order changed",
                                now -> now.arguments("${input}", "${output}", "${hdfs}/two", "${hdfs}/one")));
    }

    static JobCase onHdfs(JobCase job) {
        return job.given(now -> now.option(TABLE, "${hdfs}/table").onHdfs("table", table(1)))
                .then(CHANGED, now -> now.onHdfs("table", table(2)));
    }

    private static JobCase onDisk(JobCase job) {
        return job.given(now -> now.option(TABLE, "${local}/table").onDisk("table", table(1)))
                .then(CHANGED, now -> now.onDisk("table", table(2)));
    }

    private static JobCase served(JobCase job) {
        return job.given(now -> now.option("net.acme.port", "${port}").onDisk("table", table(1)))
                .then(CHANGED, now -> now.onDisk("table", table(2)));
    }

    private static JobCase onClassPath(JobCase job) {
        return job.given(now -> now.onClassPath("acme/table", table(1)))
                .then("another jar", now -> now.onClassPath("acme/table", table(2)));
    }

    private static JobCase cached(JobCase job, String file) {
        UnaryOperator<Surroundings> first =
                now -> now.arguments("${input}", "${output}", file).onHdfs("table", table(1));
        return job.given(first).then(CHANGED, now -> now.onHdfs("table", table(2)));
    }

    private static Surroundings parts(Surroundings now, int factor) {
        Surroundings next = now;
        for (int part = 0; part < 8; part++) {
            next = next.onHdfs("part-" + part, "w" + part + " " + factor + "\n");
        }
        return next;
    }

    /** Words and numbers, of the same length whatever the factor below 10. */
    static String table(int factor) {
        StringBuilder table = new StringBuilder();
        for (int word = 0; word < 400; word++) {
            table.append('w')
                    .append(word)
                    .append(' ')
                    .append(factor)
                    .append(word % 10)
                    .append('\n');
        }
        return table.toString();
    }

    private static String bigTable(int factor) {
        StringBuilder table = new StringBuilder(table(factor));
        for (int line = 0; line < TEN_MEGABYTES_OF_LINES; line++) {
            table.append("other").append(line).append(' ').append(1).append('\n');
        }
        return table.toString();
    }
}
