// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.ByteBuffer;

/**
 * Tags chunks under a secret key: POLYVAL (RFC 8452, section 3) of their bytes and their length,
 * {@code docs/formats/cache.md}, section 1. Two different chunks of at most {@code b} blocks of 16 bytes, both chosen
 * without knowledge of key or tags, have the same tag with a probability of at most {@code (b + 1) / 2^128} (Carter and
 * Wegman, 1979). So whoever keeps a chunk's tag to himself can tell whether bytes are the chunk's, at the speed of
 * memory, without a digest. Thread-safe.
 */
public final class KeyedTags {

    /** Length of the key. */
    public static final int KEY_BYTES = 16;

    private final byte[] key;

    /**
     * Tags under this key, which is copied: secret, uniformly random, used for nothing else.
     *
     * @throws BackendUnavailableException if the native library is not there
     */
    public KeyedTags(byte[] key) throws BackendUnavailableException {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key of tags has " + KEY_BYTES + " bytes, not " + key.length);
        }
        NativeLibrary.require();
        this.key = key.clone();
    }

    /** Whether a tag costs much less than a digest: if this CPU multiplies without carries. Else better digest. */
    public static boolean areFast() {
        return NativeLibrary.failure() == null && ShredderJni.tagsAreFast();
    }

    /**
     * The tags of chunks that lie back to back, in order. One native call, on the caller's thread.
     *
     * @param data direct; the first chunk begins at its position, which does not change
     * @param lengths of the chunks in bytes; all within the limit of {@code data}
     */
    public TagList of(ByteBuffer data, int[] lengths) throws ShredderException {
        DirectBuffers.requireWithin(data, lengths);
        byte[] tags = new byte[lengths.length * TagList.TAG_BYTES];
        ShredderJni.tagChunks(key, data, data.position(), lengths, lengths.length, tags);
        return new TagList(tags);
    }
}
