// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;

/**
 * Which chunks a job maps although their output is kept, so that both can be compared ({@code incoop verify --sample}):
 * a random fraction, the same for the same seed.
 */
public final class Recheck {

    private static final String FRACTION = "incoop.job.recheck.fraction";
    private static final String SEED = "incoop.job.recheck.seed";

    private final double fraction;
    private final long seed;

    private Recheck(double fraction, long seed) {
        this.fraction = fraction;
        this.seed = seed;
    }

    /** Has a job that is about to be submitted map a fraction of its chunks again, 0 to 1. */
    public static void ask(Configuration job, double fraction, long seed) {
        job.setDouble(FRACTION, fraction);
        job.setLong(SEED, seed);
    }

    /** What was asked of this job; nothing by default. */
    static Recheck of(Configuration job) {
        return new Recheck(job.getDouble(FRACTION, 0), job.getLong(SEED, 0));
    }

    boolean picks(Fingerprint chunk) {
        if (fraction <= 0) {
            return false;
        }
        ByteBuffer seeded = ByteBuffer.allocate(Long.BYTES + Fingerprint.BYTES);
        seeded.putLong(seed).put(chunk.toBytes()).flip();
        // The first 31 bits of a digest, as a number from 0 to 1.
        int random = ByteBuffer.wrap(Fingerprint.ofData(seeded).toBytes()).getInt() >>> 1;
        return random < fraction * Integer.MAX_VALUE || fraction >= 1;
    }
}
