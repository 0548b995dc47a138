// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.server.reader.DamagedRangeException;
import io.shredder.backup.server.reader.ImageExtent;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Answers reads. A structured answer has a part for each hole and for some bytes at a time, so a read takes no more
 * memory than a part, however long it is. Any number of threads, each with a buffer of its own.
 */
final class NbdReads {

    /** How many bytes are read and sent at once. */
    static final int PART_BYTES = 128 << 10;

    private final NbdVolume volume;
    private final NbdReplies replies;
    private final boolean structured;

    /** A read ended early, as somebody was told. */
    private static final class BrokenOffException extends IOException {
        private static final long serialVersionUID = 1L;

        BrokenOffException(IOException cause) {
            super("an answer that was begun can't be ended: " + cause.getMessage(), cause);
        }
    }

    NbdReads(NbdVolume volume, NbdReplies replies, boolean structured) {
        this.volume = volume;
        this.replies = replies;
        this.structured = structured;
    }

    /**
     * Answers one that is within the export.
     *
     * @throws IOException if the connection is lost, or must be closed since no error can be told any more
     */
    void answer(NbdRequest request, ByteBuffer buffer) throws IOException {
        if (structured && request.length() == 0) {
            replies.nothing(request);
        } else if (!structured || request.has(NbdNumbers.CMD_FLAG_DF)) {
            whole(request, buffer);
        } else {
            parts(request, buffer);
        }
    }

    private void parts(NbdRequest request, ByteBuffer buffer) throws IOException {
        for (long at = request.offset(); at < request.end(); ) {
            ImageExtent extent;
            try {
                extent = volume.extents(at, request.end() - at, 1).get(0);
            } catch (IOException e) {
                replies.errorAt(request, NbdNumbers.EIO, String.valueOf(e.getMessage()), at);
                return;
            }
            if (extent.isHole()) {
                replies.hole(request, extent.end() == request.end(), at, (int) extent.bytes());
                at = extent.end();
            } else {
                int count = (int) Math.min(extent.bytes(), PART_BYTES);
                if (!part(request, at, buffer.clear().limit(count))) {
                    return;
                }
                at += count;
            }
        }
    }

    /** Sends some bytes; returns whether the answer goes on. */
    private boolean part(NbdRequest request, long at, ByteBuffer buffer) throws IOException {
        int count = buffer.remaining();
        try {
            volume.read(at, buffer);
        } catch (DamagedRangeException e) {
            damaged(request, at, buffer, e);
            return false;
        } catch (IOException e) {
            replies.errorAt(request, NbdNumbers.EIO, String.valueOf(e.getMessage()), at);
            return false;
        }
        replies.data(request, at + count == request.end(), at, buffer.flip());
        return true;
    }

    /** What is before the damage is sent. */
    private void damaged(NbdRequest request, long at, ByteBuffer buffer, DamagedRangeException e) throws IOException {
        int whole = (int) Math.max(0, e.offset() - at);
        if (whole > 0) {
            try {
                volume.read(at, buffer.clear().limit(whole));
            } catch (IOException other) {
                replies.errorAt(request, NbdNumbers.EIO, String.valueOf(other.getMessage()), at);
                return;
            }
            replies.data(request, false, at, buffer.flip());
        }
        replies.errorAt(request, NbdNumbers.EIO, String.valueOf(e.getMessage()), at + whole);
    }

    /**
     * An answer in one part tells no error behind its beginning, so all is read before; what is no longer in the cache
     * then is read again.
     */
    private void whole(NbdRequest request, ByteBuffer buffer) throws IOException {
        boolean fits = request.length() <= PART_BYTES;
        try {
            eachPart(request, buffer, () -> {});
        } catch (DamagedRangeException e) {
            errorAt(request, String.valueOf(e.getMessage()), Math.max(e.offset(), request.offset()));
            return;
        } catch (IOException e) {
            errorAt(request, String.valueOf(e.getMessage()), request.offset());
            return;
        }
        replies.together(() -> {
            replies.wholeHead(request);
            if (fits) {
                replies.bytes(buffer.flip());
            } else {
                sendParts(request, buffer);
            }
        });
    }

    private void sendParts(NbdRequest request, ByteBuffer buffer) throws IOException {
        try {
            eachPart(request, buffer, () -> replies.bytes(buffer.flip()));
        } catch (DamagedRangeException e) {
            throw new BrokenOffException(e);
        }
    }

    private void eachPart(NbdRequest request, ByteBuffer buffer, NbdReplies.Sending then) throws IOException {
        for (long at = request.offset(); at < request.end(); ) {
            int count = (int) Math.min(request.end() - at, PART_BYTES);
            volume.read(at, buffer.clear().limit(count));
            then.send();
            at += count;
        }
    }

    private void errorAt(NbdRequest request, String text, long offset) throws IOException {
        if (structured) {
            replies.errorAt(request, NbdNumbers.EIO, text, offset);
        } else {
            replies.simple(request, NbdNumbers.EIO);
        }
    }
}
