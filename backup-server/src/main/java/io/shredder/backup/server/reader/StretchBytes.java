// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.seal.Pointer;
import java.nio.ByteBuffer;
import java.util.function.Function;

/** Copies a stretch together from what its pointers point to, some of its bytes after the other. One thread. */
final class StretchBytes implements StretchCache.Filling {

    private final Stretch stretch;
    private final Function<Pointer, ByteBuffer> chunks;
    private int pointer;

    /** Where in the stretch that one begins. */
    private int begin;

    /** @param chunks the bytes that a pointer points to, from index 0 on */
    StretchBytes(Stretch stretch, Function<Pointer, ByteBuffer> chunks) {
        this.stretch = stretch;
        this.chunks = chunks;
    }

    @Override
    public void fill(int from, ByteBuffer part) {
        while (part.hasRemaining()) {
            Pointer next = stretch.pointers().get(pointer);
            int skipped = from + part.position() - begin;
            int count = Math.min(next.length() - skipped, part.remaining());
            part.put(chunks.apply(next).slice(skipped, count));
            if (skipped + count == next.length()) {
                begin += next.length();
                pointer++;
            }
        }
    }
}
