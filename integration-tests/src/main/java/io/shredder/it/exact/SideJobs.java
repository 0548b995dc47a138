// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import static io.shredder.it.exact.JobCase.acme;

import java.util.List;

/** Jobs that look things up beside their input. */
final class SideJobs {
    private SideJobs() {}

    static List<JobCase> cases() {
        return List.of(
                onHdfs(acme("hdfs-table-in-static", "sides.HdfsTableInStatic")),
                onHdfs(acme("hdfs-table-per-mapper", "sides.HdfsTablePerMapper")),
                onHdfs(acme("hdfs-table-in-reducer", "sides.HdfsTableInReducer")),
                onDisk(acme("local-table-in-static", "sides.LocalTableInStatic")));
    }

    private static JobCase onHdfs(JobCase job) {
        return job.given(now -> now.option("net.acme.table", "${hdfs}/table").onHdfs("table", table(1)))
                .then("the table changed", now -> now.onHdfs("table", table(2)));
    }

    private static JobCase onDisk(JobCase job) {
        return job.given(now -> now.option("net.acme.table", "${local}/table").onDisk("table", table(1)))
                .then("the table changed", now -> now.onDisk("table", table(2)));
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
}
