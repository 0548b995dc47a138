// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What precedes the sealed bytes of a region in a container: {@value #BYTES} bytes, and the table of its other chunks.
 *
 * <pre>
 *  0   4  magic "CHNK", or "CHNP" if some of its chunks were kept elsewhere when it was written
 *  4   4  stored length: the table and the sealed bytes
 *  8  32  identity of the first chunk
 * 40  32  SHA-256 of the stored bytes
 * 72   4  plain length of the first chunk
 * 76   1  codec
 * 77   1  number of other chunks
 * 78   2  zero
 * 80   4  CRC32C of the 80 bytes above and of the table
 * 84      table: of each other chunk its identity 32, its plain length 4
 * </pre>
 *
 * @param partly whether some of its chunks were kept elsewhere when it was written: nobody knows what it has of them
 * @param storedBytes how many bytes follow the first {@value #BYTES}
 * @param fixed the first chunk, codec and digest
 * @param chunks all chunks
 */
record RecordHead(boolean partly, int storedBytes, StoredRegion.Fixed fixed, List<ChunkRef> chunks) {

    static final int BYTES = 84;

    /** Where the fields begin that messages have, too. */
    static final int FIXED_AT = 8;

    private static final int MAGIC = 0x43484E4B;
    private static final int MAGIC_PARTLY = 0x43484E50;
    private static final int STORED_AT = 4;
    private static final int OTHERS_AT = 77;
    private static final int CRC_AT = 80;

    /** The first {@value #BYTES} bytes of a region's record, behind which its stored bytes follow. */
    static ByteBuffer encode(StoredRegion region, boolean partly) {
        ByteBuffer head = ByteBuffer.allocate(BYTES);
        head.putInt(partly ? MAGIC_PARTLY : MAGIC).putInt(region.stored().length());
        region.writeFixed(head);
        head.putInt(crc(head, region.stored().view().limit(tableBytes(head))));
        return head.flip();
    }

    private static int tableBytes(ByteBuffer head) {
        return StoredRegion.tableBytes(1 + Byte.toUnsignedInt(head.get(OTHERS_AT)));
    }

    /**
     * Length of the table, before the CRC can tell whether that is right. A table that ends behind the sealed bytes is
     * refused here: where the file ends before it does, that would look like a record that a dying writer left.
     */
    private static int tableBytes(ByteBuffer head, String file, long offset) throws DamagedDataException {
        if (head.remaining() < BYTES) {
            throw endsInside(head, file, offset);
        }
        if (head.getInt(0) != MAGIC && head.getInt(0) != MAGIC_PARTLY) {
            throw new DamagedDataException(file, offset, "no record begins here");
        }
        int table = tableBytes(head);
        if (table > 0 && table >= head.getInt(STORED_AT)) {
            String problem = head.getInt(STORED_AT) + " stored bytes have no room for a table of " + table;
            throw new DamagedDataException(file, offset + OTHERS_AT, problem);
        }
        return table;
    }

    private static DamagedDataException endsInside(ByteBuffer head, String file, long offset) {
        return new DamagedDataException(file, offset + head.remaining(), "ends inside the head of a record");
    }

    /** Reads {@link #BYTES} bytes and the table at the position of {@code bytes}, which may go on behind them. */
    static RecordHead read(ByteBuffer bytes, String file, long offset) throws DamagedDataException {
        ByteBuffer head = bytes.slice();
        int table = tableBytes(head, file, offset);
        if (head.remaining() - BYTES < table) {
            throw endsInside(head, file, offset);
        }
        if (head.getInt(CRC_AT) != crc(head, head.slice(BYTES, table))) {
            throw new DamagedDataException(file, offset + CRC_AT, "the record's head has another CRC32C");
        }
        BodyReader in = new BodyReader(head.duplicate().position(STORED_AT).limit(CRC_AT), file, offset + STORED_AT);
        int stored = in.length("stored length", RegionFormat.MAX_STORED_BYTES);
        StoredRegion.Fixed fixed = StoredRegion.Fixed.read(in);
        BodyReader others = new BodyReader(head.position(BYTES).limit(BYTES + table), file, offset + BYTES);
        return new RecordHead(head.getInt(0) == MAGIC_PARTLY, stored, fixed, fixed.chunks(others));
    }

    /** The same of a file that is {@code size} bytes long, and may end before {@code offset}. */
    static RecordHead read(ReadableFile opened, String file, long offset, long size) throws IOException {
        ByteBuffer head = bytes(opened, offset, (int) Math.max(0, Math.min(BYTES, size - offset)));
        int table = tableBytes(head, file, offset);
        return read(
                table > 0 ? bytes(opened, offset, (int) Math.min(BYTES + table, size - offset)) : head, file, offset);
    }

    private static ByteBuffer bytes(ReadableFile opened, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        opened.readFully(bytes, at);
        return bytes.flip();
    }

    /** Where the chunks of the record at this place are, each by itself. */
    Map<Fingerprint, ChunkLocation> places(int container, int offset) {
        return ChunkLocation.of(chunks, new ContainerPosition(container, offset), storedBytes);
    }

    /** Joins the stored bytes. Their digest is not checked here. */
    StoredRegion with(StoredRegion.Payload stored, String file, long offset) throws DamagedDataException {
        return fixed.with(new BodyReader(ByteBuffer.allocate(0), file, offset + BYTES + stored.length()), stored);
    }

    /** Refuses lengths that contradict the codec, as {@link #with} does. */
    void checkLengths(String file, long offset) throws DamagedDataException {
        Optional<String> problem = StoredRegion.problem(chunks, fixed.codec(), storedBytes);
        if (problem.isPresent()) {
            throw new DamagedDataException(file, offset + BYTES + storedBytes, problem.get());
        }
    }

    private static int crc(ByteBuffer head, ByteBuffer table) {
        CRC32C crc = new CRC32C();
        crc.update(head.slice(0, CRC_AT));
        crc.update(table);
        return (int) crc.getValue();
    }
}
