// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.format.InputHeader;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of an input file: whole records, the unit of reuse.
 *
 * @param path of the file, qualified
 * @param offset of the chunk's first byte in the file
 * @param length in bytes, at least 1; 0 for an empty file
 * @param content SHA-256 of the chunk, as its manifest says
 * @param header what has to go in front of the chunk to read it
 * @param tag which of the job's input formats and mappers it belongs to
 */
public record InputChunk(String path, long offset, int length, Fingerprint content, InputHeader header, InputTag tag) {

    private static final byte[] BEHIND_HEADER = "SHRDHEAD".getBytes(StandardCharsets.US_ASCII);

    /** A chunk that is read without a header, by the one input format of its job. */
    public InputChunk(String path, long offset, int length, Fingerprint content) {
        this(path, offset, length, content, InputHeader.NONE, InputTag.NONE);
    }

    /** What the chunk's records follow from, and the memo store knows it by: {@code docs/formats/memo.md}, "Entry". */
    public Fingerprint fingerprint() {
        return tag.tagged(ofRecords());
    }

    private Fingerprint ofRecords() {
        if (header.length() == 0) {
            return content;
        }
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(BEHIND_HEADER);
        digest.update(header.digest().toBytes());
        digest.update(content.toBytes());
        return Fingerprint.of(digest.digest());
    }

    /** Where the chunk ends in the file: the offset of the byte behind it. */
    public long end() {
        return offset + length;
    }

    /** Writes chunks, each path and tag once. */
    public static void write(DataOutput out, List<InputChunk> chunks) throws IOException {
        NameTable paths = new NameTable();
        chunks.forEach(chunk -> paths.number(chunk.path));
        paths.write(out);
        NameTable tags = new NameTable();
        chunks.forEach(chunk -> tags.number(chunk.tag.text()));
        tags.write(out);
        out.writeInt(chunks.size());
        for (InputChunk chunk : chunks) {
            out.writeInt(paths.number(chunk.path));
            out.writeLong(chunk.offset);
            out.writeInt(chunk.length);
            out.write(chunk.content.toBytes());
            chunk.header.write(out);
            out.writeInt(tags.number(chunk.tag.text()));
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if the bytes are no such list
     */
    public static List<InputChunk> read(DataInput in) throws IOException {
        List<String> paths = NameTable.read(in);
        List<String> tags = NameTable.read(in);
        int count = in.readInt();
        List<InputChunk> chunks = new ArrayList<>();
        byte[] digest = new byte[Fingerprint.BYTES];
        for (int i = 0; i < count; i++) {
            String path = NameTable.name(paths, in.readInt());
            long offset = in.readLong();
            int length = in.readInt();
            in.readFully(digest);
            Fingerprint content = Fingerprint.of(digest.clone());
            InputHeader header = InputHeader.read(in);
            InputTag tag = InputTag.of(NameTable.name(tags, in.readInt()));
            chunks.add(new InputChunk(path, offset, length, content, header, tag));
        }
        return chunks;
    }
}
