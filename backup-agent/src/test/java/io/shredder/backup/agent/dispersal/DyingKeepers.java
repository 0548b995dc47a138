// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A store of which as many keepers as may be lost are away whenever something is read, others each time. */
final class DyingKeepers implements Storage {

    private final RemovableFolders folders;
    private final DispersedStorage storage;
    private final Random random;

    DyingKeepers(RemovableFolders folders) throws IOException {
        this.folders = folders;
        this.storage = folders.open();
        this.random = new Random(Samples.seed());
    }

    private interface Read<T> {
        T read() throws IOException;
    }

    private <T> T withFew(Read<T> read) throws IOException {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < folders.count(); i++) {
            all.add(i);
        }
        Collections.shuffle(all, random);
        List<Integer> dead = folders.takeAwayAllBut(all.subList(0, folders.data()));
        try {
            return read.read();
        } finally {
            folders.bringBack(dead);
        }
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        return withFew(() -> storage.list(folder));
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        return withFew(() -> storage.open(file));
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return withFew(() -> storage.read(file));
    }

    @Override
    public long size(String file) throws IOException {
        return withFew(() -> storage.size(file));
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return withFew(() -> storage.lastModified(file));
    }

    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        return storage.create(file, head);
    }

    @Override
    public Optional<AppendableFile> resume(String file, long bytes) {
        return storage.resume(file, bytes);
    }

    @Override
    public boolean resumes() {
        return storage.resumes();
    }

    @Override
    public void endWriting(String file) throws IOException {
        storage.endWriting(file);
    }

    @Override
    public void force(String file) throws IOException {
        storage.force(file);
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        storage.cut(file, bytes);
    }

    @Override
    public void delete(String file) throws IOException {
        storage.delete(file);
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        storage.publish(whole, file);
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        storage.replace(file, bytes);
    }

    @Override
    public long usableBytes() {
        return storage.usableBytes();
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
