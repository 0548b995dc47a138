// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.KeyPart;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** The comparator: RocksDB, not encrypted, with a Bloom filter of 10 bits a key. For tests and benchmarks alone. */
final class RocksIndex implements FingerprintIndex {

    private static final byte[] COVERED = "covered".getBytes(StandardCharsets.US_ASCII);

    static {
        RocksDB.loadLibrary();
    }

    private final Options options;
    private final RocksDB db;
    /** Empty for what was removed. */
    private final Map<Fingerprint, Optional<ChunkLocation>> pending = new ConcurrentHashMap<>();

    private volatile ContainerPosition covered;
    private final AtomicLong size;

    private RocksIndex(Options options, RocksDB db, ContainerPosition covered, long size) {
        this.options = options;
        this.db = db;
        this.covered = covered;
        this.size = new AtomicLong(size);
    }

    static RocksIndex open(Path folder) throws IOException {
        return open(folder, new Options());
    }

    /** One whose files change at commits alone, so that its folder can be copied at other times. */
    static RocksIndex openAtRest(Path folder) throws IOException {
        RocksIndex index = open(folder, new Options().setDisableAutoCompactions(true));
        try {
            index.db.disableFileDeletions();
            return index;
        } catch (RocksDBException e) {
            index.close();
            throw new IOException(e);
        }
    }

    private static RocksIndex open(Path folder, Options settings) throws IOException {
        Options options = settings.setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(10, false)));
        try {
            RocksDB db = RocksDB.open(options, folder.toString());
            byte[] state = db.get(COVERED);
            ByteBuffer fields = ByteBuffer.wrap(state == null ? new byte[16] : state);
            return new RocksIndex(
                    options, db, new ContainerPosition(fields.getInt(), fields.getInt()), fields.getLong());
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    private static Optional<ChunkLocation> location(byte @Nullable [] value) {
        if (value == null) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(value);
        return Optional.of(new ChunkLocation(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt()));
    }

    @Override
    public Optional<ChunkLocation> find(Fingerprint fingerprint) throws IOException {
        Optional<ChunkLocation> waiting = pending.get(fingerprint);
        try {
            return waiting != null ? waiting : location(db.get(fingerprint.toBytes()));
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public List<Optional<ChunkLocation>> findAll(List<Fingerprint> fingerprints) throws IOException {
        try {
            // First what waits: a commit beside this moves it into the database before it forgets it here.
            List<@Nullable Optional<ChunkLocation>> waiting = new ArrayList<>();
            fingerprints.forEach(fingerprint -> waiting.add(pending.get(fingerprint)));
            List<byte[]> keys = fingerprints.stream().map(Fingerprint::toBytes).toList();
            List<byte[]> values = keys.isEmpty() ? List.of() : db.multiGetAsList(keys);
            List<Optional<ChunkLocation>> found = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                Optional<ChunkLocation> newest = waiting.get(i);
                found.add(newest != null ? newest : location(values.get(i)));
            }
            return found;
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void put(Fingerprint fingerprint, ChunkLocation location) throws IOException {
        if (find(fingerprint).isEmpty()) {
            size.incrementAndGet();
        }
        pending.put(fingerprint, Optional.of(location));
    }

    @Override
    public void remove(Fingerprint fingerprint) throws IOException {
        if (find(fingerprint).isPresent()) {
            size.decrementAndGet();
            pending.put(fingerprint, Optional.empty());
        }
    }

    @Override
    public int uncommitted() {
        return pending.size();
    }

    @Override
    public Commit beginCommit() {
        Map<Fingerprint, Optional<ChunkLocation>> begun = Map.copyOf(pending);
        long sizeThen = size.get();
        return position -> commit(begun, sizeThen, position);
    }

    private void commit(Map<Fingerprint, Optional<ChunkLocation>> begun, long sizeThen, ContainerPosition position)
            throws IOException {
        try (WriteBatch batch = new WriteBatch();
                WriteOptions sync = new WriteOptions().setSync(true)) {
            for (Map.Entry<Fingerprint, Optional<ChunkLocation>> entry : begun.entrySet()) {
                byte[] key = entry.getKey().toBytes();
                if (entry.getValue().isEmpty()) {
                    batch.delete(key);
                } else {
                    ByteBuffer value = ByteBuffer.allocate(ChunkLocation.BYTES);
                    entry.getValue().get().write(value);
                    batch.put(key, value.array());
                }
            }
            ByteBuffer state = ByteBuffer.allocate(16)
                    .putInt(position.container())
                    .putInt(position.offset())
                    .putLong(sizeThen);
            batch.put(COVERED, state.array());
            db.write(sync, batch);
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
        covered = position;
        begun.forEach(pending::remove);
    }

    /** All levels into one, as after long rest. */
    void compact() throws IOException {
        try (org.rocksdb.FlushOptions wait = new org.rocksdb.FlushOptions().setWaitForFlush(true)) {
            db.flush(wait);
            db.compactRange();
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public ContainerPosition covered() {
        return covered;
    }

    @Override
    public long size() {
        return size.get();
    }

    @Override
    public void forEach(KeyPart part, BiConsumer<Fingerprint, ChunkLocation> visitor) throws IOException {
        Map<Fingerprint, Optional<ChunkLocation>> newest = Map.copyOf(pending);
        try (ReadOptions reading = new ReadOptions();
                RocksIterator entries = db.newIterator(reading)) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                if (entries.key().length == Fingerprint.BYTES) {
                    Fingerprint key = Fingerprint.of(entries.key());
                    if (part.contains(key) && !newest.containsKey(key)) {
                        visitor.accept(key, location(entries.value()).orElseThrow());
                    }
                }
            }
        }
        newest.forEach((key, location) ->
                location.filter(found -> part.contains(key)).ifPresent(found -> visitor.accept(key, found)));
    }

    @Override
    public void close() {
        db.close();
        options.close();
    }
}
