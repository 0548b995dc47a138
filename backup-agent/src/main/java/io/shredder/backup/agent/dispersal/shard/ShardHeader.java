// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The first bytes of everything that keepers have below {@link StoredVersion#FOLDER}.
 *
 * @param keeper which keeper's it is
 * @param members keepers that were to get this version
 * @param bytes length of the file; 0 where it was not known yet
 */
public record ShardHeader(Dispersal dispersal, int keeper, StoredVersion version, Members members, long bytes) {

    public static final int BYTES = 128;

    private static final long MAGIC = 0x53485244_53485244L; // "SHRDSHRD"
    private static final int FORMAT = 2;
    private static final int CHECKSUM_AT = BYTES - Integer.BYTES;

    /** The same at another keeper. */
    public ShardHeader at(int other) {
        return new ShardHeader(dispersal, other, version, members, bytes);
    }

    /** Whether another keeper's header agrees. */
    public boolean saysTheSame(ShardHeader other) {
        return at(0).equals(other.at(0));
    }

    /** The first of those that most of these agree with; empty if there are none. */
    public static Optional<ShardHeader> ofMost(List<ShardHeader> headers) {
        Map<ShardHeader, List<ShardHeader>> alike = new LinkedHashMap<>();
        headers.forEach(each ->
                alike.computeIfAbsent(each.at(0), any -> new ArrayList<>()).add(each));
        return alike.values().stream().max(Comparator.comparingInt(List::size)).map(most -> most.get(0));
    }

    public ByteBuffer encoded() {
        ByteBuffer head = ByteBuffer.allocate(BYTES);
        head.putLong(MAGIC).putInt(FORMAT);
        head.putShort((short) dispersal.data()).putShort((short) dispersal.parity());
        head.putShort((short) keeper).put((byte) version.kind().code()).put((byte) 0);
        head.putInt(version.epoch()).putLong(version.counter());
        UUID store = dispersal.store();
        head.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
        Checks.digest(version.name()).write(head);
        members.write(head);
        head.putLong(bytes);
        head.putInt(CHECKSUM_AT, Checks.crc(head.slice(0, CHECKSUM_AT)));
        return head.rewind();
    }

    /**
     * Reads the header of a version, which must be this keeper's.
     *
     * @param place for messages
     * @param head at least {@link #BYTES} from its position on
     */
    public static ShardHeader read(
            Dispersal dispersal, int keeper, StoredVersion version, String place, ByteBuffer head)
            throws DamagedDataException {
        ByteBuffer bytes = head.slice(head.position(), BYTES);
        if (bytes.getLong(0) != MAGIC || bytes.getInt(CHECKSUM_AT) != Checks.crc(bytes.slice(0, CHECKSUM_AT))) {
            throw new DamagedDataException(place, 0, "the header's magic or checksum is wrong");
        }
        if (bytes.getInt(8) != FORMAT) {
            throw new OtherVersionException(place, 8, bytes.getInt(8), FORMAT);
        }
        Members members = Members.read(bytes.slice(80, Members.BYTES));
        ShardHeader found = new ShardHeader(dispersal, keeper, version, members, bytes.getLong(112));
        int differs = found.encoded().mismatch(bytes);
        if (differs >= 0) {
            throw new DamagedDataException(place, differs, "it is another store's, keeper's or file's");
        }
        return found;
    }
}
