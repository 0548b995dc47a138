// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.collect.CollectionGate;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.deletion.PendingDeletions;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.backup.agent.quota.PutLedger;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.ReadOnlyStorage;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.workers.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A folder with everything an agent keeps: {@code docs/formats/container.md}, section 1. One process has it open at a
 * time; its lock dies with the process.
 */
public final class Repository implements Closeable {

    private static final int CONTAINER_BYTES = 64 << 20;
    private static final long MIN_RESERVE_BYTES = 1 << 20;
    /**
     * A run of two full tables (131,072 entries of 50 bytes), and 1.8 MiB for the index's log, notes, audit and what
     * the file system adds.
     */
    private static final long RESERVE_BYTES = 8 << 20;

    private static final long LEAST_RESERVE_BYTES = 2 << 20;
    /** A chunk's entry in a run, and as much again for chunks that came since the reserve was filled. */
    private static final long RESERVE_CHUNK_BYTES = 64;

    private static final int RESERVE_SHARE = 64;

    private final Closeable lock;
    private final UUID id;
    private final ChunkStore chunks;
    private final Catalogue catalogue;

    private final PutLedger ledger;
    private final AuditLog audit;
    private final PendingDeletions pendingDeletions;
    private final SpaceReserve reserve;
    private final Clock clock;
    private final CollectionGate gate = new CollectionGate();
    private final Workers workers = Workers.usual();
    private final SharedWindows windows = new SharedWindows(workers);
    private final Invitations invitations = new Invitations();
    private final UpkeepSeen upkeep;

    private Repository(Path root, Closeable lock, UUID id, ChunkStore chunks, Clock clock, int containerBytes)
            throws IOException {
        this.lock = lock;
        this.id = id;
        this.chunks = chunks;
        this.clock = clock;
        this.upkeep = new UpkeepSeen(clock);
        this.reserve = new SpaceReserve(root.resolve("reserve"), () -> reserveBytes(root, chunks, containerBytes));
        reserve.fill();
        boolean isNew = chunks.index().size() == 0;
        this.catalogue = Catalogue.open(chunks.containers().storage(), root, id, isNew, clock);
        this.ledger = new PutLedger(root.resolve("putbytes"), id, catalogue);
        this.audit = openAudit(root.resolve("audit.log"));
        this.pendingDeletions = new PendingDeletions(root.resolve("pending"), id, clock, audit, reserve);
    }

    private AuditLog openAudit(Path file) throws IOException {
        try {
            return AuditLog.open(file, clock, reserve);
        } catch (IOException | RuntimeException e) {
            catalogue.close();
            throw e;
        }
    }

    /**
     * Opens a repository, or makes one in a folder that is absent or empty.
     *
     * @param clock stamps snapshots
     */
    public static Repository open(Path root, Clock clock) throws IOException {
        return open(root, clock, CONTAINER_BYTES);
    }

    public static Repository open(Path root, Clock clock, int containerBytes) throws IOException {
        return open(root, clock, containerBytes, LogStructuredIndex.TABLE_ENTRIES);
    }

    /** The same with containers and tables of the index of other sizes, so that a little data fills many. */
    public static Repository open(Path root, Clock clock, int containerBytes, int tableEntries) throws IOException {
        return open(StorePlace.local(root), clock, containerBytes, tableEntries);
    }

    /** The same somewhere else. */
    public static Repository open(StorePlace store, Clock clock, int containerBytes, int tableEntries)
            throws IOException {
        Path indexKey = RepositoryIndex.defaultKeyFile(store.root());
        return open(store, new RepositoryIndex(store.root(), indexKey, tableEntries), clock, containerBytes);
    }

    /** Opens a repository that is there and keeps all it has in its own folder; makes none. */
    public static Repository openExisting(Path root, Path indexKey, Clock clock) throws IOException {
        Optional<String> store = StorePlace.of(root);
        if (store.isPresent()) {
            throw new IOException("repository " + root + " keeps its containers in " + store.get()
                    + ": serve it by 'backup-agent serve --store " + store.get() + "', and name that with --agent");
        }
        if (!Files.exists(root.resolve(RepositoryHeader.FILE))) {
            throw new IOException(root + " is not a repository: name the folder that 'backup-agent serve --repo' has");
        }
        return ReadOnlyRepository.isNeeded(root)
                ? ReadOnlyRepository.open(root, indexKey, clock)
                : open(StorePlace.local(root), indexKey, clock);
    }

    /**
     * Opens a repository of which nothing is to be changed.
     *
     * @param scratch folder for what would be written
     * @param held closed with the repository, or if it can't be opened
     */
    static Repository openReadOnly(Path root, Path scratch, Path indexKey, Clock clock, Closeable held)
            throws IOException {
        Storage storage = new ReadOnlyStorage(new LocalStorage(root));
        try {
            UUID id = RepositoryHeader.read(storage).orElseThrow(() -> new IOException(root + " is not a repository"));
            ContainerFolder containers = new ContainerFolder(storage, id);
            FingerprintIndex index =
                    new RepositoryIndex(root, indexKey).openReadOnly(containers, scratch.resolve("index"));
            ChunkStore chunks = openChunks(containers, index, scratch, CONTAINER_BYTES);
            return openRest(scratch, held, chunks, clock, CONTAINER_BYTES);
        } catch (IOException | RuntimeException e) {
            try (held) {
                storage.close();
            }
            throw e;
        }
    }

    /**
     * Opens or makes a repository.
     *
     * @param store where it keeps containers and snapshots
     * @param indexKey file with the key of the index; made with the repository
     * @param clock stamps snapshots
     */
    public static Repository open(StorePlace store, Path indexKey, Clock clock) throws IOException {
        return open(store, new RepositoryIndex(store.root(), indexKey), clock, CONTAINER_BYTES);
    }

    private static Repository open(StorePlace store, RepositoryIndex place, Clock clock, int containerBytes)
            throws IOException {
        Path root = place.root();
        RepositoryHeader.refuseOtherFolders(root);
        RepositoryHeader.refuseLostFolder(root, place.keyFile());
        Files.createDirectories(root);
        RepositoryLock lock = RepositoryLock.acquire(root);
        Storage storage = lockedStorage(store, lock);
        try {
            UUID id = RepositoryHeader.readOrCreate(root, storage);
            for (String folder : List.of("index", "incoming")) {
                DurableFiles.createFolders(root, root.resolve(folder));
            }
            ContainerFolder containers = new ContainerFolder(storage, id);
            FingerprintIndex index = place.open(containers);
            ChunkStore chunks = openChunks(containers, index, root, containerBytes);
            return openRest(root, lock, chunks, clock, containerBytes);
        } catch (IOException | RuntimeException e) {
            try (lock) {
                storage.close();
            }
            throw e;
        }
    }

    private static Storage lockedStorage(StorePlace store, RepositoryLock lock) throws IOException {
        try {
            return store.open();
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static ChunkStore openChunks(
            ContainerFolder containers, FingerprintIndex index, Path root, int containerBytes) throws IOException {
        try {
            return ChunkStore.open(containers, index, root.resolve("damaged"), containerBytes);
        } catch (IOException | RuntimeException e) {
            index.close();
            throw e;
        }
    }

    private static Repository openRest(Path root, Closeable lock, ChunkStore chunks, Clock clock, int containerBytes)
            throws IOException {
        try {
            return new Repository(root, lock, chunks.containers().repository(), chunks, clock, containerBytes);
        } catch (IOException | RuntimeException e) {
            chunks.close();
            throw e;
        }
    }

    /**
     * What deleting needs on a full disk before it has freed anything, where the disk is large enough to spare it: with
     * holes what the index and a few small files write, else also room for what lives in one container, if those are on
     * this disk.
     */
    private static long reserveBytes(Path root, ChunkStore chunks, int containerBytes) {
        // Not by Files.getFileStore, which needs a mount table that tells of this folder: a chroot's may not.
        long share = root.toFile().getTotalSpace() / RESERVE_SHARE;
        boolean copies = !chunks.space().isSupported()
                && chunks.containers().storage().local("").isPresent();
        long needed =
                copies ? containerBytes : Math.min(reserveBytes(chunks.index().size()), containerBytes);
        return Math.min(needed, Math.max(MIN_RESERVE_BYTES, share));
    }

    /**
     * What the index and small files write before a collection has released anything: at most a run of all chunks, or
     * of two full tables.
     */
    static long reserveBytes(long chunks) {
        return Math.min(RESERVE_BYTES, LEAST_RESERVE_BYTES + chunks * RESERVE_CHUNK_BYTES);
    }

    /**
     * Takes the snapshots that are there for all that there should be; each that is given up has a line in the audit
     * log before. The repository must not be open.
     */
    public static Catalogue.Accepted acceptCatalogue(StorePlace store, Path indexKey, Clock clock) throws IOException {
        if (!Files.exists(store.root())) {
            throw new IOException(
                    "folder " + store.root() + " is not a repository: name the one that the agent serves");
        }
        try (Repository repository = open(store, indexKey, clock)) {
            for (String problem : repository.catalogue.problems()) {
                repository.audit.record("catalogue-accept", Map.of("problem", problem));
            }
            return repository.catalogue.accept();
        }
    }

    /** Makes the index again from the containers; see {@link IndexRebuild}. The repository must not be open. */
    public static IndexRebuild.Result rebuildIndex(StorePlace store, Path indexKey) throws IOException {
        Path root = store.root();
        if (store.uri().isPresent()) {
            RepositoryHeader.refuseOtherFolders(root);
            Files.createDirectories(root);
        } else if (!RepositoryHeader.isIn(root) && !Files.exists(root.resolve(ContainerFolder.FOLDER))) {
            throw new IOException("folder " + root + " is not a repository: name the one that the agent serves");
        }
        try (RepositoryLock lock = RepositoryLock.acquire(root);
                Storage storage = store.open()) {
            UUID id = RepositoryHeader.readOrMakeAgain(storage)
                    .orElseThrow(() ->
                            new IOException(storage + " is not a repository: name the one that the agent served"));
            DurableFiles.createFolders(root, root.resolve("index"));
            IndexGaps.of(root).note();
            ContainerFolder containers = new ContainerFolder(storage, id);
            return new IndexRebuild(containers, new RepositoryIndex(root, indexKey), lock).run();
        }
    }

    /** Which repository this is. */
    public UUID id() {
        return id;
    }

    public ChunkStore chunks() {
        return chunks;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    /** What namespaces with quotas have put. */
    public PutLedger ledger() {
        return ledger;
    }

    public AuditLog audit() {
        return audit;
    }

    /** Deletions that wait for a second client. */
    public PendingDeletions pendingDeletions() {
        return pendingDeletions;
    }

    /** Space for what deleting needs on a full disk. */
    public SpaceReserve reserve() {
        return reserve;
    }

    /** Threads that work for all sessions. */
    public Workers workers() {
        return workers;
    }

    /** What verifications may hold of the index. */
    public SharedWindows windows() {
        return windows;
    }

    /** How several connections bring the chunks of one snapshot. */
    public Invitations invitations() {
        return invitations;
    }

    /** The last collection and verification. */
    public UpkeepSeen upkeep() {
        return upkeep;
    }

    /** Where sessions and collections meet. */
    public CollectionGate gate() {
        return gate;
    }

    /** The agent's own time: the one that counts. */
    public Instant now() {
        return clock.instant();
    }

    /** Begins a collection; empty if one is under way. Whoever asks closes it. */
    public Optional<GarbageCollection> collect(GarbageCollection.Settings settings) throws IOException {
        return GarbageCollection.begin(gate, chunks, catalogue, audit, reserve, settings);
    }

    /** Syncs and closes; nobody may be using it any more. */
    @Override
    public void close() throws IOException {
        Storage storage = chunks.containers().storage();
        try (lock;
                storage;
                audit;
                ledger;
                catalogue) {
            workers.close();
            chunks.close();
        }
    }
}
