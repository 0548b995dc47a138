// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Backend;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.ChunkSink;
import io.shredder.engine.ChunkStream;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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

/**
 * The whole way through JNI, {@value #STREAM_BYTES} bytes a call; the counter {@code gigabytes} is the rate in 10^9
 * bytes a second. {@code ./run bench chunking} runs it. The sink reads every chunk's offset, length and digest, as an
 * application would.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH sets parameters and calls open().
public class ChunkingBenchmark {

    static final int STREAM_BYTES = 1 << 30;
    private static final int PIECE_BYTES = 1 << 20;

    /** What fills the ring. */
    public enum Input {
        /** Nobody: the buffers keep what they were filled with once, so everything but the reader is measured. */
        RESIDENT,
        /** The native reader, from a file in the page cache. */
        FILE,
        /** A Java channel on the same file. */
        CHANNEL
    }

    /** What becomes of the chunks. */
    public enum Digest {
        NONE,
        SHA_256,
        BLAKE3
    }

    /** Bytes chunked, in 10^9, as a rate. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Volume {
        public double gigabytes;
    }

    @Param({"auto"})
    public String backend;

    @Param
    public Input input;

    @Param
    public Digest digest;

    /** Mean distance of candidates in bytes. */
    @Param({"8192", "65536"})
    public int average;

    private final byte[] fingerprint = new byte[Fingerprint.BYTES];
    private ChunkingParams params;
    private Shredder engine;
    private Path file;

    @Setup(Level.Trial)
    public void open() throws IOException {
        ChunkingParams.Builder builder = ChunkingParams.builder().averageBytes(average);
        if (digest == Digest.BLAKE3) {
            builder.digest(DigestAlgorithm.BLAKE3);
        }
        params = builder.build();
        engine = Shredder.open(ShredderOptions.of(Backend.parse(backend)));
        file = Files.createTempFile("shredder-", ".random");
        writeRandomBytes(file);
        engine.chunkFile(
                file, params, false, batch -> {}); // leaves its bytes in the ring's buffers, which are used again
    }

    private static void writeRandomBytes(Path target) throws IOException {
        Random random = new Random(1);
        byte[] piece = new byte[PIECE_BYTES];
        try (FileChannel out = FileChannel.open(target, StandardOpenOption.WRITE)) {
            for (long left = STREAM_BYTES; left > 0; left -= PIECE_BYTES) {
                random.nextBytes(piece);
                out.write(ByteBuffer.wrap(piece));
            }
        }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        engine.close();
        Files.delete(file);
    }

    @Benchmark
    public long chunk(Volume volume) throws IOException {
        long[] checksum = {0};
        ChunkSink sink = batch -> checksum[0] += look(batch);
        boolean digests = digest != Digest.NONE;
        switch (input) {
            case RESIDENT -> chunkResident(digests, sink);
            case FILE -> engine.chunkFile(file, params, digests, sink);
            case CHANNEL -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    engine.chunk(channel, params, digests, sink);
                }
            }
        }
        volume.gigabytes += STREAM_BYTES / 1e9;
        return checksum[0];
    }

    private void chunkResident(boolean digests, ChunkSink sink) throws IOException {
        try (ChunkStream stream = engine.openStream(params, digests)) {
            var reader = CompletableFuture.runAsync(() -> JvmRates.feed(stream, STREAM_BYTES, null));
            for (ChunkBatch batch = stream.next(); batch != null; batch = stream.next()) {
                sink.accept(batch);
                stream.release();
            }
            reader.join();
        }
    }

    private long look(ChunkBatch batch) {
        long sum = 0;
        for (int i = 0; i < batch.count(); i++) {
            sum += batch.offset(i) ^ batch.length(i);
            if (digest != Digest.NONE) {
                batch.copyFingerprint(i, fingerprint, 0);
                sum += fingerprint[i % Fingerprint.BYTES];
            }
        }
        return sum;
    }
}
