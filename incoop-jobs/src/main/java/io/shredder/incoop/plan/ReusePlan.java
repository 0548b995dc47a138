// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What every reduce task merges: the chunks of the whole input, in order, each with the memo entry that holds, or by then
 * will hold, its output. Lives in the job's submission folder, and no longer than it.
 *
 * @param memoRoot the memo store's folder, qualified
 * @param identity the job's identity
 * @param sources one a chunk
 */
public record ReusePlan(String memoRoot, Fingerprint identity, List<Source> sources) {

    private static final long MAGIC = 0x5348_5244_504C_414EL; // SHRDPLAN
    private static final int VERSION = 1;

    /**
     * Where a chunk's output comes from.
     *
     * @param chunk the chunk
     * @param memoFile name of a memo file of the job's identity
     * @param ordinal the entry in it, from 0
     * @param reused whether an earlier job made it; else a map task of this one does
     */
    public record Source(InputChunk chunk, String memoFile, int ordinal, boolean reused) {}

    public ReusePlan {
        sources = List.copyOf(sources);
    }

    /** How many chunks are not computed by this job. */
    public long reusedChunks() {
        return sources.stream().filter(Source::reused).count();
    }

    /** The plan as bytes, its SHA-256 last. */
    public byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(MAGIC);
        out.writeInt(VERSION);
        out.writeUTF(memoRoot);
        out.write(identity.toBytes());
        InputChunk.write(out, sources.stream().map(Source::chunk).toList());
        NameTable files = new NameTable();
        sources.forEach(source -> files.number(source.memoFile()));
        files.write(out);
        for (Source source : sources) {
            out.writeInt(files.number(source.memoFile()));
            out.writeInt(source.ordinal());
            out.writeBoolean(source.reused());
        }
        out.write(DigestAlgorithm.SHA_256.newMessageDigest().digest(bytes.toByteArray()));
        return bytes.toByteArray();
    }

    /**
     * Reads an encoded plan.
     *
     * @param name of the file that the bytes came from, for errors
     * @throws DamagedDataException if they are not what {@link #encode} gave
     */
    public static ReusePlan decode(byte[] bytes, String name) throws IOException {
        int end = bytes.length - Fingerprint.BYTES;
        if (end < 0) {
            throw new DamagedDataException(name, bytes.length, "too short for a plan");
        }
        byte[] body = Arrays.copyOf(bytes, end);
        byte[] digest = DigestAlgorithm.SHA_256.newMessageDigest().digest(body);
        if (!Arrays.equals(digest, Arrays.copyOfRange(bytes, end, bytes.length))) {
            throw new DamagedDataException(name, end, "wrong digest");
        }
        ByteArrayInputStream left = new ByteArrayInputStream(body);
        try {
            return decode(new DataInputStream(left));
        } catch (IOException | RuntimeException e) {
            throw new DamagedDataException(name, end - left.available(), String.valueOf(e.getMessage()));
        }
    }

    private static ReusePlan decode(DataInputStream in) throws IOException {
        long magic = in.readLong();
        int version = in.readInt();
        if (magic != MAGIC || version != VERSION) {
            throw new IOException("not a plan of version " + VERSION);
        }
        String memoRoot = in.readUTF();
        byte[] identity = new byte[Fingerprint.BYTES];
        in.readFully(identity);
        List<InputChunk> chunks = InputChunk.read(in);
        List<String> files = NameTable.read(in);
        List<Source> sources = new ArrayList<>();
        for (InputChunk chunk : chunks) {
            sources.add(new Source(chunk, NameTable.name(files, in.readInt()), in.readInt(), in.readBoolean()));
        }
        return new ReusePlan(memoRoot, Fingerprint.of(identity), sources);
    }
}
