// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream's memory as Java sees it. All views of a piece are slices of one buffer. As long as any of them can be
 * reached, the piece stays where it is, also after the stream and its engine are closed. So a view that was kept for
 * too long shows bytes that mean nothing, and never harms the process. Thread-safe.
 */
final class EngineMemory {

    private static final Cleaner UNREACHABLE = Cleaner.create();

    /** Memory from an address on; the buffer is cleared once nobody has a view. */
    private record Piece(long address, long bytes, WeakReference<ByteBuffer> whole) {

        /** All of it, if it has these bytes and somebody has a view; else the address may be another's by now. */
        @Nullable
        ByteBuffer holding(long from, long count) {
            return from >= address && from + count <= address + bytes ? whole.get() : null;
        }
    }

    private final List<Piece> pieces = new ArrayList<>();

    /** A view of bytes in a buffer that the caller has acquired from the stream, or in a batch that it has taken. */
    synchronized ByteBuffer view(long stream, long address, long bytes) throws ShredderException {
        for (Piece piece : pieces) {
            ByteBuffer whole = piece.holding(address, bytes);
            if (whole != null) {
                return whole.slice((int) (address - piece.address()), (int) bytes);
            }
        }
        pieces.removeIf(piece -> piece.whole().get() == null);
        return keep(stream, address, bytes);
    }

    private ByteBuffer keep(long stream, long address, long bytes) throws ShredderException {
        long[] kept = new long[3];
        ShredderJni.keepMemory(stream, address, kept);
        long memory = kept[0];
        ByteBuffer whole = ShredderJni.view(kept[1], kept[2]);
        UNREACHABLE.register(whole, () -> ShredderJni.letGo(memory));
        pieces.add(new Piece(kept[1], kept[2], new WeakReference<>(whole)));
        return whole.slice((int) (address - kept[1]), (int) bytes);
    }
}
