// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.input.NameTable;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What every reduce task merges: the chunks of the whole input, in order, each with the memo entry that holds, or by
 * then will hold, its output. Lives in the job's submission folder, and no longer than it.
 *
 * @param memoRoot the memo store's folder, qualified
 * @param identity the job's identity
 * @param job the job's MapReduce id, which names the memo files that it writes
 * @param sources one a chunk
 * @param plainFiles files without chunks, whose splits are mapped as in a plain run: their output comes with the
 *     shuffle
 * @param reduce what the reduce tasks need not do
 */
public record ReusePlan(
        String memoRoot, Fingerprint identity, String job, List<Source> sources, int plainFiles, ReducePlan reduce) {

    private static final long MAGIC = 0x5348_5244_504C_414EL; // SHRDPLAN
    private static final int VERSION = 5;

    /**
     * Where a chunk's output comes from.
     *
     * @param chunk the chunk
     * @param memoFile name of a memo file of the job's identity
     * @param ordinal the entry in it, from 0
     * @param reused whether an earlier job made it; else a map task of this one does
     * @param leafId what it is known by in the contraction tree; of a chunk to be computed, if nothing is read beside
     *     it; of one with kept output, if the first of that stands
     * @param kept what earlier jobs have made and a map task of this one looks at: one of them is used if the map
     *     task's entry says so
     */
    public record Source(
            InputChunk chunk, String memoFile, int ordinal, boolean reused, Fingerprint leafId, List<KeptLeaf> kept) {

        public Source {
            kept = List.copyOf(kept);
        }

        /** One of which nothing has to be looked at on a node. */
        public Source(InputChunk chunk, String memoFile, int ordinal, boolean reused, Fingerprint leafId) {
            this(chunk, memoFile, ordinal, reused, leafId, List.of());
        }

        /** Whether it is used again, or if it stands on its map task's node. */
        public boolean mayBeReused() {
            return reused || !kept.isEmpty();
        }
    }

    /**
     * A chunk's kept output.
     *
     * @param ref where it lies
     * @param leafId what it is known by in the contraction tree
     */
    public record KeptLeaf(MemoRef ref, Fingerprint leafId) {}

    public ReusePlan {
        sources = List.copyOf(sources);
    }

    /** How many chunks are not computed by this job, whatever its map tasks find on their nodes. */
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
        out.writeUTF(job);
        InputChunk.write(out, sources.stream().map(Source::chunk).toList());
        NameTable files = new NameTable();
        for (Source source : sources) {
            files.number(source.memoFile());
            source.kept().forEach(kept -> files.number(kept.ref().file()));
        }
        reduce.nodes().refs().values().forEach(ref -> files.number(ref.file()));
        reduce.parts().refs().values().forEach(ref -> files.number(ref.file()));
        files.write(out);
        for (Source source : sources) {
            out.writeInt(files.number(source.memoFile()));
            out.writeInt(source.ordinal());
            out.writeBoolean(source.reused());
            out.write(source.leafId().toBytes());
            out.writeInt(source.kept().size());
            for (KeptLeaf kept : source.kept()) {
                out.writeInt(files.number(kept.ref().file()));
                out.writeInt(kept.ref().ordinal());
                out.write(kept.leafId().toBytes());
            }
        }
        out.writeInt(plainFiles);
        writeReduce(out, files);
        return PlanFile.sealed(bytes.toByteArray());
    }

    private void writeReduce(DataOutputStream out, NameTable files) throws IOException {
        out.writeBoolean(reduce.combines());
        out.writeBoolean(reduce.reduceIdentity().isPresent());
        if (reduce.reduceIdentity().isPresent()) {
            out.write(reduce.reduceIdentity().get().toBytes());
        }
        reduce.nodes().write(out, files);
        reduce.parts().write(out, files);
        out.writeInt(reduce.reusedCounters().size());
        for (CounterValue counter : reduce.reusedCounters()) {
            out.writeUTF(counter.group());
            out.writeUTF(counter.name());
            out.writeLong(counter.value());
        }
    }

    /**
     * Reads an encoded plan.
     *
     * @param name of the file that the bytes came from, for errors
     * @throws DamagedDataException if they are not what {@link #encode} gave
     */
    public static ReusePlan decode(byte[] bytes, String name) throws IOException {
        return PlanFile.decode(bytes, name, ReusePlan::decode);
    }

    private static ReusePlan decode(DataInputStream in) throws IOException {
        long magic = in.readLong();
        int version = in.readInt();
        if (magic != MAGIC || version != VERSION) {
            throw new IOException("not a plan of version " + VERSION);
        }
        String memoRoot = in.readUTF();
        Fingerprint identity = readFingerprint(in);
        String job = in.readUTF();
        List<InputChunk> chunks = InputChunk.read(in);
        List<String> files = NameTable.read(in);
        List<Source> sources = new ArrayList<>();
        for (InputChunk chunk : chunks) {
            String file = NameTable.name(files, in.readInt());
            sources.add(
                    new Source(chunk, file, in.readInt(), in.readBoolean(), readFingerprint(in), readKept(in, files)));
        }
        return new ReusePlan(memoRoot, identity, job, sources, in.readInt(), readReduce(in, files));
    }

    private static List<KeptLeaf> readKept(DataInputStream in, List<String> files) throws IOException {
        int count = in.readInt();
        List<KeptLeaf> kept = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemoRef ref = new MemoRef(NameTable.name(files, in.readInt()), in.readInt());
            kept.add(new KeptLeaf(ref, readFingerprint(in)));
        }
        return kept;
    }

    private static ReducePlan readReduce(DataInputStream in, List<String> files) throws IOException {
        boolean combines = in.readBoolean();
        Optional<Fingerprint> reduceIdentity = in.readBoolean() ? Optional.of(readFingerprint(in)) : Optional.empty();
        KeptRefs nodes = KeptRefs.read(in, files);
        KeptRefs parts = KeptRefs.read(in, files);
        int count = in.readInt();
        List<CounterValue> counters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            counters.add(new CounterValue(in.readUTF(), in.readUTF(), in.readLong()));
        }
        return new ReducePlan(combines, reduceIdentity, nodes, parts, counters);
    }

    private static Fingerprint readFingerprint(DataInputStream in) throws IOException {
        byte[] digest = new byte[Fingerprint.BYTES];
        in.readFully(digest);
        return Fingerprint.of(digest);
    }
}
