// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** The file in a job's submission folder that tells its tasks of the plan, and no longer lives than the folder. */
final class PlanFile {

    private static final String NAME = "incoop.plan";

    private PlanFile() {}

    /**
     * Writes the file, and leaves word of it in the configuration: from then on the job is incremental.
     *
     * @param memoRoot the memo store's folder, qualified
     */
    static void publish(Configuration conf, byte[] plan, String memoRoot, Fingerprint identity) throws IOException {
        Path file = new Path(conf.get(MRJobConfig.MAPREDUCE_JOB_DIR), NAME);
        try (FSDataOutputStream out = file.getFileSystem(conf).create(file, true)) {
            out.write(plan);
        }
        conf.set(IncoopKeys.PLAN_FILE, file.toString());
        conf.set(IncoopKeys.MEMO_OF_JOB, new Path(memoRoot, identity.toString()).toString());
    }

    /** The whole file. */
    static byte[] read(Configuration conf, Path file) throws IOException {
        try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
            return IOUtils.readFullyToByteArray(in);
        }
    }

    /** Bytes with their SHA-256 behind them. */
    static byte[] sealed(byte[] body) {
        byte[] digest = DigestAlgorithm.SHA_256.newMessageDigest().digest(body);
        byte[] whole = Arrays.copyOf(body, body.length + digest.length);
        System.arraycopy(digest, 0, whole, body.length, digest.length);
        return whole;
    }

    /** Reads a plan's fields, of which there is one after the other. */
    interface Fields<T> {
        T read(DataInputStream in) throws IOException;
    }

    /**
     * The plan that was {@link #sealed}.
     *
     * @param name for errors
     * @throws DamagedDataException if these are other bytes by now, or no such plan
     */
    static <T> T decode(byte[] whole, String name, Fields<T> fields) throws DamagedDataException {
        byte[] body = unsealed(whole, name);
        ByteArrayInputStream left = new ByteArrayInputStream(body);
        try {
            return fields.read(new DataInputStream(left));
        } catch (IOException | RuntimeException e) {
            throw new DamagedDataException(name, body.length - left.available(), String.valueOf(e.getMessage()));
        }
    }

    static byte[] unsealed(byte[] whole, String name) throws DamagedDataException {
        int end = whole.length - Fingerprint.BYTES;
        if (end < 0) {
            throw new DamagedDataException(name, whole.length, "too short for a plan");
        }
        byte[] body = Arrays.copyOf(whole, end);
        byte[] digest = DigestAlgorithm.SHA_256.newMessageDigest().digest(body);
        if (!Arrays.equals(digest, Arrays.copyOfRange(whole, end, whole.length))) {
            throw new DamagedDataException(name, end, "wrong digest");
        }
        return body;
    }
}
