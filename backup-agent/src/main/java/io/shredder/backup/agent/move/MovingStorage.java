// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import com.google.common.util.concurrent.Striped;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.keepers.KeepersState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;

/**
 * Two storages as one: files are read where they are, and written to the new one. Of a name that both have the new one
 * counts, so the old one is deleted after the new one is durable, and before that where both are to go. A crash at any
 * moment leaves nothing else to remember than what each of them has.
 */
final class MovingStorage implements Storage {

    /** Two files hardly ever share one. */
    private static final int LOCKS = 1 << 20;

    private final Storage from;
    private final Storage to;

    /** What only the old one has, by name. */
    private final Map<String, LeftFile> left = new ConcurrentSkipListMap<>();

    /** What the old one still has though the new one has the file. */
    private final Set<String> stale = ConcurrentHashMap.newKeySet();

    /** What the new one may have, as writing it there failed, though the old one's counts. */
    private final Set<String> doubtful = ConcurrentHashMap.newKeySet();

    /** Who changes or moves a file holds its lock; who reads holds none. */
    private final Striped<Lock> locks = Striped.lazyWeakLock(LOCKS);

    private final List<Closeable> users = new CopyOnWriteArrayList<>();

    /**
     * Looks at what both have. Closes both with itself.
     *
     * @param own files that each has of its own
     */
    MovingStorage(Storage from, Storage to, Set<String> own) throws IOException {
        this.from = from;
        this.to = to;
        Set<String> there = new HashSet<>();
        to.list("").forEach(file -> there.add(file.name()));
        for (StoredFile file : from.list("")) {
            if (there.contains(file.name()) && !own.contains(file.name())) {
                stale.add(file.name());
            } else if (!own.contains(file.name())) {
                left.put(file.name(), new LeftFile(file.bytes()));
            }
        }
    }

    /** What is still to be moved, in the order of names. */
    List<StoredFile> left() {
        List<StoredFile> files = new ArrayList<>();
        left.forEach((name, file) -> files.add(new StoredFile(name, file.bytes)));
        return files;
    }

    /** What is still to be deleted at the old storage, but for what is still to be moved. */
    Set<String> stale() {
        return Set.copyOf(stale);
    }

    /** Asks the storage that has the file; another time if it went to the new one meanwhile. */
    private <T> T ask(String file, StorageStep.Question<T> question) throws IOException {
        LeftFile old = left.get(file);
        if (old != null) {
            try {
                T answer = question.ask(from);
                if (left.get(file) == old) {
                    return answer;
                }
            } catch (IOException e) {
                if (left.get(file) == old) {
                    throw e;
                }
            }
        }
        return question.ask(to);
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        Map<String, StoredFile> found = new TreeMap<>();
        for (StoredFile file : from.list(folder)) {
            if (left.containsKey(file.name())) {
                found.put(file.name(), file);
            }
        }
        // What went there since is found twice.
        to.list(folder).forEach(file -> found.put(file.name(), file));
        found.remove(MoveNote.FILE);
        return List.copyOf(found.values());
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        LeftFile old = left.get(file);
        if (old != null) {
            try {
                return new MovingReader(from.open(file), () -> old.moved, () -> to.open(file));
            } catch (IOException e) {
                if (left.get(file) == old) {
                    throw e;
                }
            }
        }
        return to.open(file);
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return ask(file, storage -> storage.read(file));
    }

    @Override
    public long size(String file) throws IOException {
        return ask(file, storage -> storage.size(file));
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return ask(file, storage -> storage.lastModified(file));
    }

    @FunctionalInterface
    private interface Change<T> {
        T make() throws IOException;
    }

    private <T> T locked(String file, Change<T> change) throws IOException {
        Lock lock = locks.get(file);
        lock.lock();
        try {
            return change.make();
        } finally {
            lock.unlock();
        }
    }

    /** Writes a file to the new storage, in place of what the old one may have. */
    private <T> T written(String file, Change<T> change) throws IOException {
        return locked(file, () -> {
            T made = attempted(file, change);
            forget(file);
            return made;
        });
    }

    /** After a failure nobody knows what the new storage will say when it is opened next. */
    private <T> T attempted(String file, Change<T> change) throws IOException {
        doubtful.add(file);
        T made = change.make();
        doubtful.remove(file);
        return made;
    }

    /** What the new storage may have would count again once both are opened anew. */
    private void refuseDoubtful(String file) throws IOException {
        if (doubtful.contains(file)) {
            throw new IOException(file + " can't be changed at " + from + ", since writing it to " + to
                    + " failed: start the agent again");
        }
    }

    /** What the new storage has counts from now on; if the other can't be deleted now, it is later. */
    private void forget(String file) {
        if (left.containsKey(file)) {
            stale.add(file);
            left.remove(file);
        }
        try {
            deleteStale(file);
        } catch (IOException e) {
            return; // It stays stale.
        }
    }

    private void deleteStale(String file) throws IOException {
        if (stale.contains(file)) {
            deleteOld(file);
            stale.remove(file);
        }
    }

    private void deleteOld(String file) throws IOException {
        try {
            from.delete(file);
        } catch (NoSuchFileException e) {
            return; // By an attempt that failed behind it.
        }
    }

    /** Deletes at the old storage what the new one has. */
    void tidy(String file) throws IOException {
        locked(file, () -> {
            deleteStale(file);
            return file;
        });
    }

    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        return written(file, () -> to.create(file, head));
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        written(file, () -> {
            to.publish(whole, file);
            return file;
        });
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        written(file, () -> {
            to.replace(file, bytes);
            return file;
        });
    }

    /** Never: nothing is appended to what the old storage has. */
    @Override
    public Optional<AppendableFile> resume(String file, long bytes) {
        return Optional.empty();
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public boolean growsSideBySide() {
        return to.growsSideBySide();
    }

    /** All is written to the new one. */
    @Override
    public Optional<UUID> hold() {
        return to.hold();
    }

    @Override
    public Optional<UUID> writer(String file) throws IOException {
        return ask(file, storage -> storage.writer(file));
    }

    @Override
    public int lateFiles() {
        return Math.max(from.lateFiles(), to.lateFiles());
    }

    /** Changes a file where it is; if that is the old storage, what was read of it to be moved is not it any more. */
    private void changed(String file, StorageStep.Act act) throws IOException {
        locked(file, () -> {
            LeftFile old = left.get(file);
            if (old == null) {
                act.on(to);
                return file;
            }
            refuseDoubtful(file);
            try {
                act.on(from);
            } finally {
                left.put(file, new LeftFile(old.bytes));
            }
            return file;
        });
    }

    @Override
    public void endWriting(String file) throws IOException {
        changed(file, storage -> storage.endWriting(file));
    }

    @Override
    public void force(String file) throws IOException {
        changed(file, storage -> storage.force(file));
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        changed(file, storage -> storage.cut(file, bytes));
    }

    /** First at the old storage: otherwise what it has would count again. */
    @Override
    public void delete(String file) throws IOException {
        locked(file, () -> {
            deleteStale(file);
            if (left.containsKey(file)) {
                refuseDoubtful(file);
                deleteOld(file);
                left.remove(file);
            } else {
                to.delete(file);
            }
            return file;
        });
    }

    /**
     * Moves a file, if it is still to be moved. Whoever wants to change it meanwhile waits only while it is written.
     *
     * @return whether it was moved now
     */
    boolean move(String file, FileCopier copier) throws IOException {
        LeftFile old = left.get(file);
        if (old == null) {
            return false;
        }
        FileCopier.Copy copy;
        try (ReadableFile source = from.open(file)) {
            copy = copier.read(file, source);
        } catch (IOException e) {
            if (left.get(file) != old) {
                return false;
            }
            throw e;
        }
        return locked(file, () -> {
            if (left.get(file) != old) {
                return false;
            }
            attempted(file, () -> {
                copy.write(to);
                return file;
            });
            old.moved = true;
            stale.add(file);
            left.remove(file);
            deleteStale(file);
            return true;
        });
    }

    @Override
    public boolean isReadOnly() {
        return from.isReadOnly() || to.isReadOnly();
    }

    /** The new keepers, and of both stores what more can be lost. */
    @Override
    public Optional<KeepersState> keepersState() throws IOException {
        Optional<KeepersState> here = to.keepersState();
        Optional<KeepersState> there = left.isEmpty() && stale.isEmpty() ? Optional.empty() : from.keepersState();
        return here.map(state -> there.map(state::withLimitsOf).orElse(state));
    }

    @Override
    public long usableBytes() throws IOException {
        return to.usableBytes();
    }

    /** Closes this before the storages, with them. */
    void closeBefore(Closeable user) {
        users.add(user);
    }

    @Override
    public String toString() {
        return to + ", moving from " + from;
    }

    @Override
    public void close() throws IOException {
        try (to;
                from) {
            for (Closeable user : users) {
                user.close();
            }
        }
    }
}
