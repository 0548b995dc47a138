// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * Which part of everything that an agent keeps is to be verified: of what was written since a time, a random sample of
 * whole containers.
 *
 * @param since containers written and snapshots received before are left out, by the agent's clock; to the millisecond,
 *     from 1970 on
 * @param millionths how many of a million stored bytes at least, 1 to {@link #ALL}
 * @param seed of the sample: the same one chooses the same containers of the same repository
 */
public record VerifyScope(Instant since, int millionths, long seed) {

    /** Millionths that leave nothing out. */
    public static final int ALL = 1_000_000;

    /** Whatever is kept. */
    public static final VerifyScope EVERYTHING = new VerifyScope(Instant.EPOCH, ALL, 0);

    /** Stands in answers where the identity of a chunk would, for whoever may not know it. */
    public static final String WITHHELD = "(withheld)";

    /** Length on the wire. */
    static final int BYTES = 20;

    /** Refuses what is out of range. */
    public VerifyScope {
        if (millionths < 1 || millionths > ALL || since.isBefore(Instant.EPOCH)) {
            throw new IllegalArgumentException("no scope: " + millionths + " millionths since " + since);
        }
    }

    void write(ByteBuffer target) {
        target.putLong(since.toEpochMilli()).putInt(millionths).putLong(seed);
    }

    static VerifyScope read(BodyReader in) throws DamagedDataException {
        Instant since = Instant.ofEpochMilli(in.u63("since"));
        int millionths = in.length("millionths", ALL);
        if (millionths == 0) {
            throw in.damaged("a sample of nothing, before here");
        }
        return new VerifyScope(since, millionths, in.i64("seed"));
    }
}
