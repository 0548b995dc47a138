// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The natives, and nothing else. Handles are addresses: callers see to it that they are live ({@link NativeHandle}).
 * Failures arrive as the exceptions of {@link EngineFailure}.
 */
final class ShredderJni {

    /** What {@code SHREDDER_ABI_VERSION} must be for these signatures. */
    static final int ABI_VERSION = 11;

    private ShredderJni() {}

    static native int abiVersion();

    /** Three strings a backend: name, {@code true} or {@code false}, detail. */
    static native String[] backends();

    /**
     * The fields of {@code shredder_engine_options}.
     *
     * @param numbers backend, device, pipeline depth, CPU threads, switches, scheduling, device count
     * @param devices in UTF-8; null for none
     */
    static native long openEngine(long bufferBytes, int[] numbers, byte @Nullable [] devices) throws ShredderException;

    /** The backend's name, and the line that says why it was chosen. */
    static native String[] engineTexts(long engine);

    /** In the order of {@link EngineFigures}. */
    static native long[] engineFigures(long engine);

    /** Four strings a device: name, {@code true} if it has failed, bytes scanned, bytes a second. */
    static native String[] engineDevices(long engine);

    static native void closeEngine(long engine);

    /** @param paramBlock docs/formats/chunking.md section 7 */
    static native long openStream(long engine, byte[] paramBlock, boolean digests) throws ShredderException;

    static native void setWeight(long stream, int weight) throws ShredderException;

    /** Blocks. To {@code payload}: its address and its bytes. */
    static native void acquire(long stream, long[] payload) throws ShredderException;

    static native void submit(long stream, int bytes, boolean last) throws ShredderException;

    /**
     * Blocks until all is submitted; the number of bytes.
     *
     * @param path in UTF-8
     * @param threads 0 for the default
     */
    static native long fillPath(long stream, byte[] path, int threads, boolean direct) throws ShredderException;

    /** Blocks; false at the end. To {@code batch}: address and bytes of the data, address and bytes of the records. */
    static native boolean next(long stream, long[] batch) throws ShredderException;

    /** To {@code kept}: a handle for {@link #letGo}; address and bytes of the memory that {@code address} is in. */
    static native void keepMemory(long stream, long address, long[] kept) throws ShredderException;

    /** A view of memory that is kept. */
    static native ByteBuffer view(long address, long bytes);

    static native void letGo(long memory);

    static native void release(long stream);

    static native void cancel(long stream);

    /** Blocks until the device is done with the stream. */
    static native void closeStream(long stream);

    /**
     * Digests {@code count} pieces.
     *
     * @param data direct
     * @param places two numbers a piece: where in {@code data} it begins, and its length
     * @param algorithm as in parameter blocks
     * @param digests 32 bytes each
     */
    static native void digestMemory(ByteBuffer data, int[] places, int count, int algorithm, byte[] digests)
            throws ShredderException;

    /**
     * The same of pieces that lie in a buffer each.
     *
     * @param buffers direct, one a piece; some may be the same
     * @param places two numbers a piece: where in its buffer it begins, and its length
     */
    static native void digestBuffers(ByteBuffer[] buffers, int[] places, int count, int algorithm, byte[] digests)
            throws ShredderException;

    /**
     * The same of pieces that lie in arrays.
     *
     * @param arrays one a piece; some may be the same
     * @param places two numbers a piece: where in its array it begins, and its length
     */
    static native void digestArrays(byte[][] arrays, int[] places, int count, int algorithm, byte[] digests)
            throws ShredderException;

    static native boolean tagsAreFast();

    /**
     * Tags {@code count} chunks that lie back to back.
     *
     * @param key of 16 bytes
     * @param data direct, from {@code at} on
     * @param tags 16 bytes each
     */
    static native void tagChunks(byte[] key, ByteBuffer data, int at, int[] lengths, int count, byte[] tags)
            throws ShredderException;

    /**
     * The lengths of the chunks that end among {@code bytes} bytes.
     *
     * @param data direct, from {@code at} on
     */
    static native int[] cutMemory(byte[] paramBlock, ByteBuffer data, int at, int bytes, boolean last)
            throws ShredderException;
}
