// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One input of the engine, by hand: a reader thread calls {@link #acquire} and {@link #submit}, ends with {@link
 * #finish}; a consumer thread calls {@link #next} and {@link #release} until next gives null. Each side is for one
 * thread at a time; {@link #cancel} and {@link #close} are for any. {@link Shredder#chunk} does all this.
 */
public final class ChunkStream implements AutoCloseable {

    private final NativeHandle handle;
    private final boolean digests;
    private final ShredderOptions options;
    private final Runnable whenClosed;
    private final EngineMemory memory = new EngineMemory();
    private @Nullable ByteBuffer filling;
    private @Nullable ChunkBatch taken;

    ChunkStream(long address, boolean digests, ShredderOptions options, Runnable whenClosed) {
        this.handle = new NativeHandle("stream", address);
        this.digests = digests;
        this.options = options;
        this.whenClosed = whenClosed;
    }

    /**
     * Gives the stream its share of the devices beside the engine's other streams, from its next buffer on.
     *
     * @param weight 1 (what a stream has from the start) to 1000: a stream of weight 3 gets three times the bytes of
     *     one of weight 1 while both have something to do
     * @throws InvalidOptionException if it is none of these
     */
    public void weight(int weight) throws ShredderException {
        long stream = handle.enter();
        try {
            ShredderJni.setWeight(stream, weight);
        } finally {
            handle.leave();
        }
    }

    /**
     * The next ring buffer to fill; blocks while all are in use, which is the back-pressure.
     *
     * <p>This is the way without a copy: a direct buffer from which the devices take the bytes, page-locked where there
     * are CUDA devices (unless {@link Optimisation#PINNED_RING} is taken away), so that JCuda can copy to it, too, at
     * the link's speed. An application's own memory can't be submitted in its place: what is left of the last chunk is
     * laid in front of the buffer's first byte, so that every chunk is contiguous.
     *
     * @throws StreamCancelledException once the stream is cancelled or has failed
     */
    public ByteBuffer acquire() throws ShredderException {
        long stream = handle.enter();
        try {
            long[] payload = new long[2];
            ShredderJni.acquire(stream, payload);
            ByteBuffer buffer = viewOrCancel(stream, payload[0], payload[1]);
            filling = buffer;
            return buffer;
        } finally {
            handle.leave();
        }
    }

    /** Gives the acquired buffer to the device, filled up to its position. The caller must not touch it any more. */
    public void submit(ByteBuffer filled) throws ShredderException {
        submit(filled, false);
    }

    /** The same, and the stream ends after these bytes, which may be none. */
    public void finish(ByteBuffer filled) throws ShredderException {
        submit(filled, true);
    }

    @SuppressWarnings("ReferenceEquality") // the very buffer, not one with equal bytes
    private void submit(ByteBuffer filled, boolean last) throws ShredderException {
        long stream = handle.enter();
        try {
            if (filled != filling) {
                throw new IllegalStateException("this is not the buffer that was acquired last");
            }
            filling = null;
            ShredderJni.submit(stream, filled.position(), last);
        } finally {
            handle.leave();
        }
    }

    /**
     * Fills the stream with a file's bytes, natively, and ends it: takes the place of {@link #acquire}, {@link #submit}
     * and {@link #finish}. Blocks until all is submitted. After an error the stream is cancelled.
     *
     * @param path in UTF-8
     * @return the number of bytes
     */
    long fill(byte[] path) throws ShredderException {
        long stream = handle.enter();
        try {
            return ShredderJni.fillPath(stream, path, options.readerThreads(), options.directReads());
        } finally {
            handle.leave();
        }
    }

    /**
     * The next chunks, or null at the stream's end. Blocks until some are there.
     *
     * @throws DeviceException if the device failed; reported once
     * @throws StreamCancelledException if the stream is cancelled, or its failure was reported before
     */
    public @Nullable ChunkBatch next() throws ShredderException {
        long stream = handle.enter();
        try {
            long[] batch = new long[4];
            if (!ShredderJni.next(stream, batch)) {
                return null;
            }
            ByteBuffer data = viewOrCancel(stream, batch[0], batch[1]);
            ByteBuffer records = viewOrCancel(stream, batch[2], batch[3]);
            taken = new ChunkBatch(data, records, digests);
            return taken;
        } finally {
            handle.leave();
        }
    }

    /** Who got bytes from the engine and can't be shown them, must not go on as if there had been none. */
    private ByteBuffer viewOrCancel(long stream, long address, long bytes) throws ShredderException {
        boolean seen = false;
        try {
            ByteBuffer view = memory.view(stream, address, bytes);
            seen = true;
            return view;
        } finally {
            if (!seen) {
                ShredderJni.cancel(stream);
            }
        }
    }

    /**
     * Gives the last batch back to the ring. It refuses calls from here on; views of its bytes that are kept show
     * anything, and do no harm.
     */
    public void release() {
        long stream = handle.enter();
        try {
            if (taken != null) {
                taken.markReleased();
                taken = null;
            }
            ShredderJni.release(stream);
        } finally {
            handle.leave();
        }
    }

    /** Wakes whoever waits on the stream; they get {@link StreamCancelledException}. Nothing if it is closed. */
    public void cancel() {
        long stream = handle.enterUnlessClosed();
        if (stream == 0) {
            return;
        }
        try {
            ShredderJni.cancel(stream);
        } finally {
            handle.leave();
        }
    }

    /**
     * Cancels, waits until neither a call nor the device uses the stream, frees it. A buffer that was acquired may
     * still be written to, in vain.
     */
    @Override
    public void close() {
        if (!handle.beginClose()) {
            return;
        }
        ShredderJni.cancel(handle.addressToClose());
        long stream = handle.awaitLastLeave();
        if (taken != null) {
            taken.markReleased();
        }
        ShredderJni.closeStream(stream);
        whenClosed.run();
    }
}
