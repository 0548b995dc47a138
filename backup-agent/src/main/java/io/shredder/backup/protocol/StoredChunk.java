// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A chunk in the form in which it travels and is kept: its identity, and bytes that whoever has the key can turn back into it. The
 * digest of the stored bytes lets a site that can't do so check what it keeps all the same.
 *
 * @param ref plain length and keyed identity
 * @param codec how the stored bytes came from the plain ones
 * @param storedDigest SHA-256 of the stored bytes, or {@link #UNDIGESTED} on the way to the agent, who computes it
 * @param stored the stored bytes; owned by this value, never to be changed
 */
public record StoredChunk(ChunkRef ref, ChunkCodec codec, Fingerprint storedDigest, Payload stored) {

    /** In place of a digest that the sender left to the agent: zeros, which SHA-256 gives for no bytes that anybody could find. */
    public static final Fingerprint UNDIGESTED = Fingerprint.of(new byte[Fingerprint.BYTES]);

    /** Length of all fields before the stored bytes. */
    public static final int FIXED_BYTES = 2 * Fingerprint.BYTES + 8;

    /**
     * The bytes of a chunk without the array's pitfalls as a record component: equality is by identity.
     */
    public static final class Payload {
        private final byte[] array;
        private final int from;
        private final int length;

        /** Takes ownership of {@code bytes}. */
        public Payload(byte[] bytes) {
            this(bytes, 0, bytes.length);
        }

        /** {@code length} bytes of {@code array} from an index on; takes ownership of the array. */
        public Payload(byte[] array, int from, int length) {
            this.array = array;
            this.from = Objects.checkFromIndexSize(from, length, array.length);
            this.length = length;
        }

        /** Number of bytes. */
        public int length() {
            return length;
        }

        /** A read-only view. */
        public ByteBuffer view() {
            return ByteBuffer.wrap(array, from, length).slice().asReadOnlyBuffer();
        }

        /** The array that has the bytes, {@link #from} an index on, for code that only reads it. */
        public byte[] array() {
            return array;
        }

        /** Where in {@link #array} the bytes begin. */
        public int from() {
            return from;
        }

        /** Their SHA-256. */
        public Fingerprint digest() {
            return Fingerprint.ofData(ByteBuffer.wrap(array, from, length));
        }

        /** Writes all bytes at the position of {@code target}. */
        public void write(ByteBuffer target) {
            target.put(array, from, length);
        }
    }

    /** Refuses lengths that contradict the codec. */
    public StoredChunk {
        String problem = lengthProblem(ref.length(), codec, stored.length());
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    private static @org.jspecify.annotations.Nullable String lengthProblem(int plain, ChunkCodec codec, int stored) {
        return switch (codec) {
            case SEALED ->
                stored > WireFormat.SEAL_BYTES && stored <= plain + WireFormat.SEAL_BYTES
                        ? null
                        : stored + " sealed bytes for a chunk of " + plain;
        };
    }

    /**
     * Re-digests the stored bytes. Whether they are the chunk that they claim to be, only whoever has the key can tell.
     *
     * @throws BadChunkException if they have another digest
     */
    public void check() throws BadChunkException {
        if (!stored.digest().equals(storedDigest)) {
            throw new BadChunkException(ref.fingerprint(), "its stored bytes have another SHA-256");
        }
    }

    /** Whether the digest is there. */
    public boolean isDigested() {
        return !storedDigest.equals(UNDIGESTED);
    }

    /**
     * The chunk with its digest: checked if it is there, else computed.
     *
     * @throws BadChunkException if the stored bytes have another digest
     */
    public StoredChunk digested() throws BadChunkException {
        if (isDigested()) {
            check();
        }
        return withDigest();
    }

    /** The chunk with a digest: its own, unchecked, if it has one. */
    public StoredChunk withDigest() {
        return isDigested() ? this : new StoredChunk(ref, codec, stored.digest(), stored);
    }

    /** Length in messages, and in containers after the record's own head. */
    public int encodedBytes() {
        return FIXED_BYTES + stored.length();
    }

    /** Writes the fields before the stored bytes: {@link #FIXED_BYTES}, big-endian. */
    public void writeFixed(ByteBuffer target) {
        ref.fingerprint().write(target);
        storedDigest.write(target);
        target.putInt(ref.length()).put((byte) codec.code()).put(new byte[3]);
    }

    /** Reads the fields and then {@code storedBytes} of stored bytes. The digest is not checked: see {@link #check}. */
    public static StoredChunk read(BodyReader in, int storedBytes) throws DamagedDataException {
        Fixed fixed = Fixed.read(in);
        if (in.remaining() != storedBytes) {
            throw in.damaged(in.remaining() + " stored bytes, not " + storedBytes);
        }
        return fixed.with(in, in.restOfArray());
    }

    /** The fields before the stored bytes. */
    public record Fixed(ChunkRef ref, ChunkCodec codec, Fingerprint storedDigest) {

        /** Reads {@link #FIXED_BYTES}. */
        public static Fixed read(BodyReader in) throws DamagedDataException {
            Fingerprint fingerprint = in.fingerprint("chunk fingerprint");
            Fingerprint storedDigest = in.fingerprint("stored digest");
            int length = in.length("chunk length", WireFormat.MAX_CHUNK_BYTES);
            if (length == 0) {
                throw in.damaged("a chunk of 0 bytes");
            }
            int code = in.u8("codec");
            ChunkCodec codec =
                    ChunkCodec.fromCode(code).orElseThrow(() -> in.damaged("unknown codec " + code + " before here"));
            in.zeros(3, "reserved bytes");
            return new Fixed(new ChunkRef(length, fingerprint), codec, storedDigest);
        }

        /** Joins the stored bytes to the fields. */
        public StoredChunk with(BodyReader in, Payload stored) throws DamagedDataException {
            String problem = lengthProblem(ref.length(), codec, stored.length());
            if (problem != null) {
                throw in.damaged(problem);
            }
            return new StoredChunk(ref, codec, storedDigest, stored);
        }
    }
}
