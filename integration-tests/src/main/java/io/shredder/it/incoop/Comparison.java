// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import java.io.IOException;

/**
 * A job over one version of an input, plainly and incrementally.
 *
 * @param version of the input
 * @param inputBytes its size
 * @param plain run of the same job on the same file by Hadoop alone
 * @param incremental run by Incoop, with what earlier runs have left
 */
public record Comparison(JobKind kind, Version version, long inputBytes, Outcome plain, Outcome incremental) {
    /** Whether both gave the same part files, byte for byte. */
    public boolean identical() {
        return incremental.sameOutputAs(plain);
    }

    /** Map input from HDFS, in hundredths of the file. */
    public double percentRead() {
        return 100.0 * incremental.work().mapHdfsBytes() / inputBytes;
    }

    /** Runs both on a cluster, plainly first. */
    public static Comparison run(JobLab lab, JobKind kind, Version version, JobLab.Uploaded input)
            throws IOException, InterruptedException {
        Outcome plain = lab.run(kind, input, false);
        return new Comparison(kind, version, input.bytes(), plain, lab.run(kind, input, true));
    }
}
