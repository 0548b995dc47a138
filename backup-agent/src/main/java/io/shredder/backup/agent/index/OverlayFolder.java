// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A folder of which nothing is changed, under another that has what is made, renamed and deleted from now on. */
final class OverlayFolder implements IndexFolder {

    private final DiskFolder below;
    private final IndexFolder above;
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    OverlayFolder(DiskFolder below, IndexFolder above) {
        this.below = below;
        this.above = above;
    }

    @Override
    public List<String> names() throws IOException {
        Set<String> names = new LinkedHashSet<>(below.names());
        names.removeAll(deleted);
        names.addAll(above.names());
        return List.copyOf(names);
    }

    @Override
    public File create(String name) throws IOException {
        return above.create(name);
    }

    @Override
    public File open(String name) throws IOException {
        return above.names().contains(name) ? above.open(name) : new Unchanged(below.openToRead(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        above.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        above.delete(name);
        deleted.add(name);
    }

    @Override
    public void force() {}

    /** A file of the folder below. What a crash left at its end is cut off for whoever has it open alone. */
    private static final class Unchanged implements File {

        private final File file;
        private volatile long size;

        Unchanged(File file) throws IOException {
            this.file = file;
            this.size = file.size();
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void read(ByteBuffer target, long offset) throws IOException {
            file.read(target, offset);
        }

        @Override
        public void write(ByteBuffer bytes, long offset) {
            throw new ReadOnlyFileSystemException();
        }

        @Override
        public void truncate(long bytes) {
            size = Math.min(size, bytes);
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
