// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.restore.ChunkFetcher;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Finds which chunks of a stretch are damaged, by asking for each alone, so that all others can be read. Says each
 * range once. A thread, {@code reader-damage}. Safe for several threads.
 */
final class DamageFinder implements Closeable {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_SAID = 4_096;

    private final StretchCache cache;
    private final String snapshot;
    private final Consumer<String> lines;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread made = new Thread(work, "reader-damage");
        made.setDaemon(true);
        return made;
    });

    /** What was said already, by where it begins. */
    private final Map<Long, String> said = new LinkedHashMap<>();

    /**
     * For one snapshot.
     *
     * @param snapshot as people call it
     * @param lines gets a line for each damaged range
     */
    DamageFinder(StretchCache cache, String snapshot, Consumer<String> lines) {
        this.cache = cache;
        this.snapshot = snapshot;
        this.lines = lines;
    }

    /** Looks, and keeps what is whole in the cache. One of the last three is called, maybe later. */
    void find(
            StretchLoad load,
            AgentLink.Way way,
            Throwable error,
            Consumer<StretchLoad> found,
            BiConsumer<StretchLoad, Throwable> failed,
            Consumer<StretchLoad> again) {
        try {
            thread.execute(() -> {
                try {
                    look(load.stretch(), way);
                    found.accept(load);
                } catch (IOException | RuntimeException e) {
                    if (AgentLink.isLoss(e) && load.survivesLoss(PATIENCE_NS)) {
                        again.accept(load);
                    } else {
                        failed.accept(load, e);
                    }
                } catch (InterruptedException e) {
                    failed.accept(load, e);
                }
            });
        } catch (RejectedExecutionException e) {
            failed.accept(load, error);
        }
    }

    private void look(Stretch stretch, AgentLink.Way way) throws IOException, InterruptedException {
        Map<ChunkRef, byte[]> whole = new HashMap<>();
        Map<ChunkRef, IOException> bad = new HashMap<>();
        for (Pointer pointer : stretch.pointers()) {
            ChunkRef chunk = pointer.chunk();
            if (!whole.containsKey(chunk) && !bad.containsKey(chunk)) {
                try (ChunkFetcher.Fetched fetched = Answers.await(way.fetch(List.of(chunk)))) {
                    byte[] bytes = new byte[chunk.length()];
                    fetched.plain().get(0, bytes);
                    whole.put(chunk, bytes);
                } catch (IOException e) {
                    if (AgentLink.isLoss(e)) {
                        throw e;
                    }
                    bad.put(chunk, e);
                }
            }
        }
        List<DamagedRangeException> ranges = ranges(stretch, bad);
        cache.put(
                stretch.start(),
                (int) stretch.bytes(),
                new StretchBytes(stretch, pointer -> {
                    byte[] bytes = whole.get(pointer.chunk());
                    return bytes == null
                            ? ByteBuffer.allocate(pointer.length()) // Never read: the range is refused.
                            : ByteBuffer.wrap(bytes, pointer.from(), pointer.length())
                                    .slice();
                }),
                ranges);
        ranges.forEach(this::say);
    }

    private List<DamagedRangeException> ranges(Stretch stretch, Map<ChunkRef, IOException> bad) {
        List<DamagedRangeException> ranges = new ArrayList<>();
        long at = stretch.start();
        for (Pointer pointer : stretch.pointers()) {
            IOException cause = bad.get(pointer.chunk());
            if (cause != null) {
                ranges.add(range(at, pointer.length(), cause));
            }
            at += pointer.length();
        }
        return ranges;
    }

    private DamagedRangeException range(long at, long bytes, IOException cause) {
        return new DamagedRangeException(
                snapshot + ": bytes " + at + " to " + (at + bytes - 1) + " of the image can't be read: "
                        + cause.getMessage(),
                at,
                bytes,
                cause);
    }

    private void say(DamagedRangeException range) {
        String line = String.valueOf(range.getMessage());
        synchronized (this) {
            if (line.equals(said.get(range.offset()))) {
                return;
            }
            if (said.size() >= MOST_SAID) {
                said.remove(said.keySet().iterator().next());
            }
            said.put(range.offset(), line);
        }
        lines.accept(line);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
