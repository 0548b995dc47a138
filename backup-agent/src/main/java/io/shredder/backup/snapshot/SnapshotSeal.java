// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What a snapshot's list is sealed with: {@code docs/formats/seal.md}. Public.
 *
 * @param key names the repository key
 * @param salt 128 random bits of the snapshot's own, so that no two lists share a key; zeros if it shares pages with
 *     others
 */
public record SnapshotSeal(KeyId key, UUID salt) {

    /** Length in messages and files. */
    public static final int BYTES = KeyId.BYTES + 16;

    /** The salt of shared lists. */
    private static final UUID NO_SALT = new UUID(0, 0);

    /** The seal of a list whose pages are sealed the same in all snapshots of this key, so that they share them. */
    public static SnapshotSeal shared(KeyId key) {
        return new SnapshotSeal(key, NO_SALT);
    }

    /** Whether its pages may be in other snapshots' lists, too. */
    public boolean isShared() {
        return salt.equals(NO_SALT);
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        key.write(target);
        target.putLong(salt.getMostSignificantBits()).putLong(salt.getLeastSignificantBits());
    }

    /** Reads one. */
    public static SnapshotSeal read(BodyReader in) throws DamagedDataException {
        KeyId key = KeyId.read(in);
        return new SnapshotSeal(key, new UUID(in.i64("seal salt"), in.i64("seal salt")));
    }
}
