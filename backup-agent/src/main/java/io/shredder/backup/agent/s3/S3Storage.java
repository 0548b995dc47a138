// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerWriters;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.lease.StoreLease;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.RequestCounts;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys below a prefix in a bucket. A file is an object, written whole under a condition: {@link OwnedWrites}; one that
 * grows does so on this machine's disk until it is forced. One agent has the store open at a time: {@link StoreLease}.
 * So the bucket is listed once, when the store is opened; from then on what is there is what was there and what was
 * written since. Whatever has a name is asked for by it.
 */
public final class S3Storage implements Storage {

    private static final Logger LOG = LoggerFactory.getLogger(S3Storage.class);
    private static final Set<String> OURS = Set.of("repository", ContainerFolder.FOLDER, OwnerObject.NAME);

    private final S3Objects objects;
    private final SpoolFolder spools;
    private final OwnerObject owner;
    private final StoreLease lease;
    private final OwnedWrites writes;
    private final Map<String, StoredObject> known = new ConcurrentSkipListMap<>();
    private final Map<String, S3Appendable> growing = new ConcurrentHashMap<>();
    private final ExecutorService puts = Executors.newCachedThreadPool(work -> {
        Thread started = new Thread(work, "store-put");
        started.setDaemon(true);
        return started;
    });

    private S3Storage(S3Objects objects, Path spool, UUID agent, StoreLease.Timing timing) throws IOException {
        this.objects = objects;
        this.spools = new SpoolFolder(spool);
        this.owner = new OwnerObject(objects);
        this.lease = StoreLease.acquire(owner, objects.place().toString(), agent, timing);
        this.writes = new OwnedWrites(objects, lease);
        objects.watch().setFence(() -> {
            if (owner.isOlderThan(timing.validity())) {
                lease.doubt(); // This machine's clocks may have stood still.
            }
            lease.ensureHeld();
        });
    }

    /**
     * Opens a store, or makes one where there are no keys yet.
     *
     * @param spool folder for files that grow; made, and emptied
     * @param agent who opens it, always the same for the same repository folder, which others are locked out of
     */
    public static S3Storage open(S3Place place, S3Settings settings, UUID agent, Path spool) throws IOException {
        return open(place, settings, agent, spool, StoreLease.Timing.DEFAULT);
    }

    static S3Storage open(S3Place place, S3Settings settings, UUID agent, Path spool, StoreLease.Timing timing)
            throws IOException {
        S3Objects objects = new S3Objects(place, settings, S3Objects.SINGLE_BYTES);
        try {
            new BucketChecks(objects).run();
            refuseOthers(place, objects.list().keySet());
            S3Storage storage = new S3Storage(objects, spool, agent, timing);
            storage.begin();
            return storage;
        } catch (IOException | RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    private static void refuseOthers(S3Place place, Set<String> names) throws IOException {
        boolean ours = names.isEmpty()
                || names.stream().map(name -> name.replaceFirst("/.*", "")).anyMatch(OURS::contains);
        if (!ours) {
            throw new IOException("store " + place + " is not a repository and not empty, there is "
                    + names.iterator().next() + ": name another prefix, as in s3://BUCKET/PREFIX");
        }
    }

    /** What was listed before the store was this agent's may have changed since. */
    private void begin() throws IOException {
        try {
            owner.requireConditions();
            lease.keep();
            known.putAll(objects.list());
            known.keySet().removeIf(name -> name.equals(OwnerObject.NAME));
            objects.clearParts();
            spools.empty();
        } catch (IOException | RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    @Override
    public List<StoredFile> list(String below) {
        List<StoredFile> found = new ArrayList<>();
        known.forEach((name, object) -> {
            if (isBelow(name, below) && !growing.containsKey(name)) {
                found.add(new StoredFile(name, object.bytes()));
            }
        });
        growing.forEach((name, file) -> {
            if (isBelow(name, below)) {
                found.add(new StoredFile(name, file.bytes()));
            }
        });
        return found;
    }

    private static boolean isBelow(String name, String folder) {
        return folder.isEmpty() || name.startsWith(folder + "/");
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        return new S3Readable(new S3Readable.Source() {
            @Override
            public long size() throws IOException {
                return S3Storage.this.size(file);
            }

            @Override
            public void read(ByteBuffer target, long position) throws IOException {
                S3Appendable here = growing.get(file);
                if (here == null || !here.read(target, position)) {
                    objects.read(file, target, position);
                }
            }

            @Override
            public boolean isNear() {
                return growing.containsKey(file);
            }
        });
    }

    /** A file by that name is never replaced: it would be another agent's. */
    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        lease.ensureHeld();
        if (known.containsKey(file) || growing.containsKey(file)) {
            throw new FileAlreadyExistsException(file, null, "store " + this + ": it is there already");
        }
        S3Appendable created = new S3Appendable(
                file, spools, (content, before) -> putGrown(file, content, before), puts, () -> growing.remove(file));
        growing.put(file, created);
        try {
            created.append(head);
            return created;
        } catch (IOException e) {
            created.discard();
            throw e;
        }
    }

    private StoredObject putGrown(String file, PutContent content, Optional<StoredObject> before) throws IOException {
        StoredObject put = before.isPresent() ? writes.again(file, content, before.get()) : writes.first(file, content);
        known.put(file, put);
        return put;
    }

    /** Never: a request of the writer that died may still arrive, and make it longer than it seems. */
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
        return true;
    }

    /** Of containers that a writer that died was putting. */
    @Override
    public int lateFiles() {
        return ContainerWriters.MOST_OPEN;
    }

    @Override
    public Optional<UUID> hold() {
        return Optional.of(lease.session());
    }

    @Override
    public Optional<UUID> writer(String file) throws IOException {
        return objects.head(file).flatMap(StoredObject::hold);
    }

    /** An object is whole. */
    @Override
    public void endWriting(String file) {}

    /** An object is durable. */
    @Override
    public void force(String file) {}

    @Override
    public void cut(String file, long bytes) throws IOException {
        lease.ensureHeld();
        Path copy = spools.take();
        try (ReadableFile old = open(file);
                FileChannel out = FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer part = ByteBuffer.allocate(1 << 20);
            for (long at = 0; at < bytes; at += part.limit()) {
                part.clear().limit((int) Math.min(part.capacity(), bytes - at));
                old.readFully(part, at);
                DurableFiles.writeFully(out, part.flip(), at);
            }
            put(file, PutContent.of(copy, bytes));
        } finally {
            spools.discard(copy);
        }
    }

    /** Also of a file that the list lacked. */
    private Optional<StoredObject> found(String file) throws IOException {
        StoredObject object = known.get(file);
        if (object != null) {
            return Optional.of(object);
        }
        Optional<StoredObject> asked = objects.head(file);
        asked.ifPresent(there -> known.put(file, there));
        return asked;
    }

    private StoredObject existing(String file) throws IOException {
        return found(file).orElseThrow(() -> new NoSuchFileException(file));
    }

    private void put(String file, PutContent content) throws IOException {
        StoredObject before = known.get(file);
        known.put(file, before == null ? writes.first(file, content) : writes.again(file, content, before));
    }

    @Override
    public void delete(String file) throws IOException {
        lease.ensureHeld();
        S3Appendable here = growing.get(file);
        if (here != null) {
            here.discard();
        }
        if (known.get(file) == null && here == null) {
            throw new NoSuchFileException(file);
        }
        if (known.get(file) != null) {
            objects.delete(file);
            known.remove(file);
        }
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        lease.ensureHeld();
        PutContent content = PutContent.of(whole, Files.size(whole));
        StoredObject before = known.get(file);
        known.put(file, before == null ? writes.over(file, content) : writes.again(file, content, before));
        Files.deleteIfExists(whole);
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        lease.ensureHeld();
        put(file, PutContent.of(bytes));
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return objects.whole(file).map(S3Objects.Whole::bytes);
    }

    @Override
    public long size(String file) throws IOException {
        S3Appendable here = growing.get(file);
        return here != null ? here.bytes() : existing(file).bytes();
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return existing(file).modified();
    }

    /** An object store has no end. */
    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean protects() {
        return objects.retention().isPresent();
    }

    @Override
    public void protect(String file) throws IOException {
        Optional<Retention> lock = objects.retention();
        if (lock.isPresent() && known.containsKey(file)) {
            objects.protect(file, lock.get());
        }
    }

    @Override
    public Optional<RequestCounts> requests() {
        return Optional.of(objects.watch().counts());
    }

    @Override
    public String toString() {
        return objects.place().toString();
    }

    @Override
    public void close() throws IOException {
        RequestCounts counts = objects.watch().counts();
        LOG.info(
                "store {}: {} requests, {} bytes sent, {} received",
                this,
                counts.requests(),
                counts.bytesSent(),
                counts.bytesReceived());
        try (objects) {
            puts.shutdown();
            lease.close();
        }
    }
}
