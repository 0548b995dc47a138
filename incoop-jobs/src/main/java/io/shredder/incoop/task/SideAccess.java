// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystem.Statistics.StatisticsData;

/**
 * Notices that this thread opens, lists or writes files by itself, through Hadoop's file systems, while it maps a chunk or reduces: what it
 * reads there is not in its input, and what it writes would be missing if it did not run. The local file system is left out,
 * where cache files lie, whose contents the job's identity covers. Other threads, plain {@code java.io} and networks can't be seen.
 */
final class SideAccess {

    private static final String LOCAL = "file";

    private final long before = operations();

    /** Whether this thread has done so since the constructor. */
    boolean happened() {
        return operations() != before;
    }

    /** Nothing else counts by thread. */
    @SuppressWarnings("deprecation")
    private static long operations() {
        long operations = 0;
        for (FileSystem.Statistics statistics : FileSystem.getAllStatistics()) {
            if (!LOCAL.equals(statistics.getScheme())) {
                StatisticsData mine = statistics.getThreadStatistics();
                operations += (long) mine.getReadOps() + mine.getLargeReadOps() + mine.getWriteOps();
            }
        }
        return operations;
    }
}
