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
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Versions that each keeper has whole: a header, the bytes, their digest. */
public final class Copies {

    /** The longest file that is kept so: whoever reads one takes that much memory on a keeper's word. */
    public static final int MAX_BYTES = 64 << 20;

    private Copies() {}

    /** Writes a version to all keepers that take changes. */
    static void write(Keepers keepers, StoredVersion version, ByteBuffer bytes) throws IOException {
        write(keepers, version, bytes, new BitSet());
    }

    private static void write(Keepers keepers, StoredVersion version, ByteBuffer bytes, BitSet without)
            throws IOException {
        if (bytes.remaining() > MAX_BYTES) {
            throw new IOException(version.name() + " has " + bytes.remaining() + " bytes, which no small file has");
        }
        Members members = keepers.members();
        keepers.change(keepers.all(), keeper -> {
            if (without.get(keeper.index())) {
                return;
            }
            int length = bytes.remaining();
            ShardHeader header = new ShardHeader(keepers.dispersal(), keeper.index(), version, members, length);
            keeper.createPart(version, encoded(header, bytes));
        });
        keepers.change(keepers.all(), keeper -> {
            if (!without.get(keeper.index())) {
                finish(keeper, version);
            }
        });
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
            write(keepers, version, agreed(keepers, version), holders);
        }
    }

    /** The bytes that most of the keepers that have them sound say: one that lies doesn't tell others what to keep. */
    public static ByteBuffer agreed(Keepers keepers, StoredVersion version) throws IOException {
        Map<ByteBuffer, Integer> votes = new LinkedHashMap<>();
        for (Keeper keeper : keepers.all()) {
            soundAt(keepers.dispersal(), keeper, version).ifPresent(bytes -> votes.merge(bytes, 1, Integer::sum));
        }
        Optional<ByteBuffer> most =
                votes.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
        return most.isPresent() ? most.get() : read(keepers, version);
    }

    private static Optional<ByteBuffer> soundAt(Dispersal dispersal, Keeper keeper, StoredVersion version) {
        try {
            return Optional.of(readAt(dispersal, keeper, version));
        } catch (IOException e) {
            return Optional.empty(); // If nobody has them, reading says why.
        }
    }

    /**
     * The bytes, by the first keeper that has them sound.
     *
     * @throws NoSuchFileException if no keeper has them any more
     * @throws DamagedDataException if none of those that have them has them sound
     */
    static ByteBuffer read(Keepers keepers, StoredVersion version) throws IOException {
        IOException problem = new NoSuchFileException(version.name());
        boolean silent = false;
        for (Keeper keeper : keepers.all()) {
            try {
                return readAt(keepers.dispersal(), keeper, version);
            } catch (NoSuchFileException e) {
                silent |= !keeper.isThere(); // Else it is owed, or was deleted meanwhile.
            } catch (EOFException | DamagedDataException e) {
                keeper.tell(version, 0, String.valueOf(e.getMessage()));
                problem = e;
            } catch (IOException e) {
                keeper.tellSilent(e);
                silent = true;
            }
        }
        if (silent) {
            throw new IOException(
                    version.name() + ": keepers that have it can't be read now: bring them back", problem);
        }
        throw problem;
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
