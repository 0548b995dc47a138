// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/**
 * Where an agent's audit log ended at some time, and the digest of all before: {@code docs/formats/audit.md}. Clients
 * seal it into their snapshots, so that a log that is cut, emptied or replaced afterwards is seen.
 *
 * @param offset length of the log then; 0 stands for no position
 * @param high first 8 bytes of the digest
 * @param low the next 8
 */
public record AuditPosition(long offset, long high, long low) {

    /** Length in messages and summaries. */
    public static final int BYTES = 3 * Long.BYTES;

    /** None. */
    public static final AuditPosition NONE = new AuditPosition(0, 0, 0);

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putLong(offset).putLong(high).putLong(low);
    }

    /** Reads one. */
    public static AuditPosition read(BodyReader in) throws DamagedDataException {
        return new AuditPosition(in.u63("offset in the audit log"), in.i64("audit digest"), in.i64("audit digest"));
    }
}
