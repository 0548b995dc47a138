// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.region;

import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;

/** The natives of the reader of regions, and nothing else: callers check lengths, and that handles are live. */
final class RegionJni {

    private RegionJni() {}

    /**
     * Keys of 32 bytes, which are copied.
     *
     * @param digestAlgorithm as in parameter blocks
     */
    static native long open(byte[] sealingKey, byte[] identityKey, int digestAlgorithm) throws ShredderException;

    /**
     * Writes chunks back to back.
     *
     * @param paths in UTF-8, each followed by a zero
     * @param places three numbers a region: where its path begins in {@code paths}, offset, bytes
     * @param identities 32 bytes a chunk
     * @param lengths of the chunks
     * @param target direct, with room for them from {@code at} on
     */
    static native void read(
            long reader, byte[] paths, long[] places, byte[] identities, int[] lengths, ByteBuffer target, int at)
            throws ShredderException;

    /**
     * The same of regions in memory.
     *
     * @param fields 72 bytes a region
     * @param arrays one a region, that has its stored bytes
     * @param ranges two numbers a region: where in the array they begin, and how many they are
     */
    static native void openRegions(
            long reader,
            byte[] fields,
            byte[][] arrays,
            int[] ranges,
            byte[] identities,
            int[] lengths,
            ByteBuffer target,
            int at)
            throws ShredderException;

    static native void close(long reader);
}
