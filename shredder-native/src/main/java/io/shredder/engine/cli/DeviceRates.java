// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Backend;
import io.shredder.engine.BackendStatus;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.ChunkStream;
import io.shredder.engine.EngineFigures;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderException;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** How fast this machine's devices cut and digest what is in memory: alone, and GPUs and CPU as one pool. */
final class DeviceRates {

    private static final int AVERAGE_BYTES = 64 << 10;
    private static final int ROUNDS = 3;
    private static final String POOL = "cuda,cpu";
    /** Of a rate: what a pool must gain to be worth the trouble. */
    private static final double WORTH = 1.05;

    private final PrintWriter out;
    private final long roundNanos;

    /** @param round how long each of some rounds of each takes, at least */
    DeviceRates(PrintWriter out, Duration round) {
        this.out = out;
        this.roundNanos = round.toNanos();
    }

    /** Prints a line for each, and what to choose. */
    void measure() throws IOException {
        out.println("Cut and SHA-256, chunks of 64 KiB on average, from memory:");
        String best = "";
        double bestRate = 0;
        for (String name : candidates()) {
            double rate = rateOf(name);
            out.printf(Locale.ROOT, "  %-18s %7.2f GB/s%n", name, rate / 1e9);
            out.flush();
            if (rate > bestRate * (name.equals(POOL) ? WORTH : 1)) {
                best = name;
                bestRate = rate;
            }
        }
        out.println("Fastest: --backend " + best);
    }

    private static List<String> candidates() throws ShredderException {
        List<String> names = new ArrayList<>();
        for (BackendStatus backend : Shredder.backends()) {
            if (backend.available()) {
                names.add(backend.name());
            }
        }
        if (names.contains(Backend.CUDA.optionName())) {
            names.add(POOL);
        }
        return names;
    }

    /** Bytes a second, the best of some rounds. */
    private double rateOf(String name) throws IOException {
        ShredderOptions options = ShredderOptions.builder()
                .on(ShredderOptions.Devices.parse(name))
                .build();
        try (Shredder engine = Shredder.open(options)) {
            double best = 0;
            for (int round = 0; round <= ROUNDS; round++) {
                boolean first = round == 0; // It fills the buffers, which the others use again, and warms up.
                double rate = round(engine, first);
                best = first ? 0 : Math.max(best, rate);
            }
            return best;
        }
    }

    /** What lies in the ring's buffers is submitted again and again, so that no reader is measured. */
    private double round(Shredder engine, boolean first) throws IOException {
        ChunkingParams params =
                ChunkingParams.builder().averageBytes(AVERAGE_BYTES).build();
        EngineFigures figures = engine.figures();
        int ring = first ? figures.pipelineDepth() * figures.devices() : 0;
        long begin = System.nanoTime();
        try (ChunkStream stream = engine.openStream(params, true)) {
            CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> fill(stream, ring, begin));
            long bytes = 0;
            for (ChunkBatch batch = stream.next(); batch != null; batch = stream.next()) {
                bytes += batch.data().remaining();
                stream.release();
            }
            join(reader);
            return bytes * 1e9 / (System.nanoTime() - begin);
        }
    }

    private void fill(ChunkStream stream, int ring, long begin) {
        try {
            Random random = new Random(1);
            for (int i = 0; ; i++) {
                ByteBuffer buffer = stream.acquire();
                if (i < ring) {
                    scatter(buffer, random);
                }
                buffer.position(buffer.limit());
                if (i >= ring && System.nanoTime() - begin > roundNanos) {
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

    /** Random words. */
    private static void scatter(ByteBuffer buffer, Random random) {
        long state = random.nextLong() | 1;
        for (int i = 0; i + Long.BYTES <= buffer.limit(); i += Long.BYTES) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            buffer.putLong(i, state);
        }
    }

    private static void join(CompletableFuture<Void> reader) throws ShredderException {
        try {
            reader.join();
        } catch (CompletionException | CancellationException e) {
            if (e.getCause() instanceof ShredderException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
