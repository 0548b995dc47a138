// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.storage.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** Reads a file at the old storage as long as it is there, and then goes on at the new one. */
final class MovingReader implements ReadableFile {

    /** Opens the file at the new storage. */
    @FunctionalInterface
    interface Opening {
        ReadableFile open() throws IOException;
    }

    private final BooleanSupplier moved;
    private final Opening there;
    private volatile ReadableFile opened;
    private boolean closed;

    /**
     * Owns what is open.
     *
     * @param moved whether the file is at the new storage as it was
     */
    MovingReader(ReadableFile opened, BooleanSupplier moved, Opening there) {
        this.opened = opened;
        this.moved = moved;
        this.there = there;
    }

    @Override
    public long size() throws IOException {
        ReadableFile asked = opened;
        try {
            return asked.size();
        } catch (IOException e) {
            return after(asked, e).size();
        }
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
        ReadableFile asked = opened;
        int start = target.position();
        try {
            asked.readFully(target, position);
        } catch (IOException e) {
            after(asked, e).readFully(target.position(start), position);
        }
    }

    /** The file at the new storage, if it is there. */
    private synchronized ReadableFile after(ReadableFile failed, IOException error) throws IOException {
        if (closed || !moved.getAsBoolean() || failed != opened) {
            throw error;
        }
        ReadableFile now = there.open();
        failed.close();
        opened = now;
        return now;
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        opened.close();
    }
}
