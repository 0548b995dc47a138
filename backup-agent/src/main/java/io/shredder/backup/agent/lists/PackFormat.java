// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.UUID;

/** The parts of a pack of pages, byte by byte as {@code docs/formats/snapshot.md} says. */
final class PackFormat {

    static final int VERSION = 2;
    static final long TRAILER_MAGIC = 0x5041434B_454E4421L; // "PACKEND!"
    static final int TRAILER_BYTES = 28;
    static final int CRC_BYTES = SnapshotFormat.CRC_BYTES;

    private static final int TRAILER_CRC_AT = TRAILER_BYTES - CRC_BYTES;

    private PackFormat() {}

    /**
     * What the directory says of a page.
     *
     * @param offset where in the file it begins
     * @param chunkBytes length of the chunks that it refers to, by the index of its time
     * @param digest that names it
     */
    record Entry(long offset, long chunkBytes, Fingerprint digest) {

        static final int BYTES = 2 * Long.BYTES + Fingerprint.BYTES;

        void write(ByteBuffer target) {
            target.putLong(offset).putLong(chunkBytes);
            digest.write(target);
        }

        static Entry read(BodyReader in) throws DamagedDataException {
            return new Entry(in.u63("offset"), in.u63("chunk bytes"), in.fingerprint("page digest"));
        }

        /** The digest of a written entry. */
        static ByteBuffer digest(ByteBuffer entry) {
            return entry.slice(BYTES - Fingerprint.BYTES, Fingerprint.BYTES);
        }
    }

    /** The file's last bytes. */
    record Trailer(long id, int pages, int directoryCrc) {

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(TRAILER_BYTES);
            bytes.putLong(TRAILER_MAGIC).putLong(id).putInt(pages).putInt(directoryCrc);
            bytes.putInt(SnapshotFormat.crc(bytes.slice(0, TRAILER_CRC_AT)));
            return bytes.flip();
        }

        static Trailer read(ByteBuffer bytes, String file, long offset) throws DamagedDataException {
            if (bytes.getLong(0) != TRAILER_MAGIC) {
                throw new DamagedDataException(file, offset, "no trailer here: the file is cut short or overwritten");
            }
            if (bytes.getInt(TRAILER_CRC_AT) != SnapshotFormat.crc(bytes.slice(0, TRAILER_CRC_AT))) {
                throw new DamagedDataException(file, offset + TRAILER_CRC_AT, "the trailer has another CRC32C");
            }
            BodyReader in =
                    new BodyReader(bytes.slice(0, TRAILER_CRC_AT).position(Long.BYTES), file, offset + Long.BYTES);
            Trailer trailer = new Trailer(
                    in.u63("pack id"),
                    in.length("page count", ListPage.MAX_SHARED_PAGES),
                    in.i32("directory's CRC32C"));
            in.end();
            return trailer;
        }
    }

    static FileHeader header(UUID repository) {
        return new FileHeader(FileHeader.PACK_MAGIC, VERSION, 0, repository);
    }

    /** A page with its CRC32C, as it lies in the file. */
    static ByteBuffer encodePage(ListPage page) {
        ByteBuffer bytes = ByteBuffer.allocate(page.bytesWithoutNumber() + CRC_BYTES);
        page.writeWithoutNumber(bytes);
        bytes.putInt(SnapshotFormat.crc(bytes.slice(0, bytes.position())));
        return bytes.flip();
    }

    /** Reads what {@link #encodePage} wrote. */
    static ListPage readPage(int index, ByteBuffer bytes, String file, long offset) throws DamagedDataException {
        int crcAt = bytes.limit() - CRC_BYTES;
        if (crcAt < 0) {
            throw new DamagedDataException(file, offset, "no room for page " + index);
        }
        if (bytes.getInt(crcAt) != SnapshotFormat.crc(bytes.slice(0, crcAt))) {
            throw new DamagedDataException(file, offset + crcAt, "page " + index + " has another CRC32C");
        }
        BodyReader in = new BodyReader(bytes.slice(0, crcAt), file, offset);
        ListPage page = ListPage.readWithoutNumber(index, in);
        in.end();
        return page;
    }
}
