// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import io.shredder.chunk.DigestAlgorithm;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * The records of a segment without their order: a sort leaves that of values with equal keys open.
 *
 * @param records how many
 * @param sum of their SHA-256 digests
 */
record SegmentContent(long records, BigInteger sum) {

    /** @param segment an IFile, as the job's map output is compressed or not */
    static SegmentContent of(byte[] segment, JobConf job) throws IOException {
        Path file = Files.createTempFile("incoop-verify", ".ifile");
        try {
            Files.write(file, segment);
            return read(new org.apache.hadoop.fs.Path(file.toUri()), job);
        } finally {
            Files.delete(file);
        }
    }

    private static SegmentContent read(org.apache.hadoop.fs.Path file, JobConf job) throws IOException {
        IFile.Reader<Object, Object> reader =
                new IFile.Reader<>(job, FileSystem.getLocal(job).getRaw(), file, codec(job), null);
        try {
            long records = 0;
            BigInteger sum = BigInteger.ZERO;
            DataInputBuffer key = new DataInputBuffer();
            DataInputBuffer value = new DataInputBuffer();
            while (reader.nextRawKey(key)) {
                reader.nextRawValue(value);
                sum = sum.add(new BigInteger(1, digest(key, value)));
                records++;
            }
            return new SegmentContent(records, sum);
        } finally {
            reader.close();
        }
    }

    private static byte[] digest(DataInputBuffer key, DataInputBuffer value) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        int keyLength = key.getLength() - key.getPosition();
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(keyLength).flip());
        digest.update(key.getData(), key.getPosition(), keyLength);
        digest.update(value.getData(), value.getPosition(), value.getLength() - value.getPosition());
        return digest.digest();
    }

    private static @Nullable CompressionCodec codec(JobConf job) {
        return job.getCompressMapOutput()
                ? ReflectionUtils.newInstance(job.getMapOutputCompressorClass(DefaultCodec.class), job)
                : null;
    }

    @Override
    public String toString() {
        return records + " records";
    }
}
