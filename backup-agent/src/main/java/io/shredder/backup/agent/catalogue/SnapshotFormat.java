// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.protocol.BodyReader;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.Texts;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.zip.CRC32C;

/** Head and trailer of a snapshot file, byte by byte as {@code docs/formats/snapshot.md} says. */
final class SnapshotFormat {

    static final long HEAD_MAGIC = 0x53485244_534E4150L; // "SHRDSNAP"
    static final long TRAILER_MAGIC = 0x534E4150_454E4421L; // "SNAPEND!"
    static final int VERSION = 1;
    static final int FIXED_HEAD_BYTES = 16;
    static final int MAX_HEAD_BYTES = 1024;
    static final int TRAILER_BYTES = 76;
    private static final int CRC_BYTES = 4;

    private SnapshotFormat() {}

    /** What is known when a snapshot begins. */
    record Head(SnapshotName namespace, SnapshotName name, ChunkingParams params) {

        int encodedBytes() {
            return FIXED_HEAD_BYTES
                    + ChunkingParams.ENCODED_BYTES
                    + Texts.encodedBytes(namespace.value())
                    + Texts.encodedBytes(name.value())
                    + CRC_BYTES;
        }

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(encodedBytes());
            bytes.putLong(HEAD_MAGIC)
                    .putShort((short) VERSION)
                    .putShort((short) 0)
                    .putInt(bytes.capacity());
            params.write(bytes);
            Texts.write(namespace.value(), bytes);
            Texts.write(name.value(), bytes);
            bytes.putInt(crc(bytes.slice(0, bytes.position())));
            return bytes.flip();
        }

        /** The head's length, from its first {@link #FIXED_HEAD_BYTES}. */
        static int length(ByteBuffer fixed, String file) throws DamagedDataException {
            if (fixed.remaining() < FIXED_HEAD_BYTES) {
                throw new DamagedDataException(file, fixed.remaining(), "ends inside its head");
            }
            if (fixed.getLong(0) != HEAD_MAGIC) {
                throw new DamagedDataException(file, 0, "another file's magic");
            }
            if (fixed.getShort(8) != VERSION) {
                throw new DamagedDataException(
                        file, 8, "version " + fixed.getShort(8) + ", this program reads version 1: upgrade it");
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
            ChunkingParams params = in.params();
            Head parsed = new Head(SnapshotInfo.name(in), SnapshotInfo.name(in), params);
            in.end();
            return parsed;
        }
    }

    /** What is known when a snapshot ends. */
    record Trailer(long id, Instant received, long imageBytes, long chunkCount, Fingerprint contentDigest) {

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(TRAILER_BYTES);
            bytes.putLong(TRAILER_MAGIC).putLong(id).putLong(received.toEpochMilli());
            bytes.putLong(imageBytes).putLong(chunkCount);
            contentDigest.write(bytes);
            bytes.putInt(crc(bytes.slice(0, bytes.position())));
            return bytes.flip();
        }

        static Trailer read(ByteBuffer trailer, String file, long offset) throws DamagedDataException {
            int crcAt = TRAILER_BYTES - CRC_BYTES;
            if (trailer.getLong(0) != TRAILER_MAGIC) {
                throw new DamagedDataException(file, offset, "no trailer here: the file is cut short or overwritten");
            }
            if (trailer.getInt(crcAt) != crc(trailer.slice(0, crcAt))) {
                throw new DamagedDataException(file, offset + crcAt, "the trailer has another CRC32C");
            }
            BodyReader in = new BodyReader(trailer.slice(0, crcAt).position(8), file, offset + 8);
            return new Trailer(
                    in.u63("snapshot id"),
                    Instant.ofEpochMilli(in.u63("receive time")),
                    in.u63("image length"),
                    in.u63("chunk count"),
                    in.fingerprint("content digest"));
        }
    }

    /** How long a file with these parts is. */
    static long fileBytes(int headBytes, long chunkCount) {
        return headBytes + Math.multiplyExact(chunkCount, (long) ChunkRef.BYTES) + TRAILER_BYTES;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
