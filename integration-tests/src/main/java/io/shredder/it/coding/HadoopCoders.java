// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** Hadoop's coder in Java, in this process and on arrays; placement of cells means nothing here. */
public final class HadoopCoders implements Coders {
    /** Its name. */
    public static final String RS_JAVA = "rs_java";

    private static final int MOST_SHARDS = 255;
    private static final long SHARD_SEED = 0x9e3779b97f4a7c15L;

    @Override
    public List<String> names() {
        return List.of(RS_JAVA);
    }

    @Override
    public String digest(String name, DigestCase asked) throws IOException, RefusedException {
        RawErasureEncoder encoder = encoder(asked.data(), asked.parity());
        byte[][] data = new byte[asked.data()][];
        Arrays.setAll(data, i -> shard(asked.seed() + i * SHARD_SEED, asked.bytes()));
        byte[][] parity = new byte[asked.parity()][asked.bytes()];
        encoder.encode(data, parity);
        return digest(parity);
    }

    /** The data of a shard, as every program makes them. */
    static byte[] shard(long seed, int bytes) {
        byte[] shard = new byte[bytes];
        long state = seed;
        for (int b = 0; b < bytes; b++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            shard[b] = (byte) (state >>> 56);
        }
        return shard;
    }

    /** FNV-1a of 64 bits. */
    static String digest(byte[][] shards) {
        long hash = 0xcbf29ce484222325L;
        for (byte[] shard : shards) {
            for (byte b : shard) {
                hash = (hash ^ Byte.toUnsignedLong(b)) * 0x100000001b3L;
            }
        }
        return String.format("%016x", hash);
    }

    @Override
    public double rate(String name, RateCase asked) throws IOException, RefusedException {
        RawErasureEncoder encoder = encoder(asked.data(), asked.parity());
        byte[][] data = new byte[asked.data()][];
        Arrays.setAll(data, i -> shard(i, asked.bytes()));
        byte[][] parity = new byte[asked.parity()][asked.bytes()];
        var threads = ManagementFactory.getThreadMXBean();
        // What comes before the last batch warms up.
        for (long count = 1; ; count *= 2) {
            long begin = threads.getCurrentThreadCpuTime();
            for (long i = 0; i < count; i++) {
                encoder.encode(data, parity);
            }
            long taken = threads.getCurrentThreadCpuTime() - begin;
            if (taken >= asked.milliseconds() * 1_000_000L / 2) {
                return (double) count * asked.data() * asked.bytes() / taken;
            }
        }
    }

    private static RawErasureEncoder encoder(int data, int parity) throws RefusedException {
        if (data + parity > MOST_SHARDS) {
            throw new RefusedException("Hadoop takes up to 255 shards");
        }
        return new RSRawErasureCoderFactory().createEncoder(new ErasureCoderOptions(data, parity));
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
