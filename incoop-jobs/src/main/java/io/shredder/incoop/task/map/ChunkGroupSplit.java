// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.plan.ChunkGroup;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.InputSplit;

/** A map task's input, of either API: chunks to compute and where output goes. Hosts do not travel, as in any split. */
public final class ChunkGroupSplit extends InputSplit implements org.apache.hadoop.mapred.InputSplit {

    private String memoRoot = "";
    private Fingerprint identity = Fingerprint.of(new byte[Fingerprint.BYTES]);
    private ChunkGroup group = new ChunkGroup("", List.of(), List.of());

    /** For Hadoop, which calls {@link #readFields} next. */
    public ChunkGroupSplit() {}

    ChunkGroupSplit(String memoRoot, Fingerprint identity, ChunkGroup group) {
        this.memoRoot = memoRoot;
        this.identity = identity;
        this.group = group;
    }

    String memoRoot() {
        return memoRoot;
    }

    Fingerprint identity() {
        return identity;
    }

    ChunkGroup group() {
        return group;
    }

    @Override
    public long getLength() {
        return group.bytes();
    }

    @Override
    public String[] getLocations() {
        return group.hosts().toArray(new String[0]);
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeUTF(memoRoot);
        out.write(identity.toBytes());
        out.writeUTF(group.memoFile());
        InputChunk.write(out, group.chunks());
        for (List<MemoRef> kept : group.kept()) {
            out.writeInt(kept.size());
            for (MemoRef ref : kept) {
                out.writeUTF(ref.file());
                out.writeInt(ref.ordinal());
            }
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        memoRoot = in.readUTF();
        byte[] digest = new byte[Fingerprint.BYTES];
        in.readFully(digest);
        identity = Fingerprint.of(digest);
        String memoFile = in.readUTF();
        List<InputChunk> chunks = InputChunk.read(in);
        List<List<MemoRef>> kept = new ArrayList<>(chunks.size());
        for (int i = 0; i < chunks.size(); i++) {
            kept.add(readKept(in));
        }
        group = new ChunkGroup(memoFile, chunks, List.of(), kept);
    }

    private static List<MemoRef> readKept(DataInput in) throws IOException {
        int count = in.readInt();
        List<MemoRef> kept = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            kept.add(new MemoRef(in.readUTF(), in.readInt()));
        }
        return kept;
    }

    @Override
    public String toString() {
        return group.chunks().size() + " chunks of " + group.bytes() + " bytes, to " + group.memoFile();
    }

    /**
     * What a map task of chunks is to show for the part of them that is done. Hadoop takes all that a map task reads
     * for two thirds of its work and sorting for the last, but a chunk that is done is sorted, too. Told the bare
     * part, Hadoop would expect each task to run half as long again as it does, and start a second attempt beside it.
     */
    static float progress(float done) {
        return Math.min(1, done * 1.5f);
    }
}
