// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Another storage, of which nothing is changed: what tidies up after a crash does nothing, so that what it would take
 * away must be left aside by whoever reads; what adds or replaces a file throws {@link ReadOnlyFileSystemException}.
 */
public final class ReadOnlyStorage implements Storage {

    private final Storage storage;

    /** Closes the storage with itself. */
    public ReadOnlyStorage(Storage storage) {
        this.storage = storage;
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        return storage.list(folder);
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        return storage.open(file);
    }

    @Override
    public AppendableFile create(String file, ByteBuffer head) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public Optional<AppendableFile> resume(String file, long bytes) {
        return Optional.empty();
    }

    @Override
    public boolean resumes() {
        return storage.resumes();
    }

    @Override
    public void endWriting(String file) {}

    @Override
    public void force(String file) {}

    @Override
    public void cut(String file, long bytes) {}

    @Override
    public void delete(String file) {}

    @Override
    public void publish(Path whole, String file) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void replace(String file, ByteBuffer bytes) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return storage.read(file);
    }

    @Override
    public long size(String file) throws IOException {
        return storage.size(file);
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return storage.lastModified(file);
    }

    @Override
    public Optional<Path> local(String file) {
        return storage.local(file);
    }

    @Override
    public long usableBytes() {
        return 0;
    }

    @Override
    public String toString() {
        return storage.toString();
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
