// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a machine's memory and disk give and take, as far as as many threads as there are cores can tell. A program by
 * itself, so that it can be held to some cores; it prints a line of JSON of bytes a second:
 *
 * <ul>
 *   <li>{@code memory}: a mapped image, added up, whose pages are there already
 *   <li>{@code target}: the image's bytes written to a file, each thread a MiB at a time at its place
 *   <li>{@code disk}: the image read into buffers, from the page cache as far as it is there
 *   <li>{@code sealing}, {@code digesting}: {@link ComputingLimits}
 * </ul>
 */
public final class MachineLimits {
    static final int PIECE_BYTES = 1 << 20;
    private static final long MAPPED_BYTES = 256L << 20;
    private static final int ROUNDS = 3;
    /** Kept, so that no time goes into making it. */
    private static final ThreadLocal<ByteBuffer> BUFFER =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(PIECE_BYTES));

    private MachineLimits() {}

    /**
     * Measures all.
     *
     * @param args an image, and a file to write
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path image = Path.of(args[0]);
        Path target = Path.of(args[1]);
        Map<String, Double> limits = new TreeMap<>(ComputingLimits.of(image));
        limits.put(LimitsUnit.MEMORY, memory(image));
        limits.put(LimitsUnit.TARGET, target(image, target));
        limits.put(LimitsUnit.DISK, disk(image));
        System.out.println(new ObjectMapper().writeValueAsString(limits));
    }

    /** A piece of the work, by its number. */
    @FunctionalInterface
    interface Piece {
        void run(int number) throws IOException;
    }

    /** Seconds that all threads together take for some pieces. */
    static double seconds(int pieces, Piece piece) throws InterruptedException, IOException {
        var next = new AtomicInteger();
        var problems = new ArrayList<IOException>();
        List<Thread> threads = new ArrayList<>();
        long startNs = System.nanoTime();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            var thread = new Thread(() -> take(pieces, piece, next, problems), "limits");
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    private static void take(int pieces, Piece piece, AtomicInteger next, List<IOException> problems) {
        try {
            for (int number = next.getAndIncrement(); number < pieces; number = next.getAndIncrement()) {
                piece.run(number);
            }
        } catch (IOException e) {
            synchronized (problems) {
                problems.add(e);
            }
        }
    }

    private static double memory(Path image) throws IOException, InterruptedException {
        var maps = new ArrayList<LongBuffer>();
        long bytes = Files.size(image) / Long.BYTES * Long.BYTES;
        try (var channel = FileChannel.open(image)) {
            for (long at = 0; at < bytes; at += MAPPED_BYTES) {
                MappedByteBuffer map = channel.map(MapMode.READ_ONLY, at, Math.min(MAPPED_BYTES, bytes - at));
                maps.add(map.order(ByteOrder.nativeOrder()).asLongBuffer());
            }
        }
        var pieces = new ArrayList<LongBuffer>();
        int longs = PIECE_BYTES / Long.BYTES;
        for (LongBuffer map : maps) {
            for (int at = 0; at < map.limit(); at += longs) {
                pieces.add(map.slice(at, Math.min(longs, map.limit() - at)));
            }
        }
        var sum = new LongAdder();
        double best = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double seconds = seconds(pieces.size(), number -> sum.add(sum(pieces.get(number))));
            best = Math.max(best, bytes / seconds);
        }
        if (sum.sum() == Long.MIN_VALUE) {
            System.err.println("a sum that is used, so that it is computed");
        }
        return best;
    }

    /** In several sums, so that none waits for the one before. */
    private static long sum(LongBuffer longs) {
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        int whole = longs.limit() & ~3;
        for (int i = 0; i < whole; i += 4) {
            a += longs.get(i);
            b += longs.get(i + 1);
            c += longs.get(i + 2);
            d += longs.get(i + 3);
        }
        return a + b + c + d;
    }

    private static double target(Path image, Path target) throws IOException, InterruptedException {
        long bytes = Files.size(image);
        int pieces = Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
        double best = 0;
        for (int round = 0; round < 2; round++) {
            Files.deleteIfExists(target);
            try (var from = FileChannel.open(image);
                    var to = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                double seconds = seconds(pieces, number -> copy(from, to, (long) number * PIECE_BYTES));
                best = Math.max(best, bytes / seconds);
            } finally {
                Files.deleteIfExists(target);
            }
        }
        return best;
    }

    private static void copy(FileChannel from, FileChannel to, long at) throws IOException {
        ByteBuffer piece = BUFFER.get().clear();
        readAt(from, at, piece);
        while (piece.hasRemaining()) {
            to.write(piece, at + piece.position());
        }
    }

    /** A MiB of a file, by its number; good until this thread reads the next. */
    static ByteBuffer read(FileChannel file, int number) throws IOException {
        ByteBuffer piece = BUFFER.get().clear();
        readAt(file, (long) number * PIECE_BYTES, piece);
        return piece;
    }

    private static void readAt(FileChannel from, long at, ByteBuffer piece) throws IOException {
        while (piece.hasRemaining() && from.read(piece, at + piece.position()) >= 0) {
            // until it is full, or the file ends
        }
        piece.flip();
    }

    private static double disk(Path image) throws IOException, InterruptedException {
        long bytes = Files.size(image);
        int pieces = Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
        double best = 0;
        try (var file = FileChannel.open(image)) {
            for (int round = 0; round < ROUNDS; round++) {
                double seconds = seconds(pieces, number -> read(file, number));
                best = Math.max(best, bytes / seconds);
            }
        }
        return best;
    }
}
