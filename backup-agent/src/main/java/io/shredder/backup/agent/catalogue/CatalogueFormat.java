// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The bytes of the record of commits and deletions: {@code docs/formats/catalogue.md}, section 1. Records are at the
 * positions of buffers, which stay.
 */
final class CatalogueFormat {

    /** Of new files; older ones lack types of records. */
    static final int VERSION = 4;

    private static final int OLDEST_VERSION = 2;
    static final int HEAD_BYTES = 12;
    static final int CHAIN_BYTES = 16;
    static final int MAX_RECORD_BYTES = 1 << 16;

    /** What a disk writes at once. */
    private static final int SECTOR_BYTES = 512;

    private static final int RECORD_MAGIC = 0x52454321; // "REC!"

    private CatalogueFormat() {}

    static FileHeader header(UUID repository) {
        return header(repository, VERSION);
    }

    /** Checks a header of any version that can be read; returns the version. */
    static int checkHeader(ByteBuffer bytes, UUID repository, String name) throws DamagedDataException {
        int version = FileHeader.readAnyVersion(bytes, FileHeader.CATALOGUE_MAGIC, name)
                .version();
        boolean isOld = version >= OLDEST_VERSION && version < VERSION;
        header(repository, isOld ? version : VERSION).check(bytes, name);
        return version;
    }

    private static FileHeader header(UUID repository, int version) {
        return new FileHeader(FileHeader.CATALOGUE_MAGIC, version, 0, repository);
    }

    /** The digest behind what has {@code before} before it. */
    static byte[] chain(byte[] before, ByteBuffer bytes) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(before);
        digest.update(bytes.duplicate());
        return Arrays.copyOf(digest.digest(), CHAIN_BYTES);
    }

    /** A record that follows {@code chain}. */
    static ByteBuffer encode(CatalogueRecord record, byte[] chain) {
        int length = HEAD_BYTES + 1 + record.bodyBytes() + CHAIN_BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.putInt(RECORD_MAGIC).putInt(length).putInt(crc(bytes.slice(0, 8)));
        bytes.put((byte) record.type());
        record.write(bytes);
        bytes.put(chain(chain, bytes.slice(0, length - CHAIN_BYTES)));
        return bytes.flip();
    }

    /**
     * Whether of the last record a crash lost a sector that its head is in: zeros are there, and no record begins
     * behind them.
     *
     * @param bytes from there on, to the end of the file if a record may reach to it
     * @param at where it is in the file
     */
    static boolean lostHead(ByteBuffer bytes, long at, long left) {
        if (left > MAX_RECORD_BYTES) {
            return false;
        }
        int first = (int) Math.min(left, SECTOR_BYTES - at % SECTOR_BYTES);
        if (isLost(bytes, 0, first)) {
            return true;
        }
        // The head goes on in the next sector.
        return first < Math.min(left, HEAD_BYTES)
                && beginsRecord(bytes, first)
                && isLost(bytes, first, (int) Math.min(left, first + SECTOR_BYTES));
    }

    private static boolean beginsRecord(ByteBuffer bytes, int length) {
        int compared = Math.min(length, Integer.BYTES);
        ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES).putInt(0, RECORD_MAGIC);
        return bytes.slice(bytes.position(), compared).equals(magic.slice(0, compared));
    }

    private static boolean isLost(ByteBuffer bytes, int from, int to) {
        ByteBuffer sector = bytes.slice(bytes.position() + from, to - from);
        if (sector.mismatch(ByteBuffer.allocate(to - from)) >= 0) {
            return false;
        }
        for (int next = bytes.position() + to; next + Integer.BYTES <= bytes.limit(); next++) {
            if (bytes.getInt(next) == RECORD_MAGIC) {
                return false;
            }
        }
        return true;
    }

    /**
     * The length of a record; 0 if a crash left only a part of it.
     *
     * @param left bytes of the file from there on, at least {@link #HEAD_BYTES}
     * @param at where it is in the file
     */
    static int recordBytes(ByteBuffer bytes, long left, String name, long at) throws DamagedDataException {
        int start = bytes.position();
        int length = bytes.getInt(start + 4);
        if (bytes.getInt(start) != RECORD_MAGIC || bytes.getInt(start + 8) != crc(bytes.slice(start, 8))) {
            throw new DamagedDataException(name, at, "no record begins here");
        }
        if (length < HEAD_BYTES + 1 + CHAIN_BYTES || length > MAX_RECORD_BYTES) {
            throw new DamagedDataException(name, at + 4, "a record of " + length + " bytes");
        }
        return length > left ? 0 : length;
    }

    static ByteBuffer withoutChain(ByteBuffer bytes, int length) {
        return bytes.slice(bytes.position(), length - CHAIN_BYTES);
    }

    static boolean statesChain(ByteBuffer bytes, int length, byte[] chain) {
        return ByteBuffer.wrap(chain).equals(bytes.slice(bytes.position() + length - CHAIN_BYTES, CHAIN_BYTES));
    }

    static int type(ByteBuffer bytes) {
        return Byte.toUnsignedInt(bytes.get(bytes.position() + HEAD_BYTES));
    }

    static ByteBuffer body(ByteBuffer bytes, int length) {
        return bytes.slice(bytes.position() + HEAD_BYTES + 1, length - HEAD_BYTES - 1 - CHAIN_BYTES);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
