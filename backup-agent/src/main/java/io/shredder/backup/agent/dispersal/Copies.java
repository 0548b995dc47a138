// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Checks;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;
import java.util.List;

/** Versions that each keeper has whole: a header, the bytes, their digest. */
public final class Copies {

    /** The longest file that is kept so: whoever reads one takes that much memory on a keeper's word. */
    public static final int MAX_BYTES = 64 << 20;

    private Copies() {}

    /**
     * Writes a version to all keepers that take changes.
     *
     * @return those that were to get it
     */
    static List<Keeper> write(Keepers keepers, StoredVersion version, ByteBuffer bytes) throws IOException {
        return write(keepers, version, bytes, new BitSet());
    }

    private static List<Keeper> write(Keepers keepers, StoredVersion version, ByteBuffer bytes, BitSet without)
            throws IOException {
        if (bytes.remaining() > MAX_BYTES) {
            throw new IOException(version.name() + " has " + bytes.remaining() + " bytes, which no small file has");
        }
        List<Keeper> chosen = keepers.changeable();
        Members members = Keepers.members(chosen);
        keepers.change(chosen, keeper -> {
            if (without.get(keeper.index())) {
                return;
            }
            int length = bytes.remaining();
            ShardHeader header = new ShardHeader(keepers.dispersal(), keeper.index(), version, members, length);
            keeper.createPart(version, encoded(header, bytes));
        });
        keepers.change(chosen, keeper -> {
            if (!without.get(keeper.index())) {
                finish(keeper, version);
            }
        });
        return chosen;
    }

    private static void finish(Keeper keeper, StoredVersion version) throws IOException {
        try {
            keeper.finish(version);
        } catch (IOException e) {
            keeper.removePart(version);
            throw e;
        }
    }

    /** All that a keeper has of a copy. */
    public static ByteBuffer encoded(ShardHeader header, ByteBuffer bytes) {
        ByteBuffer all = ByteBuffer.allocate(ShardHeader.BYTES + bytes.remaining() + Fingerprint.BYTES);
        all.put(header.encoded()).put(bytes.duplicate());
        Checks.digest(bytes).write(all);
        return all.flip();
    }

    /** Gives keepers that don't have it a version that others have. */
    static void complete(Keepers keepers, StoredVersion version, BitSet holders) throws IOException {
        if (keepers.changeable().stream().anyMatch(keeper -> !holders.get(keeper.index()))) {
            write(keepers, version, read(keepers, version), holders);
        }
    }

    /**
     * The bytes, as most keepers say them.
     *
     * @throws NoSuchFileException if no keeper has them any more
     * @throws DamagedDataException if no sound copy is left, or none that most say
     */
    public static ByteBuffer read(Keepers keepers, StoredVersion version) throws IOException {
        return new CopyVote(keepers, version).bytes();
    }

    /**
     * The bytes that a keeper has.
     *
     * @throws DamagedDataException if they are not sound
     */
    public static ByteBuffer readAt(Dispersal dispersal, Keeper keeper, StoredVersion version) throws IOException {
        try (ReadableFile file = keeper.storage().open(version.file())) {
            long most = (long) ShardHeader.BYTES + MAX_BYTES + Fingerprint.BYTES;
            long size = file.size();
            if (size < ShardHeader.BYTES + Fingerprint.BYTES || size > most) {
                throw new DamagedDataException(version.name(), size, "no copy is so long");
            }
            ByteBuffer all = ByteBuffer.allocate((int) size);
            file.readFully(all, 0);
            ShardHeader header = ShardHeader.read(dispersal, keeper.index(), version, version.name(), all.rewind());
            int length = (int) size - ShardHeader.BYTES - Fingerprint.BYTES;
            ByteBuffer bytes = all.slice(ShardHeader.BYTES, length);
            Fingerprint digest = Fingerprint.read(all.position(ShardHeader.BYTES + length));
            if (header.bytes() != length || !digest.equals(Checks.digest(bytes))) {
                throw new DamagedDataException(version.name(), ShardHeader.BYTES, "the copy's digest differs");
            }
            return bytes;
        }
    }
}
