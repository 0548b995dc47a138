// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What the map tasks of a job without reducers have to map. Lives in the job's submission folder, and no longer than
 * it.
 *
 * @param memoRoot the memo store's folder, qualified
 * @param identity the job's identity
 * @param job the job's MapReduce id, which names the memo files that it writes
 * @param splits one for each map task from number 0 on; tasks of higher numbers bring part files that are kept
 */
public record SplitPlan(String memoRoot, Fingerprint identity, String job, List<PlannedSplit> splits) {

    private static final long MAGIC = 0x5348_5244_5350_4C54L; // SHRDSPLT
    private static final int VERSION = 1;

    public SplitPlan {
        splits = List.copyOf(splits);
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
        out.writeInt(splits.size());
        for (PlannedSplit split : splits) {
            split.write(out);
        }
        return PlanFile.sealed(bytes.toByteArray());
    }

    /**
     * Reads an encoded plan.
     *
     * @param name of the file that the bytes came from, for errors
     * @throws DamagedDataException if they are not what {@link #encode} gave
     */
    public static SplitPlan decode(byte[] bytes, String name) throws IOException {
        return PlanFile.decode(bytes, name, SplitPlan::decode);
    }

    private static SplitPlan decode(DataInputStream in) throws IOException {
        long magic = in.readLong();
        int version = in.readInt();
        if (magic != MAGIC || version != VERSION) {
            throw new IOException("not a plan of splits of version " + VERSION);
        }
        String memoRoot = in.readUTF();
        byte[] identity = new byte[Fingerprint.BYTES];
        in.readFully(identity);
        String job = in.readUTF();
        int count = in.readInt();
        List<PlannedSplit> splits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            splits.add(PlannedSplit.read(in));
        }
        return new SplitPlan(memoRoot, Fingerprint.of(identity), job, splits);
    }

    /** That of the job that a task belongs to. */
    public static SplitPlan ofTask(Configuration task) throws IOException {
        Path file = new Path(task.get(IncoopKeys.PLAN_FILE));
        return decode(PlanFile.read(task, file), file.toString());
    }
}
