// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * A file that is read by position. Reads that follow each other, as a restore's and a verification's do, are served
 * from {@value #AHEAD_BYTES} bytes read ahead; others fetch what they ask for. A file that has grown since is opened
 * again.
 */
final class HadoopReadable implements ReadableFile {

    private static final int AHEAD_BYTES = 1 << 20;

    /** Opens the file again. */
    interface Opener {
        FSDataInputStream open() throws IOException;

        /** How much of it there is to read. */
        long visibleBytes() throws IOException;

        /** The block that this byte of it is in. */
        Span block(long offset) throws IOException;
    }

    private final Opener opener;
    private final LostBlocks lost;
    private FSDataInputStream in;
    private long length;
    private byte[] ahead = new byte[0];
    private long aheadAt;
    private int aheadBytes;
    private long lastEnd;
    private volatile boolean closed;

    /** Reads the file that errors name so. */
    HadoopReadable(String file, Opener opener) throws IOException {
        this.opener = opener;
        this.lost = new LostBlocks(file);
        this.length = opener.visibleBytes();
        this.in = opener.open();
    }

    @Override
    public long size() throws IOException {
        return opener.visibleBytes();
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        try {
            if (position + target.remaining() > length) {
                reopenIfGrown();
            }
            long at = position;
            while (target.hasRemaining() && at < length) {
                at += readSome(target, at);
            }
            lastEnd = at;
            if (target.hasRemaining()) {
                throw new EOFException("ends at " + at);
            }
        } catch (EOFException | DamagedDataException e) {
            throw e;
        } catch (IOException e) {
            if (closed) {
                throw new ClosedChannelException();
            }
            size(); // Says so if the file is gone.
            throw e;
        }
    }

    private int readSome(ByteBuffer target, long at) throws IOException {
        int wanted = (int) Math.min(target.remaining(), length - at);
        if (at < aheadAt || at >= aheadAt + aheadBytes) {
            boolean follows = at >= lastEnd && at - lastEnd <= AHEAD_BYTES;
            if (!follows || wanted >= AHEAD_BYTES || !fillAhead(at)) {
                return readDirectly(target, at, wanted);
            }
        }
        int offset = (int) (at - aheadAt);
        int count = Math.min(wanted, aheadBytes - offset);
        target.put(ahead, offset, count);
        return count;
    }

    private int readDirectly(ByteBuffer target, long at, int wanted) throws IOException {
        lost.check(at, wanted);
        try {
            if (target.hasArray()) {
                in.readFully(at, target.array(), target.arrayOffset() + target.position(), wanted);
                target.position(target.position() + wanted);
            } else {
                byte[] bytes = new byte[wanted];
                in.readFully(at, bytes, 0, wanted);
                target.put(bytes);
            }
            return wanted;
        } catch (IOException e) {
            throw LostBlocks.isLoss(e) && !closed ? lost.found(e, at, opener) : e;
        }
    }

    /** Returns false if something of it is lost, which may be behind what was asked for. */
    private boolean fillAhead(long at) throws IOException {
        if (ahead.length == 0) {
            ahead = new byte[AHEAD_BYTES];
        }
        aheadBytes = 0;
        int count = (int) Math.min(AHEAD_BYTES, length - at);
        try {
            lost.check(at, count);
            in.readFully(at, ahead, 0, count);
        } catch (DamagedDataException e) {
            return false;
        } catch (IOException e) {
            if (!LostBlocks.isLoss(e) || closed) {
                throw e;
            }
            lost.found(e, at, opener);
            return false;
        }
        aheadAt = at;
        aheadBytes = count;
        return true;
    }

    private void reopenIfGrown() throws IOException {
        long now = opener.visibleBytes();
        if (now > length) {
            in.close();
            in = opener.open();
            length = now;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        in.close();
    }
}
