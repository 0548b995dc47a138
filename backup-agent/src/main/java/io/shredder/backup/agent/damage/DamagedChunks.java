// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.damage;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chunks whose kept copies are known to be damaged, in memory and in a file, so that clients are told to send them
 * again. Nothing here fails for want of the file: it is a hint that the next read of the chunk gives again. Safe for
 * any number of threads; asking takes no lock.
 */
public final class DamagedChunks implements Closeable {

    /** The most that are remembered. */
    static final int MAX_CHUNKS = 1 << 18;

    private static final Logger LOG = LoggerFactory.getLogger(DamagedChunks.class);

    private final Path file;
    private final FileHeader header;
    private final Map<Fingerprint, ChunkLocation> places = new ConcurrentHashMap<>();

    private DamagedChunks(Path file, UUID repository) {
        this.file = file;
        this.header = new FileHeader(FileHeader.DAMAGED_MAGIC, FileHeader.VERSION, 0, repository);
    }

    /** Reads what was known, but for what the index has elsewhere by now, or not at all. */
    public static DamagedChunks open(Path file, UUID repository, FingerprintIndex index) throws IOException {
        DamagedChunks damaged = new DamagedChunks(file, repository);
        if (Files.exists(file)) {
            damaged.load(index);
        }
        return damaged;
    }

    private void load(FingerprintIndex index) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        for (DamageRecord record : readable(bytes)) {
            Optional<ChunkLocation> now = index.find(record.fingerprint());
            if (now.isPresent() && now.get().equals(record.location()) && places.size() < MAX_CHUNKS) {
                places.put(record.fingerprint(), record.location());
            }
        }
        if (bytes.limit() != FileHeader.BYTES + places.size() * DamageRecord.BYTES) {
            replace();
        }
    }

    private List<DamageRecord> readable(ByteBuffer bytes) {
        String name = String.valueOf(file.getFileName());
        List<DamageRecord> records = new ArrayList<>();
        try {
            header.check(bytes, name);
        } catch (DamagedDataException e) {
            LOG.error("{}: it is made again by the next verification", e.getMessage());
            return records;
        }
        for (int at = FileHeader.BYTES; at + DamageRecord.BYTES <= bytes.limit(); at += DamageRecord.BYTES) {
            try {
                records.add(DamageRecord.read(bytes, at, name));
            } catch (DamagedDataException e) {
                LOG.error("{}: the next verification makes the record again", e.getMessage());
            }
        }
        return records;
    }

    /** Whether the copy at this place is known to be damaged. */
    public boolean contains(Fingerprint fingerprint, ChunkLocation location) {
        return !places.isEmpty() && location.equals(places.get(fingerprint));
    }

    /** The copy at this place could not be read whole. */
    public synchronized void add(Fingerprint fingerprint, ChunkLocation location) {
        if (contains(fingerprint, location) || places.size() >= MAX_CHUNKS) {
            return;
        }
        places.put(fingerprint, location);
        try {
            if (Files.exists(file)) {
                append(new DamageRecord(fingerprint, location));
            } else {
                replace();
            }
        } catch (IOException e) {
            LOG.warn("can't note damage in {}, so it is forgotten with this process: {}", file, e.getMessage());
        }
        LOG.error("chunk {} is damaged: the next backup that has it sends it again", fingerprint);
    }

    /** There is a copy elsewhere now. */
    public void forget(Fingerprint fingerprint) {
        if (!places.isEmpty() && places.remove(fingerprint) != null) {
            LOG.info("chunk {} is whole again", fingerprint);
        }
    }

    /** Where some of them are, so many at most. */
    public List<ChunkLocation> places(int most) {
        return places.values().stream().limit(most).toList();
    }

    /** How many are known. */
    public int size() {
        return places.size();
    }

    private void append(DamageRecord record) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long torn = (channel.size() - FileHeader.BYTES) % DamageRecord.BYTES;
            DurableFiles.writeFully(channel, record.encode(), channel.size() - torn);
        }
    }

    private void replace() throws IOException {
        if (places.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.allocate(FileHeader.BYTES + places.size() * DamageRecord.BYTES);
            bytes.put(header.encode());
            places.forEach((fingerprint, location) -> bytes.put(new DamageRecord(fingerprint, location).encode()));
            DurableFiles.writeFully(channel, bytes.flip(), 0);
            channel.force(true);
        }
        DurableFiles.publish(temporary, file);
    }

    /** Makes what was appended durable. */
    @Override
    public synchronized void close() throws IOException {
        if (Files.exists(file)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
    }
}
