// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.engine.ShredderException;
import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCoder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The engine's coder through its Java interface. Groups come in turn out of memory that no cache holds; seconds are the
 * calling thread's CPU time, so that what else the machine does counts little. Copies cost nothing: a client sends the
 * same buffer to each node.
 */
final class RealCoding implements GroupCoding, AutoCloseable {
    private static final int POOL_BYTES = 128 << 20;
    private static final int ALIGNMENT = 64;

    /** What lies between two shards, so that they don't fall on the same lines of a cache. */
    private static final int STAGGER = 33 * ALIGNMENT;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int threads;
    private final Map<Scheme, ErasureCoder> coders = new HashMap<>();
    private final ByteBuffer pool;
    private int next;

    /** @param threads of each coder; CPU time is only of the caller's */
    RealCoding(int threads) {
        this.threads = threads;
        this.pool = ByteBuffer.allocateDirect(POOL_BYTES).alignedSlice(ALIGNMENT);
        var random = new SplittableRandom(8);
        while (pool.remaining() >= Long.BYTES) {
            pool.putLong(random.nextLong());
        }
        pool.clear();
    }

    @Override
    public double encode(Scheme scheme, int cellBytes) throws ShredderException {
        if (scheme.replicates()) {
            return 0;
        }
        ErasureCoder coder = coder(scheme);
        ByteBuffer[] shards = group(scheme, cellBytes);
        ByteBuffer[] data = Arrays.copyOf(shards, scheme.data());
        ByteBuffer[] parity = Arrays.copyOfRange(shards, scheme.data(), shards.length);
        long begin = THREADS.getCurrentThreadCpuTime();
        coder.encode(data, parity);
        return secondsSince(begin);
    }

    @Override
    public double decode(Scheme scheme, int cellBytes, int lost) throws ShredderException {
        if (scheme.replicates() || lost == 0) {
            return 0;
        }
        ErasureCoder coder = coder(scheme);
        @Nullable ByteBuffer[] shards = group(scheme, cellBytes);
        int[] wanted = IntStream.range(0, lost).toArray();
        ByteBuffer[] outputs = group(scheme, cellBytes);
        outputs = Arrays.copyOf(outputs, lost);
        Arrays.fill(shards, 0, lost, null);
        long begin = THREADS.getCurrentThreadCpuTime();
        coder.decode(shards, wanted, outputs);
        return secondsSince(begin);
    }

    private static double secondsSince(long begin) {
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    }

    /** What computes. */
    String form() throws ShredderException {
        return coder(Scheme.TABLE_3.get(1)).form();
    }

    private ErasureCoder coder(Scheme scheme) throws ShredderException {
        ErasureCoder coder = coders.get(scheme);
        if (coder == null) {
            var code = new ErasureCode(ErasureCode.Kind.RS, scheme.data(), scheme.parity());
            coder = ErasureCoder.create(code, threads);
            coders.put(scheme, coder);
        }
        return coder;
    }

    private ByteBuffer[] group(Scheme scheme, int cellBytes) {
        int each = (cellBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + STAGGER;
        if (next + scheme.shards() * each > pool.capacity()) {
            next = 0;
        }
        var shards = new ByteBuffer[scheme.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = pool.slice(next, cellBytes);
            next += each;
        }
        return shards;
    }

    @Override
    public void close() {
        coders.values().forEach(ErasureCoder::close);
    }
}
