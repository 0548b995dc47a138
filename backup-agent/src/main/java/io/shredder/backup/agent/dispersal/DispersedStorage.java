// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.BytesReadable;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.engine.coding.ErasureCoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A storage over several keepers, of which any few give everything back. Files that are appended to or
 * published are coded; small ones that are replaced lie at each keeper. A file is written once, by one process: what is
 * behind the part that counts is taken away by writing the file anew. Every change counts once
 * {@link Dispersal#leastToChange} keepers have it durably; with fewer nothing can be changed, and what is there is
 * still read while as many are there as give everything back.
 */
public final class DispersedStorage implements Storage {

    private final Keepers keepers;
    private final Dispersal dispersal;
    private final Versions versions;
    private final ErasureCoder coder;
    private final AtomicLong counter = new AtomicLong();
    private final Map<StoredVersion, DispersedAppendable> writers = new ConcurrentHashMap<>();
    private final GroupsCache known = new GroupsCache();
    private final CellsCache cells;
    private final OpenShards open;
    private final List<Closeable> users = new CopyOnWriteArrayList<>();
    private final List<String> homes;

    private DispersedStorage(Keepers keepers, List<String> homes) throws IOException {
        this.keepers = keepers;
        this.homes = homes;
        this.dispersal = keepers.dispersal();
        this.versions = Versions.load(keepers);
        this.coder = ErasureCoder.create(dispersal.code());
        this.open = new OpenShards(keepers, System::nanoTime);
        this.cells = new CellsCache(
                dispersal.keepers(), keepers::beside, Runtime.getRuntime().availableProcessors());
    }

    /** Opens a store, or makes one where all keepers are empty folders. Those that are there are locked. */
    public static DispersedStorage open(DispersalConfig config) throws IOException {
        return open(config, KeeperFolders.open(config));
    }

    /** Owns the keepers, which are those of the configuration. */
    public static DispersedStorage open(DispersalConfig config, Keepers keepers) throws IOException {
        try {
            return new DispersedStorage(
                    keepers, config.keepers().stream().map(KeeperHome::toString).toList());
        } catch (IOException | RuntimeException e) {
            keepers.close();
            throw e;
        }
    }

    private StoredVersion next(String file, Kind kind) {
        return new StoredVersion(file, keepers.epoch(), counter.incrementAndGet(), kind);
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        List<StoredFile> found = new ArrayList<>();
        for (StoredVersion version : versions.below(folder)) {
            found.add(new StoredFile(version.name(), size(version)));
        }
        return found;
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        while (true) {
            StoredVersion version = versions.get(file);
            try {
                return open(version);
            } catch (IOException e) {
                if (versions.get(file).equals(version)) {
                    throw e;
                }
            } // Another version came meanwhile, and took this one away.
        }
    }

    private ReadableFile open(StoredVersion version) throws IOException {
        return version.kind() == Kind.COPY ? new BytesReadable(Copies.read(keepers, version)) : openCoded(version);
    }

    private ReadableFile openCoded(StoredVersion version) throws IOException {
        DispersedAppendable writer = writers.get(version);
        OpenShards.Shared shards =
                open.open(version, found -> writer == null ? groups(version, found) : writer.groups());
        return new DispersedReadable(version, shards, coder, cells, () -> Optional.ofNullable(writers.get(version)));
    }

    public Groups groups(StoredVersion version, ShardScan shards) throws IOException {
        return known.of(version, shards);
    }

    /**
     * At least a byte: a shard without a group is one that a crash left.
     *
     * @throws IllegalArgumentException if there is none
     */
    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        if (!head.hasRemaining()) {
            throw new IllegalArgumentException("file " + file + " should begin with something");
        }
        return versions.unsettled().write(next(file, Kind.GROWING), version -> create(version, head));
    }

    private AppendableFile create(StoredVersion version, ByteBuffer head) throws IOException {
        GroupWriter shards = GroupWriter.create(keepers, version, 0, coder);
        known.put(version, shards.groups());
        DispersedAppendable created = new DispersedAppendable(shards, dispersal.data(), () -> ended(version, shards));
        writers.put(version, created);
        try {
            created.append(head);
            created.force();
            versions.put(version, shards.holders());
            return created;
        } catch (IOException e) {
            created.close();
            throw e;
        }
    }

    private void ended(StoredVersion version, GroupWriter shards) {
        writers.remove(version);
        versions.noteMissed(version, shards.holders());
    }

    /** Never: keepers that were away lack some of it. */
    @Override
    public Optional<AppendableFile> resume(String file, long bytes) {
        return Optional.empty();
    }

    @Override
    public boolean resumes() {
        return false;
    }

    /** What was never acknowledged at the end, and can't be read, does not count any more. */
    @Override
    public void endWriting(String file) throws IOException {
        StoredVersion version = versions.get(file);
        if (version.kind() != Kind.GROWING || writers.containsKey(version)) {
            return;
        }
        try (ShardScan shards = ShardScan.open(keepers, version)) {
            shards.requireEnough();
            Groups groups = groups(version, shards);
            GroupReader reader = new GroupReader(version, shards, coder);
            List<Groups.Group> all = groups.all();
            for (int i = all.size() - 1; i >= 0; i--) {
                if (reader.isSound(all.get(i), dispersal.leastToChange())) {
                    return;
                }
                groups.removeLast();
            }
        }
    }

    /** What was appended by a process that may be dead is written anew; all else is durable. */
    @Override
    public void force(String file) throws IOException {
        StoredVersion version = versions.get(file);
        if (version.kind() == Kind.GROWING && !writers.containsKey(version)) {
            cut(file, size(version));
        }
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        try (ReadableFile old = open(file)) {
            write(file, bytes, old::readFully);
        }
    }

    /** Codes a whole file, which counts once all of it is durable. */
    private void write(String file, long bytes, GroupWriter.Source source) throws IOException {
        versions.unsettled().write(next(file, Kind.CODED), version -> {
            try (GroupWriter shards = GroupWriter.create(keepers, version, bytes, coder)) {
                shards.sendAll(bytes, source);
                known.put(version, shards.groups());
                versions.put(version, shards.holders());
            }
            return version;
        });
    }

    @Override
    public void delete(String file) throws IOException {
        StoredVersion version = versions.get(file);
        writeCopy(next(version.name(), Kind.GONE), ByteBuffer.allocate(0));
    }

    /**
     * Ends the doubt about a file: the version before it counts again, as a newer one, or else the file is gone. What
     * keepers have of the version in doubt counts no more, whoever comes back with it, and goes when the store is
     * opened next.
     */
    public void giveUp(Versions.Doubt doubt) throws IOException {
        String file = doubt.version().name();
        keepers.requireEnough();
        if (doubt.before().isEmpty()) {
            Copies.write(keepers, next(file, Kind.GONE), ByteBuffer.allocate(0)); // Stays until the other one went.
            versions.dropDoubt(file);
            return;
        }
        try (ReadableFile before = open(doubt.before().get())) {
            versions.dropDoubt(file);
            if (doubt.before().get().kind() == Kind.COPY) {
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(before.size()));
                before.readFully(bytes, 0);
                replace(file, bytes.flip());
            } else {
                write(file, before.size(), before::readFully);
            }
        }
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        try (FileChannel channel = FileChannel.open(whole, StandardOpenOption.READ)) {
            write(file, channel.size(), (target, at) -> DurableFiles.readFully(channel, target, at));
        }
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        writeCopy(next(file, Kind.COPY), bytes);
        bytes.position(bytes.limit());
    }

    private void writeCopy(StoredVersion copy, ByteBuffer bytes) throws IOException {
        versions.unsettled().write(copy, version -> {
            versions.put(version, Copies.write(keepers, version, bytes));
            return version;
        });
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        Optional<StoredVersion> version = versions.find(file);
        if (version.isEmpty()) {
            return Optional.empty();
        }
        try (ReadableFile opened = open(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(opened.size()));
            opened.readFully(bytes, 0);
            return Optional.of(bytes.flip());
        }
    }

    @Override
    public long size(String file) throws IOException {
        return size(versions.get(file));
    }

    private long size(StoredVersion version) throws IOException {
        DispersedAppendable writer = writers.get(version);
        Optional<Groups> groups = known.find(version);
        if (writer != null) {
            return writer.bytes();
        }
        if (version.kind().isCoded() && groups.isPresent()) {
            return groups.get().bytes();
        }
        Optional<ShardHeader> header = version.kind() == Kind.CODED ? header(version) : Optional.empty();
        if (header.isPresent()) {
            return header.get().bytes();
        }
        try (ReadableFile file = open(version.name())) {
            return file.size();
        }
    }

    /** As keepers that are there say it, who may be too few to read the file: of a damaged file its length is known. */
    private Optional<ShardHeader> header(StoredVersion version) throws IOException {
        try (ShardScan shards = ShardScan.openQuickest(keepers, version)) {
            return shards.decidedHeader();
        }
    }

    /** By the first keeper that says it. */
    @Override
    public Instant lastModified(String file) throws IOException {
        StoredVersion version = versions.get(file);
        IOException problem = new NoSuchFileException(file);
        for (Keeper keeper : keepers.all()) {
            try {
                return keeper.storage().lastModified(version.file());
            } catch (IOException e) {
                problem = e;
            }
        }
        throw problem;
    }

    @Override
    public boolean isReadOnly() {
        return keepers.epoch() == 0;
    }

    /** As much as the fullest keeper can take of every file's share; one that doesn't say counts for nothing. */
    @Override
    public long usableBytes() {
        long least = Long.MAX_VALUE;
        for (Keeper keeper : keepers.changeable()) {
            try {
                least = Math.min(least, keeper.storage().usableBytes());
            } catch (IOException e) {
                keeper.tellSilent(e);
            }
        }
        return least == Long.MAX_VALUE ? 0 : dispersal.data() * least;
    }

    @Override
    public Optional<KeepersState> keepersState() throws IOException {
        writers.forEach((version, writer) -> versions.noteMissed(version, writer.holders()));
        return Optional.of(KeeperStates.of(keepers, versions, homes));
    }

    /** The keepers that get it, while the version is being appended to. */
    public Optional<Collection<Keeper>> growsAt(StoredVersion version) {
        return Optional.ofNullable(writers.get(version)).map(DispersedAppendable::holders);
    }

    public Versions versions() {
        return versions;
    }

    public ErasureCoder coder() {
        return coder;
    }

    /** The keepers that are there. */
    public Keepers keepers() {
        return keepers;
    }

    @Override
    public String toString() {
        return dispersal.data() + " + " + dispersal.parity() + " keepers " + keepers.all();
    }

    /** Closes this before the storage, with it. */
    public void closeBefore(Closeable user) {
        users.add(user);
    }

    @Override
    public void close() throws IOException {
        try (keepers) {
            for (Closeable user : users) {
                user.close();
            }
            coder.close();
        }
    }
}
