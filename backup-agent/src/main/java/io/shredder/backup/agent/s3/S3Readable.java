// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.storage.ReadableFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * A file that is read by position. Reads that follow each other, as a restore's and a verification's do, are served
 * from up to {@value #MOST_AHEAD_BYTES} bytes read ahead, since each request costs time and money; others fetch what
 * they ask for.
 */
final class S3Readable implements ReadableFile {

    private static final int FIRST_AHEAD_BYTES = 1 << 19;
    private static final int MOST_AHEAD_BYTES = 1 << 23;

    /** Where the bytes are. */
    interface Source {
        /** How long the file is now. */
        long size() throws IOException;

        /** Fills the target, which lies within the file. */
        void read(ByteBuffer target, long position) throws IOException;

        /** Whether another read costs next to nothing. */
        boolean isNear();
    }

    private final Source source;
    private long length;
    private ByteBuffer ahead = ByteBuffer.allocate(0);
    private long aheadAt;
    private int aheadBytes = FIRST_AHEAD_BYTES;
    private long lastEnd;
    private volatile boolean closed;

    /** Looks whether the file is there. */
    S3Readable(Source source) throws IOException {
        this.source = source;
        this.length = source.size();
    }

    @Override
    public long size() throws IOException {
        return source.size();
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (position + target.remaining() > length) {
            length = source.size(); // It may have grown.
        }
        long at = position;
        while (target.hasRemaining() && at < length) {
            at += readSome(target, at);
        }
        lastEnd = at;
        if (target.hasRemaining()) {
            throw new EOFException("ends at " + at);
        }
    }

    private int readSome(ByteBuffer target, long at) throws IOException {
        int wanted = (int) Math.min(target.remaining(), length - at);
        if (at < aheadAt || at >= aheadAt + ahead.limit()) {
            boolean follows = at >= lastEnd && at - lastEnd <= FIRST_AHEAD_BYTES;
            aheadBytes = follows ? Math.min(MOST_AHEAD_BYTES, 2 * aheadBytes) : FIRST_AHEAD_BYTES;
            if (!follows || wanted >= aheadBytes || source.isNear()) {
                source.read(target.slice(target.position(), wanted), at);
                target.position(target.position() + wanted);
                return wanted;
            }
            fillAhead(at);
        }
        int offset = (int) (at - aheadAt);
        int count = Math.min(wanted, ahead.limit() - offset);
        target.put(ahead.slice(offset, count));
        return count;
    }

    private void fillAhead(long at) throws IOException {
        int count = (int) Math.min(aheadBytes, length - at);
        ByteBuffer room = ahead.capacity() >= count ? ahead : ByteBuffer.allocate(count);
        ahead = ByteBuffer.allocate(0); // If it fails, nothing is there.
        source.read(room.clear().limit(count), at);
        ahead = room.flip();
        aheadAt = at;
    }

    @Override
    public void close() {
        closed = true;
    }
}
