// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import java.util.Map;

/**
 * A run of a job.
 *
 * @param seconds of the whole command, from the launcher's start to its end
 * @param work what its tasks did
 * @param digest of its part files' names and bytes
 */
public record Outcome(double seconds, Work work, String digest) {
    /**
     * What the tasks of one or several jobs did, as the history server has it.
     *
     * @param cpuSeconds of all map and reduce tasks
     * @param mapTasks that were started
     * @param mapHdfsBytes that map tasks read from HDFS
     * @param incoop the counters of incremental runs; none of a plain one
     */
    public record Work(double cpuSeconds, long mapTasks, long mapHdfsBytes, Map<String, Long> incoop) {
        /** A counter of incremental runs, 0 if it is not there. */
        public long counter(String name) {
            return incoop.getOrDefault(name, 0L);
        }
    }

    /** How many times faster than another run. */
    public double timesFasterThan(Outcome other) {
        return other.seconds / seconds;
    }

    /** How many times less CPU time than another run. */
    public double timesLessWorkThan(Outcome other) {
        return other.work.cpuSeconds / work.cpuSeconds;
    }

    /** Whether the part files are the same, byte for byte. */
    public boolean sameOutputAs(Outcome other) {
        return digest.equals(other.digest);
    }
}
