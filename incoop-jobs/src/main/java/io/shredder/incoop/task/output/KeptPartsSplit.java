// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.plan.MapOnlyPlan.KeptPart;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.util.StringUtils;

/** Input of a map task, of either API, that maps nothing for a job without reducers: part files of earlier runs. */
public final class KeptPartsSplit extends InputSplit implements org.apache.hadoop.mapred.InputSplit {

    private String memoRoot = "";
    private Fingerprint identity = Fingerprint.of(new byte[Fingerprint.BYTES]);
    private List<KeptPart> parts = List.of();

    /** For Hadoop, which calls {@link #readFields} next. */
    public KeptPartsSplit() {}

    public KeptPartsSplit(String memoRoot, Fingerprint identity, List<KeptPart> parts) {
        this.memoRoot = memoRoot;
        this.identity = identity;
        this.parts = List.copyOf(parts);
    }

    String memoRoot() {
        return memoRoot;
    }

    Fingerprint identity() {
        return identity;
    }

    List<KeptPart> parts() {
        return parts;
    }

    /** None, so that its task comes behind all that map. */
    @Override
    public long getLength() {
        return 0;
    }

    @Override
    public String[] getLocations() {
        return StringUtils.emptyStringArray;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeUTF(memoRoot);
        out.write(identity.toBytes());
        out.writeInt(parts.size());
        for (KeptPart part : parts) {
            out.writeInt(part.number());
            out.write(part.key().toBytes());
            out.writeUTF(part.ref().file());
            out.writeInt(part.ref().ordinal());
            out.writeInt(part.splitBytes());
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        memoRoot = in.readUTF();
        identity = readFingerprint(in);
        int count = in.readInt();
        List<KeptPart> read = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = in.readInt();
            Fingerprint key = readFingerprint(in);
            read.add(new KeptPart(number, key, new MemoRef(in.readUTF(), in.readInt()), in.readInt()));
        }
        parts = List.copyOf(read);
    }

    private static Fingerprint readFingerprint(DataInput in) throws IOException {
        byte[] digest = new byte[Fingerprint.BYTES];
        in.readFully(digest);
        return Fingerprint.of(digest);
    }

    @Override
    public String toString() {
        return parts.size() + " part files that are kept";
    }
}
