// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The 64 bytes that containers, the index and the repository file begin with ({@code docs/formats/container.md}):
 * magic, version, number, repository, and a digest of them.
 *
 * @param magic eight ASCII letters, as a big-endian number
 * @param version of the format
 * @param number of the file among its kind
 * @param repository that the file belongs to
 */
public record FileHeader(long magic, int version, int number, UUID repository) {

    /** Length in every file. */
    public static final int BYTES = 64;

    /** The version of all these files but the index's runs, which have their own. */
    public static final int VERSION = 2;

    private static final int VERSION_AT = 8;
    private static final int DIGESTED_BYTES = 32;

    /** "SHRDREPO". */
    public static final long REPOSITORY_MAGIC = 0x53485244_5245504FL;

    /** "SHRDCONT". */
    public static final long CONTAINER_MAGIC = 0x53485244_434F4E54L;

    /** "SHRDDAMG". */
    public static final long DAMAGED_MAGIC = 0x53485244_44414D47L;

    /** "SHRDFREE". */
    public static final long RELEASING_MAGIC = 0x53485244_46524545L;

    /** "SHRDIMAN". */
    public static final long INDEX_MANIFEST_MAGIC = 0x53485244_494D414EL;

    /** "SHRDILOG". */
    public static final long INDEX_LOG_MAGIC = 0x53485244_494C4F47L;

    /** "SHRDIRUN". */
    public static final long INDEX_RUN_MAGIC = 0x53485244_4952554EL;

    /** "SHRDPACK". */
    public static final long PACK_MAGIC = 0x53485244_5041434BL;

    /** "SHRDCTLG". */
    public static final long CATALOGUE_MAGIC = 0x53485244_43544C47L;

    /** The header as bytes, ready to be written. */
    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(magic).putShort((short) version).putShort((short) 0).putInt(number);
        bytes.putLong(repository.getMostSignificantBits()).putLong(repository.getLeastSignificantBits());
        Fingerprint.ofData(bytes.slice(0, DIGESTED_BYTES)).write(bytes);
        return bytes.flip();
    }

    /** Reads a header that must have this magic and version {@link #VERSION}. */
    public static FileHeader read(ByteBuffer bytes, long magic, String file) throws DamagedDataException {
        return requireVersion(VERSION, readAnyVersion(bytes, magic, file), file);
    }

    private static FileHeader requireVersion(int version, FileHeader header, String file) throws DamagedDataException {
        if (header.version != version) {
            throw new OtherVersionException(file, VERSION_AT, header.version, version);
        }
        return header;
    }

    /** Reads a header that must have this magic; the caller judges its version. */
    public static FileHeader readAnyVersion(ByteBuffer bytes, long magic, String file) throws DamagedDataException {
        if (bytes.remaining() < BYTES) {
            throw new DamagedDataException(file, bytes.remaining(), "ends inside its header");
        }
        ByteBuffer head = bytes.slice(bytes.position(), BYTES);
        if (head.getLong(0) != magic) {
            throw new DamagedDataException(file, 0, "another file's magic");
        }
        if (!Fingerprint.ofData(head.slice(0, DIGESTED_BYTES))
                .equals(Fingerprint.read(head.position(DIGESTED_BYTES)))) {
            throw new DamagedDataException(file, DIGESTED_BYTES, "the header's digest differs");
        }
        UUID repository = new UUID(head.getLong(16), head.getLong(24));
        return new FileHeader(magic, head.getShort(VERSION_AT), head.getInt(12), repository);
    }

    /** Reads a header that must be exactly this one. */
    public void check(ByteBuffer bytes, String file) throws DamagedDataException {
        FileHeader found = requireVersion(version, readAnyVersion(bytes, magic, file), file);
        if (found.number != number) {
            throw new DamagedDataException(file, 12, "it is number " + found.number + ", not " + number);
        }
        if (!found.repository.equals(repository)) {
            throw new DamagedDataException(
                    file, 16, "it belongs to repository " + found.repository + ", not " + repository);
        }
    }
}
