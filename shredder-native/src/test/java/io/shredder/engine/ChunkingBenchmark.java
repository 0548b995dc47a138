// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The whole way through JNI: {@value #STREAM_BYTES} random bytes a call. Run with org.openjdk.jmh.Main. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
public class ChunkingBenchmark {

    static final int STREAM_BYTES = 256 << 20;

    @Param({"scalar", "avx2", "avx512"})
    public String backend;

    @Param({"false", "true"})
    public boolean digests;

    private final ByteBuffer data = ByteBuffer.allocateDirect(STREAM_BYTES);
    private final ChunkingParams params = ChunkingParams.ofAverage(8 << 10);
    private Shredder engine;

    @Setup(Level.Trial)
    public void open() throws IOException {
        byte[] piece = new byte[1 << 20];
        Random random = new Random(1);
        while (data.hasRemaining()) {
            random.nextBytes(piece);
            data.put(piece);
        }
        engine = Shredder.open(ShredderOptions.of(Backend.parse(backend)));
    }

    @TearDown(Level.Trial)
    public void close() {
        engine.close();
    }

    @Benchmark
    public long chunk() throws IOException {
        long[] chunks = {0};
        engine.chunk(new BufferChannel(data.duplicate().rewind()), params, digests, b -> chunks[0] += b.count());
        return chunks[0];
    }

    /** Memory as a channel. */
    private record BufferChannel(ByteBuffer source) implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer target) {
            if (!source.hasRemaining()) {
                return -1;
            }
            int size = Math.min(target.remaining(), source.remaining());
            target.put(source.slice(source.position(), size));
            source.position(source.position() + size);
            return size;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
