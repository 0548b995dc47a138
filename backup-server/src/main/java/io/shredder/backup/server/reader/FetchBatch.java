// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.restore.RestoreBatch;
import io.shredder.backup.wire.WireFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Stretches that are fetched with one question, each chunk once, and where each chunk's bytes come to lie. */
final class FetchBatch {

    /** As a restore has it: enough for a thread to digest many chunks side by side. */
    private static final int ENOUGH_BYTES = 1 << 20;

    private final List<StretchLoad> loads = new ArrayList<>();
    private final Map<ChunkRef, Integer> places = new LinkedHashMap<>();
    private int chunkBytes;

    /** Whether this one may be added; an empty batch takes any. */
    boolean hasRoomFor(StretchLoad load) {
        Stretch stretch = load.stretch();
        return loads.isEmpty()
                || (!load.isAlone()
                        && !loads.get(0).isAlone()
                        && chunkBytes < ENOUGH_BYTES
                        && chunkBytes + stretch.chunkBytes() <= RestoreBatch.MAX_BYTES
                        && places.size() + stretch.pointers().size() <= WireFormat.MAX_FETCH);
    }

    void add(StretchLoad load) {
        loads.add(load);
        for (Pointer pointer : load.stretch().pointers()) {
            if (places.putIfAbsent(pointer.chunk(), chunkBytes) == null) {
                chunkBytes += pointer.chunk().length();
            }
        }
    }

    List<StretchLoad> loads() {
        return loads;
    }

    List<ChunkRef> chunks() {
        return List.copyOf(places.keySet());
    }

    int chunkBytes() {
        return chunkBytes;
    }

    /** Puts all stretches into the cache. */
    void keep(ByteBuffer plain, StretchCache cache) throws InterruptedException {
        for (StretchLoad load : loads) {
            Stretch stretch = load.stretch();
            StretchBytes bytes = new StretchBytes(stretch, pointer -> {
                int place = Objects.requireNonNull(places.get(pointer.chunk()));
                return plain.slice(place + pointer.from(), pointer.length());
            });
            cache.put(stretch.start(), (int) stretch.bytes(), bytes);
        }
    }
}
