// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.powerloss;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.Supplier;

/** A channel to a real file, or to a folder that is to be forced, whose changes are written down. */
final class RecordedChannel extends FileChannel {

    private final RecordedFiles files;
    private final FileChannel real;
    private final Supplier<DiskChange> force;
    private final int file;

    RecordedChannel(RecordedFiles files, FileChannel real, Supplier<DiskChange> force, int file) {
        this.files = files;
        this.real = real;
        this.force = force;
        this.file = file;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        files.change(
                () -> {
                    ByteBuffer left = ByteBuffer.wrap(bytes);
                    for (long at = position; left.hasRemaining(); ) {
                        at += real.write(left, at);
                    }
                },
                new DiskChange.Write(file, position, bytes));
        return bytes.length;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int written = write(source, real.position());
        real.position(real.position() + written);
        return written;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += write(sources[i]);
        }
        return written;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        if (size < real.size()) {
            files.change(() -> real.truncate(size), new DiskChange.Truncate(file, size));
        }
        return this;
    }

    /** The disk below is asked for nothing: what it would hold is what this writes down. */
    @Override
    public void force(boolean metaData) throws IOException {
        files.change(() -> {}, force.get());
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = read(target, real.position());
        real.position(real.position() + Math.max(0, count));
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException("reads into several buffers know no bad sectors");
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int readable = files.readable(file, position, target.remaining());
        ByteBuffer part = target.slice(target.position(), readable);
        int count = real.read(part, position);
        target.position(target.position() + Math.max(0, count));
        return count;
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return real.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException("transfers are not recorded");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("mappings are not recorded");
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return real.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return real.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }
}
