// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.zip.CRC32C;

/** The parts of a snapshot file, byte by byte as {@code docs/formats/snapshot.md} says. */
public final class SnapshotFormat {

    static final long HEAD_MAGIC = 0x53485244_534E4150L; // "SHRDSNAP"
    static final long TRAILER_MAGIC = 0x534E4150_454E4421L; // "SNAPEND!"
    /** Of files with private lists, whose pages are in them. */
    static final int PRIVATE_VERSION = 2;
    /** Of files with shared lists, which say in which packs their pages are. */
    static final int SHARED_VERSION = 3;

    static final int FIXED_HEAD_BYTES = 16;
    static final int MAX_HEAD_BYTES = 1024;
    static final int CRC_BYTES = 4;

    /** The file's last bytes: the trailer's length and its CRC. */
    static final int END_BYTES = 8;

    private static final int MIN_TRAILER_BYTES = 86;
    private static final int MAX_TRAILER_BYTES = MIN_TRAILER_BYTES + SnapshotInfo.MAX_SUMMARY_BYTES;

    private SnapshotFormat() {}

    /** What is known when a snapshot begins. */
    public record Head(SnapshotName namespace, SnapshotName name, SnapshotSeal seal) {

        int encodedBytes() {
            return FIXED_HEAD_BYTES
                    + SnapshotSeal.BYTES
                    + Texts.encodedBytes(namespace.value())
                    + Texts.encodedBytes(name.value())
                    + CRC_BYTES;
        }

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(encodedBytes());
            bytes.putLong(HEAD_MAGIC)
                    .putShort((short) version())
                    .putShort((short) 0)
                    .putInt(bytes.capacity());
            seal.write(bytes);
            Texts.write(namespace.value(), bytes);
            Texts.write(name.value(), bytes);
            bytes.putInt(crc(bytes.slice(0, bytes.position())));
            return bytes.flip();
        }

        private int version() {
            return seal.isShared() ? SHARED_VERSION : PRIVATE_VERSION;
        }

        /** The head's length, from its first {@link #FIXED_HEAD_BYTES}. */
        static int length(ByteBuffer fixed, String file) throws DamagedDataException {
            if (fixed.remaining() < FIXED_HEAD_BYTES) {
                throw new DamagedDataException(file, fixed.remaining(), "ends inside its head");
            }
            if (fixed.getLong(0) != HEAD_MAGIC) {
                throw new DamagedDataException(file, 0, "another file's magic");
            }
            int version = fixed.getShort(8);
            if (version != PRIVATE_VERSION && version != SHARED_VERSION) {
                throw new OtherVersionException(file, 8, version, SHARED_VERSION);
            }
            int length = fixed.getInt(12);
            if (length < FIXED_HEAD_BYTES + CRC_BYTES || length > MAX_HEAD_BYTES) {
                throw new DamagedDataException(file, 12, "a head of " + Integer.toUnsignedString(length) + " bytes");
            }
            return length;
        }

        static Head read(ByteBuffer head, String file) throws DamagedDataException {
            int crcAt = head.limit() - CRC_BYTES;
            if (head.getInt(crcAt) != crc(head.slice(0, crcAt))) {
                throw new DamagedDataException(file, crcAt, "the head has another CRC32C");
            }
            BodyReader in = new BodyReader(head.slice(0, crcAt).position(FIXED_HEAD_BYTES), file, FIXED_HEAD_BYTES);
            SnapshotSeal seal = SnapshotSeal.read(in);
            Head parsed = new Head(SnapshotInfo.name(in), SnapshotInfo.name(in), seal);
            in.end();
            if (head.getShort(8) != parsed.version()) {
                throw new DamagedDataException(file, 8, "its seal is of version " + parsed.version());
            }
            return parsed;
        }
    }

    /**
     * What is known when a snapshot ends.
     *
     * @param directoryCrc CRC32C of the directory of pages, or of their places in packs, before the trailer
     */
    record Trailer(
            long id,
            Instant received,
            long imageBytes,
            long chunkCount,
            Fingerprint contentDigest,
            int directoryCrc,
            SealedBytes summary) {

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(MIN_TRAILER_BYTES + summary.length());
            bytes.putLong(TRAILER_MAGIC).putLong(id).putLong(received.toEpochMilli());
            bytes.putLong(imageBytes).putLong(chunkCount);
            contentDigest.write(bytes);
            bytes.putInt(directoryCrc);
            SnapshotInfo.writeSummary(summary, bytes);
            bytes.putInt(bytes.capacity());
            bytes.putInt(crc(bytes.slice(0, bytes.position())));
            return bytes.flip();
        }

        /** The trailer's length, from the file's last {@link #END_BYTES}, which begin at {@code offset}. */
        static int length(ByteBuffer end, String file, long offset) throws DamagedDataException {
            int length = end.getInt(0);
            if (length < MIN_TRAILER_BYTES || length > MAX_TRAILER_BYTES) {
                throw new DamagedDataException(
                        file, offset, "no trailer ends here: the file is cut short or overwritten");
            }
            return length;
        }

        static Trailer read(ByteBuffer trailer, String file, long offset) throws DamagedDataException {
            int crcAt = trailer.limit() - CRC_BYTES;
            if (trailer.getLong(0) != TRAILER_MAGIC) {
                throw new DamagedDataException(file, offset, "no trailer here: the file is cut short or overwritten");
            }
            if (trailer.getInt(crcAt) != crc(trailer.slice(0, crcAt))) {
                throw new DamagedDataException(file, offset + crcAt, "the trailer has another CRC32C");
            }
            BodyReader in =
                    new BodyReader(trailer.slice(0, crcAt - Integer.BYTES).position(8), file, offset + 8);
            Trailer parsed = new Trailer(
                    in.u63("snapshot id"),
                    Instant.ofEpochMilli(in.u63("receive time")),
                    in.u63("image length"),
                    in.u63("chunk count"),
                    in.fingerprint("content digest"),
                    in.i32("directory's CRC32C"),
                    SnapshotInfo.summary(in));
            in.end();
            return parsed;
        }
    }

    /** A page with its CRC32C, as it lies in the file. */
    static ByteBuffer encodePage(ListPage page) {
        ByteBuffer bytes = ByteBuffer.allocate(page.encodedBytes() + CRC_BYTES);
        page.write(bytes);
        bytes.putInt(crc(bytes.slice(0, bytes.position())));
        return bytes.flip();
    }

    /** Reads what {@link #encodePage} wrote: page {@code number}, from position to limit. */
    static ListPage readPage(int number, ByteBuffer bytes, String file, long offset) throws DamagedDataException {
        int crcAt = bytes.remaining() - CRC_BYTES;
        if (crcAt < 0) {
            throw new DamagedDataException(file, offset, "no room for page " + number);
        }
        if (bytes.getInt(bytes.position() + crcAt) != crc(bytes.slice(bytes.position(), crcAt))) {
            throw new DamagedDataException(file, offset + crcAt, "page " + number + " has another CRC32C");
        }
        BodyReader in = new BodyReader(bytes.slice(bytes.position(), crcAt), file, offset);
        ListPage page = ListPage.read(in);
        in.end();
        if (page.number() != number) {
            throw new DamagedDataException(file, offset, "page " + page.number() + " is where " + number + " belongs");
        }
        return page;
    }

    /** CRC32C of the remaining bytes; the position moves to the limit. */
    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
