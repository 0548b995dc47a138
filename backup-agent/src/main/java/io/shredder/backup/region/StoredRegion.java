// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chunks in the form in which they travel and are kept: one, or several that were compressed and sealed together, which
 * makes them shorter. Source: the <em>compression region</em> of Zhu, Li, Patterson, Avoiding the Disk Bottleneck in
 * the Data Domain Deduplication File System, 2008. Each is found under its own identity; whoever has the key can turn
 * the stored bytes back into all of them. The digest of the stored bytes lets a site that can't do so check what it
 * keeps all the same.
 *
 * @param chunks plain lengths and keyed identities, in the order in which their plain bytes lie together
 * @param codec how the stored bytes came from the plain ones
 * @param storedDigest SHA-256 of the stored bytes, or {@link #UNDIGESTED} on the way to the agent, who computes it
 * @param stored the table of all chunks but the first, then the sealed bytes; owned by this value, never to be changed
 */
public record StoredRegion(List<ChunkRef> chunks, ChunkCodec codec, Fingerprint storedDigest, Payload stored) {

    /** Stands for a digest left to the agent: zeros, which SHA-256 gives for no bytes that anybody could find. */
    public static final Fingerprint UNDIGESTED = Fingerprint.of(new byte[Fingerprint.BYTES]);

    /** Length of all fields before the stored bytes. */
    public static final int FIXED_BYTES = 2 * Fingerprint.BYTES + 8;

    /**
     * A region's bytes without the array's pitfalls as a record component: equality is by identity.
     */
    public static final class Payload {
        private final ByteBuffer bytes;

        /** Takes ownership of {@code bytes}. */
        public Payload(byte[] bytes) {
            this(bytes, 0, bytes.length);
        }

        /** {@code length} bytes of {@code array} from an index on; takes ownership of the array. */
        public Payload(byte[] array, int from, int length) {
            this(ByteBuffer.wrap(array, from, length));
        }

        /** All bytes from the position to the limit of a buffer of any kind, which nobody changes any more. */
        Payload(ByteBuffer bytes) {
            this.bytes = bytes.slice();
        }

        /** Number of bytes. */
        public int length() {
            return bytes.limit();
        }

        /** A read-only view. */
        public ByteBuffer view() {
            return bytes.asReadOnlyBuffer();
        }

        /** The array that has the bytes, {@link #from} an index on, for code that only reads it: of bytes in one. */
        public byte[] array() {
            return bytes.array();
        }

        /** Where in {@link #array} the bytes begin. */
        public int from() {
            return bytes.arrayOffset();
        }

        /** Their SHA-256. */
        public Fingerprint digest() {
            return Fingerprint.ofData(bytes.duplicate());
        }

        /** Writes all bytes at the position of {@code target}. */
        public void write(ByteBuffer target) {
            target.put(target.position(), bytes, 0, length());
            target.position(target.position() + length());
        }
    }

    /** Refuses lengths that contradict the codec. */
    public StoredRegion {
        chunks = List.copyOf(chunks);
        problem(chunks, codec, stored.length()).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /** A chunk by itself. */
    public StoredRegion(ChunkRef chunk, ChunkCodec codec, Fingerprint storedDigest, Payload stored) {
        this(List.of(chunk), codec, storedDigest, stored);
    }

    /** Why there is no region of these chunks with so many stored bytes; empty if there may be. */
    public static Optional<String> problem(List<ChunkRef> chunks, ChunkCodec codec, int stored) {
        if (chunks.isEmpty() || chunks.size() > RegionFormat.MAX_REGION_CHUNKS) {
            return Optional.of("a region of " + chunks.size() + " chunks");
        }
        if ((codec == ChunkCodec.SEALED) != (chunks.size() == 1)) {
            return Optional.of(chunks.size() + " chunks with codec " + codec);
        }
        long plain = plainBytes(chunks);
        if (plain > RegionFormat.MAX_CHUNK_BYTES) {
            return Optional.of("a region of " + plain + " bytes is longer than " + RegionFormat.MAX_CHUNK_BYTES);
        }
        int sealed = stored - tableBytes(chunks.size());
        return sealed > RegionFormat.SEAL_BYTES && sealed <= plain + RegionFormat.SEAL_BYTES
                ? Optional.empty()
                : Optional.of(sealed + " sealed bytes for chunks of " + plain);
    }

    /** Length of these chunks together. */
    public static long plainBytes(List<ChunkRef> chunks) {
        long bytes = 0;
        for (ChunkRef chunk : chunks) {
            bytes += chunk.length();
        }
        return bytes;
    }

    /** Length of the table of a region with so many chunks, which is the beginning of its stored bytes. */
    public static int tableBytes(int chunks) {
        return (chunks - 1) * RegionFormat.MEMBER_BYTES;
    }

    /** Writes the table of a region with these chunks: all but the first. */
    public static void writeTable(List<ChunkRef> chunks, ByteBuffer target) {
        for (ChunkRef chunk : chunks.subList(1, chunks.size())) {
            chunk.fingerprint().write(target);
            target.putInt(chunk.length());
        }
    }

    /** The chunk that stands in the head: the first, or only one. */
    public ChunkRef first() {
        return chunks.get(0);
    }

    /** The identities of its chunks, in order. */
    public List<Fingerprint> fingerprints() {
        return chunks.stream().map(ChunkRef::fingerprint).toList();
    }

    /** The stored bytes without the table. */
    public Payload sealed() {
        int table = tableBytes(chunks.size());
        return new Payload(stored.bytes.slice(table, stored.length() - table));
    }

    /**
     * Re-digests the stored bytes. Whether they are the chunks that they claim to be, only whoever has the key can
     * tell.
     *
     * @throws BadChunkException if they have another digest
     */
    public void check() throws BadChunkException {
        if (!stored.digest().equals(storedDigest)) {
            throw otherDigest(first().fingerprint());
        }
    }

    /** What to say of a region whose stored bytes have another digest. */
    public static BadChunkException otherDigest(Fingerprint first) {
        return new BadChunkException(first, "its stored bytes have another SHA-256");
    }

    /** Whether the digest is there. */
    public boolean isDigested() {
        return !storedDigest.equals(UNDIGESTED);
    }

    /**
     * The region with its digest: checked if it is there, else computed.
     *
     * @throws BadChunkException if the stored bytes have another digest
     */
    public StoredRegion digested() throws BadChunkException {
        return digested(stored.digest());
    }

    /**
     * The same for who has digested the stored bytes.
     *
     * @param digest theirs
     */
    public StoredRegion digested(Fingerprint digest) throws BadChunkException {
        if (!isDigested()) {
            return new StoredRegion(chunks, codec, digest, stored);
        }
        if (!digest.equals(storedDigest)) {
            throw otherDigest(first().fingerprint());
        }
        return this;
    }

    /** Length in messages, and in containers after the record's own head. */
    public int encodedBytes() {
        return FIXED_BYTES + stored.length();
    }

    /** Writes the fields before the stored bytes: {@link #FIXED_BYTES}, big-endian. */
    public void writeFixed(ByteBuffer target) {
        first().fingerprint().write(target);
        storedDigest.write(target);
        target.putInt(first().length()).put((byte) codec.code()).put((byte) (chunks.size() - 1));
        target.putShort((short) 0);
    }

    /** Writes all of it. */
    public void write(ByteBuffer target) {
        writeFixed(target);
        stored.write(target);
    }

    /** Reads the fields and then {@code storedBytes} of stored bytes. The digest is not checked: see {@link #check}. */
    public static StoredRegion read(BodyReader in, int storedBytes) throws DamagedDataException {
        Fixed fixed = Fixed.read(in);
        return fixed.with(in, new Payload(in.view("stored bytes", storedBytes)));
    }

    /** The fields before the stored bytes. */
    public record Fixed(ChunkRef first, int others, ChunkCodec codec, Fingerprint storedDigest) {

        /** Reads {@link #FIXED_BYTES}. */
        public static Fixed read(BodyReader in) throws DamagedDataException {
            Fingerprint fingerprint = in.fingerprint("chunk fingerprint");
            Fingerprint storedDigest = in.fingerprint("stored digest");
            int length = chunkLength(in);
            int code = in.u8("codec");
            ChunkCodec codec =
                    ChunkCodec.fromCode(code).orElseThrow(() -> in.damaged("unknown codec " + code + " before here"));
            int others = in.u8("number of other chunks");
            in.zeros(2, "reserved bytes");
            return new Fixed(new ChunkRef(length, fingerprint), others, codec, storedDigest);
        }

        private static int chunkLength(BodyReader in) throws DamagedDataException {
            int length = in.length("chunk length", RegionFormat.MAX_CHUNK_BYTES);
            if (length == 0) {
                throw in.damaged("a chunk of 0 bytes");
            }
            return length;
        }

        /** Length of the table that the stored bytes begin with. */
        public int tableBytes() {
            return StoredRegion.tableBytes(others + 1);
        }

        /** All chunks, the others from the table that follows. */
        public List<ChunkRef> chunks(BodyReader table) throws DamagedDataException {
            if (others == 0) {
                return List.of(first);
            }
            List<ChunkRef> chunks = new ArrayList<>(others + 1);
            chunks.add(first);
            for (int i = 0; i < others; i++) {
                Fingerprint fingerprint = table.fingerprint("chunk fingerprint");
                chunks.add(new ChunkRef(chunkLength(table), fingerprint));
            }
            return chunks;
        }

        /**
         * Joins the stored bytes to the fields.
         *
         * @param in names what is damaged
         */
        public StoredRegion with(BodyReader in, Payload stored) throws DamagedDataException {
            if (stored.length() < tableBytes()) {
                throw in.damaged(stored.length() + " stored bytes are shorter than the table of " + others + " chunks");
            }
            List<ChunkRef> chunks = chunks(in.over(stored.view()));
            try {
                return new StoredRegion(chunks, codec, storedDigest, stored);
            } catch (IllegalArgumentException e) {
                throw in.damaged(String.valueOf(e.getMessage()));
            }
        }
    }
}
