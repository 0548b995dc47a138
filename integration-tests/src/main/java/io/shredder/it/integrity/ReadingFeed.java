// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.backup.client.Answers;
import io.shredder.backup.region.RegionFormat;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * Reads blocks whose places are known before, some MiB ahead, by as many threads as an engine reads with, and has other
 * threads digest them, if anybody digests.
 */
final class ReadingFeed implements BlockFeed {
    private static final int PART_BYTES = RegionFormat.MAX_CHUNK_BYTES;
    private static final int MOST_READERS = 8;
    private static final int AHEAD = 2;

    private final Places places;
    private final ExecutorService readers;
    private final ExecutorService digesters;
    private final UnaryOperator<Blocks> digesting;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private final int depth;

    /** Where a file's blocks are. */
    @FunctionalInterface
    interface Places {
        List<Part> of(Path file) throws IOException;
    }

    /**
     * Some blocks, together at most {@value #PART_BYTES} bytes.
     *
     * @param offset of the first
     * @param digests of each, or none
     */
    record Part(long offset, List<Integer> lengths, List<Fingerprint> digests) {
        Part {
            lengths = List.copyOf(lengths);
            digests = List.copyOf(digests);
        }

        int bytes() {
            return lengths.stream().mapToInt(Integer::intValue).sum();
        }
    }

    private ReadingFeed(Places places, int cores, int digesters, UnaryOperator<Blocks> digesting) {
        int reading = Math.min(MOST_READERS, cores);
        this.places = places;
        this.readers = pool("reader", reading);
        this.digesters = pool("digester", digesters);
        this.digesting = digesting;
        this.depth = AHEAD * (reading + digesters);
    }

    /**
     * Only reads.
     *
     * @param cores that the client may use
     */
    static ReadingFeed of(Places places, int cores) {
        return new ReadingFeed(places, cores, 1, blocks -> blocks);
    }

    /** Reads and digests by so many threads. */
    static ReadingFeed digesting(Places places, int cores, int threads, DigestAlgorithm algorithm) {
        return new ReadingFeed(places, cores, threads, blocks -> {
            try {
                int[] lengths =
                        blocks.lengths().stream().mapToInt(Integer::intValue).toArray();
                List<Fingerprint> digests = MemoryDigests.of(algorithm, blocks.data(), lengths);
                return new Blocks(blocks.data(), blocks.lengths(), digests);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static ExecutorService pool(String name, int threads) {
        return Executors.newFixedThreadPool(threads, task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The places of blocks of one length each, but the last. */
    static List<Part> ofLength(long fileBytes, int blockBytes) {
        List<Part> parts = new ArrayList<>();
        int together = PART_BYTES / blockBytes * blockBytes;
        for (long at = 0; at < fileBytes; at += together) {
            int bytes = (int) Math.min(together, fileBytes - at);
            int whole = (bytes - 1) / blockBytes;
            List<Integer> lengths = new ArrayList<>(Collections.nCopies(whole, blockBytes));
            lengths.add(bytes - whole * blockBytes);
            parts.add(new Part(at, lengths, List.of()));
        }
        return parts;
    }

    /** The places of blocks that were seen before, with their digests. */
    static List<Part> together(List<Integer> lengths, List<Fingerprint> digests) {
        List<Part> parts = new ArrayList<>();
        long offset = 0;
        int first = 0;
        int bytes = 0;
        for (int i = 0; i <= lengths.size(); i++) {
            boolean ends = i == lengths.size() || bytes + lengths.get(i) > PART_BYTES;
            if (ends && i > first) {
                parts.add(new Part(offset, lengths.subList(first, i), digests.subList(first, i)));
                offset += bytes;
                first = i;
                bytes = 0;
            }
            bytes += i < lengths.size() ? lengths.get(i) : 0;
        }
        return parts;
    }

    @Override
    public void feed(Path file, Blocks.Taker taker) throws IOException {
        var ahead = new ArrayDeque<CompletableFuture<Blocks>>();
        try (var channel = FileChannel.open(file)) {
            try {
                for (Part part : places.of(file)) {
                    if (ahead.size() == depth) {
                        takeFirst(ahead, taker);
                    }
                    ahead.add(begin(channel, part));
                }
                while (!ahead.isEmpty()) {
                    takeFirst(ahead, taker);
                }
            } finally {
                // After a failure: nobody may read a file that is closed.
                ahead.forEach(begun -> begun.handle((blocks, problem) -> 0).join());
            }
        }
    }

    private void takeFirst(ArrayDeque<CompletableFuture<Blocks>> ahead, Blocks.Taker taker) throws IOException {
        Blocks blocks = Answers.await(ahead.remove());
        taker.take(blocks);
        free.add(blocks.data());
    }

    private CompletableFuture<Blocks> begin(FileChannel channel, Part part) {
        ByteBuffer buffer = free.isEmpty() ? ByteBuffer.allocateDirect(PART_BYTES) : free.remove();
        return CompletableFuture.supplyAsync(() -> read(channel, part, buffer), readers)
                .thenApplyAsync(digesting, digesters);
    }

    private static Blocks read(FileChannel channel, Part part, ByteBuffer buffer) {
        buffer.clear().limit(part.bytes());
        try {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, part.offset() + buffer.position()) < 0) {
                    throw new IOException("a file ends before byte " + (part.offset() + buffer.limit()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer.flip();
        return new Blocks(buffer, part.lengths(), part.digests());
    }

    @Override
    public void close() {
        readers.shutdownNow();
        digesters.shutdownNow();
    }
}
