// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Backend;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.ChunkStream;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderException;
import io.shredder.engine.ShredderOptions;
import io.shredder.it.figures.Medians;
import io.shredder.it.figures.Row;
import io.shredder.it.process.Command;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The engine's throughput from Java, as {@code shredder_rates} measures it from C++: one stream whose bytes lie in the
 * ring's buffers, with SHA-256, the records read by the consumer. A program of its own, started with the library of the
 * build that is measured; prints one row.
 */
public final class JvmRates {
    private static final int ROUNDS = 5;
    private static final int RANDOM_BYTES = 64 << 20;

    private JvmRates() {}

    /** Runs it in a fresh JVM with a build's library and returns its row. */
    public static Row run(NativePrograms programs, String log, String backend, long bytes)
            throws IOException, InterruptedException {
        List<String> command = Command.java(
                List.of("-Xmx1g", "-Dshredder.library.path=" + programs.build().resolve("libshredder.so")),
                System.getProperty("java.class.path"),
                JvmRates.class.getName(),
                List.of(backend, Long.toString(bytes)));
        return programs.run(log, Map.of(), command)
                .row("java")
                .orElseThrow(() -> new IOException(
                        "no figure from Java: see " + programs.logs().resolve(log + ".log")));
    }

    /** Arguments: the backend's name and the bytes of a round. */
    public static void main(String[] args) throws IOException {
        var options = ShredderOptions.of(Backend.parse(args[0]));
        long bytes = Long.parseLong(args[1]);
        var seconds = new ArrayList<Double>();
        try (Shredder engine = Shredder.open(options)) {
            ByteBuffer random = random();
            stream(engine, bytes / ROUNDS, random); // fills the ring, and warms up
            for (int round = 0; round < ROUNDS; round++) {
                long beginNs = System.nanoTime();
                stream(engine, bytes, null);
                seconds.add((System.nanoTime() - beginNs) / 1e9);
            }
            System.out.println(new ObjectMapper()
                    .writeValueAsString(Map.of(
                            "name",
                            "java",
                            "backend",
                            engine.backendName(),
                            "bytes",
                            bytes,
                            "gbPerSecond",
                            bytes / Medians.of(seconds) / 1e9,
                            "roundSeconds",
                            seconds)));
        }
    }

    private static ByteBuffer random() {
        var bytes = new byte[RANDOM_BYTES];
        new SplittableRandom(1).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** One stream of so many bytes, from a buffer or as they lie in the ring. */
    private static void stream(Shredder engine, long bytes, @Nullable ByteBuffer source) throws ShredderException {
        try (ChunkStream stream = engine.openStream(ChunkingParams.ofAverage(8 << 10), true)) {
            var reader = CompletableFuture.runAsync(() -> feed(stream, bytes, source));
            long seen = drain(stream);
            reader.join();
            if (seen != bytes) {
                throw new IllegalStateException("chunks of " + seen + " bytes came out of " + bytes);
            }
        }
    }

    /** Fills a stream with so many bytes, from a buffer or as they lie in the ring, and ends it. */
    static void feed(ChunkStream stream, long bytes, @Nullable ByteBuffer source) {
        try {
            for (long left = bytes; ; ) {
                ByteBuffer buffer = stream.acquire();
                int piece = (int) Math.min(left, buffer.capacity());
                if (source != null) {
                    copy(source, buffer, piece);
                }
                buffer.position(piece);
                left -= piece;
                if (left == 0) {
                    stream.finish(buffer);
                    return;
                }
                stream.submit(buffer);
            }
        } catch (ShredderException e) {
            stream.cancel();
            throw new CompletionException(e);
        }
    }

    private static void copy(ByteBuffer source, ByteBuffer target, int bytes) {
        for (int at = 0; at < bytes; ) {
            int piece = Math.min(bytes - at, source.capacity());
            target.put(at, source, 0, piece);
            at += piece;
        }
    }

    /** Looks at every record; returns the bytes of all chunks. */
    private static long drain(ChunkStream stream) throws ShredderException {
        long seen = 0;
        for (ChunkBatch batch = stream.next(); batch != null; batch = stream.next()) {
            for (int i = 0; i < batch.count(); i++) {
                seen += batch.length(i);
            }
            stream.release();
        }
        return seen;
    }
}
