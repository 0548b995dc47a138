// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Digests of pieces of memory on the caller's thread, without an engine. Many go side by side where the CPU can: with
 * AVX-512 sixteen of SHA-256, at about twice the speed of one by one. Without the native library the Java platform
 * digests. Thread-safe.
 */
public final class MemoryDigests {

    private MemoryDigests() {}

    private static boolean areNative() {
        return NativeLibrary.failure() == null;
    }

    /**
     * The digests of pieces that lie back to back, in order.
     *
     * @param data direct; the first piece begins at its position, which does not change
     * @param lengths of the pieces in bytes; all within the limit of {@code data}
     */
    public static List<Fingerprint> of(DigestAlgorithm algorithm, ByteBuffer data, int[] lengths)
            throws ShredderException {
        KeyedTags.requireWithin(data, lengths);
        if (!areNative()) {
            return oneByOne(algorithm, data, lengths);
        }
        byte[] digests = new byte[lengths.length * Fingerprint.BYTES];
        ShredderJni.digestMemory(data, data.position(), lengths, lengths.length, algorithm.code(), digests);
        ByteBuffer source = ByteBuffer.wrap(digests);
        List<Fingerprint> fingerprints = new ArrayList<>(lengths.length);
        while (source.hasRemaining()) {
            fingerprints.add(Fingerprint.read(source));
        }
        return fingerprints;
    }

    /** The digest of the remaining bytes of a buffer of any kind, whose position does not change. */
    public static Fingerprint of(DigestAlgorithm algorithm, ByteBuffer data) throws ShredderException {
        if (data.isDirect()) {
            return of(algorithm, data, new int[] {data.remaining()}).get(0);
        }
        if (!areNative() || !data.hasArray()) {
            return Fingerprint.ofData(algorithm, data);
        }
        byte[] digest = new byte[Fingerprint.BYTES];
        ShredderJni.digestArray(
                data.array(), data.arrayOffset() + data.position(), data.remaining(), algorithm.code(), digest);
        return Fingerprint.of(digest);
    }

    static List<Fingerprint> oneByOne(DigestAlgorithm algorithm, ByteBuffer data, int[] lengths) {
        List<Fingerprint> digests = new ArrayList<>(lengths.length);
        int at = data.position();
        for (int length : lengths) {
            digests.add(Fingerprint.ofData(algorithm, data.slice(at, length)));
            at += length;
        }
        return digests;
    }
}
