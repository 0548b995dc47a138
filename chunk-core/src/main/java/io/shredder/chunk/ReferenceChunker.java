// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * START HERE. Cuts a stream into chunks, one byte at a time: the readable reference that every backend must equal
 * (Shredder, section 2.1; {@code docs/formats/chunking.md}). How the stream is split into {@link #update} calls makes
 * no difference.
 *
 * <p>Not safe for use by several threads. Hands each chunk to its consumer on the calling thread, once the byte after
 * it or the end of the stream is there: a cut at the stream's end is a segment cut whatever its fingerprint.
 */
public final class ReferenceChunker {

    private final Consumer<Chunk> consumer;
    private final boolean segments;
    private final RabinWindow window;
    private final CutSelector selector;
    private final MessageDigest digest;
    private long chunkStart;
    private long position;
    private @Nullable Chunk held;

    /**
     * @param params how to cut
     * @param consumer receives the chunks in order
     */
    public ReferenceChunker(ChunkingParams params, Consumer<Chunk> consumer) {
        this.consumer = consumer;
        this.segments = params.hasSegments();
        this.window = new RabinWindow(params.polynomial());
        this.selector = new CutSelector(params);
        this.digest = params.digest().newMessageDigest();
    }

    /** The chunks of {@code data} as a whole stream. */
    public static List<Chunk> chunk(ChunkingParams params, byte[] data) {
        List<Chunk> chunks = new ArrayList<>();
        ReferenceChunker chunker = new ReferenceChunker(params, chunks::add);
        chunker.update(ByteBuffer.wrap(data));
        chunker.finish();
        return chunks;
    }

    /** Takes the remaining bytes of {@code data} as the next bytes of the stream; its position moves to its limit. */
    public void update(ByteBuffer data) {
        int undigested = data.position();
        while (data.hasRemaining()) {
            passOn(held);
            CutSelector.Cut cut = selector.accept(window.roll(data.get()));
            position++;
            if (cut != CutSelector.Cut.NONE) {
                digest(data, undigested);
                undigested = data.position();
                held = end(cut == CutSelector.Cut.SEGMENT);
            }
        }
        digest(data, undigested);
    }

    /** Ends the stream: what is left becomes its last chunk. The chunker can't be used afterwards. */
    public void finish() {
        if (position > chunkStart) {
            passOn(end(segments));
        } else if (held != null) {
            passOn(new Chunk(held.offset(), held.length(), held.fingerprint(), segments));
        }
    }

    private void passOn(@Nullable Chunk chunk) {
        held = null;
        if (chunk != null) {
            consumer.accept(chunk);
        }
    }

    private void digest(ByteBuffer data, int from) {
        digest.update(data.duplicate().position(from).limit(data.position()));
    }

    /** The chunk that ends here. */
    private Chunk end(boolean segmentEnd) {
        int length = Math.toIntExact(position - chunkStart);
        Chunk chunk = new Chunk(chunkStart, length, Fingerprint.of(digest.digest()), segmentEnd);
        chunkStart = position;
        return chunk;
    }
}
