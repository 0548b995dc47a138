// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.SnapshotSeal;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All committed snapshots: {@code snapshots/NAMESPACE/NAME/ID.snapshot}. A snapshot appears by one rename and never changes. Safe
 * for any number of threads.
 */
public final class Catalogue {

    private static final String FOLDER = "snapshots";
    private static final Pattern FILE = Pattern.compile(FOLDER + "/[^/]+/[^/]+/([0-9]{16})\\.snapshot");

    private final Storage storage;
    private final Path incoming;
    private final Clock clock;
    private final ConcurrentSkipListMap<Long, String> byId = new ConcurrentSkipListMap<>();
    private final Map<Long, Long> imageBytesById = new ConcurrentHashMap<>();
    private final AtomicLong drafts = new AtomicLong();
    private final HighestId highestId;

    /** Never given out twice, also if publishing failed: the file may be there all the same. */
    private long lastId;

    private Catalogue(Storage storage, Path incoming, Clock clock) throws IOException {
        this.storage = storage;
        this.highestId = HighestId.open(storage);
        this.incoming = incoming;
        this.clock = clock;
    }

    /**
     * Opens the catalogue and deletes what unfinished backups left.
     *
     * @param storage that keeps the snapshots
     * @param incoming folder of the agent's own disk for drafts
     * @param clock stamps snapshots; a client's clock is never believed
     */
    public static Catalogue open(Storage storage, Path incoming, Clock clock) throws IOException {
        Catalogue catalogue = new Catalogue(storage, incoming, clock);
        try (Stream<Path> files = Files.list(incoming)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        for (StoredFile file : storage.list(FOLDER)) {
            catalogue.add(file.name());
        }
        return catalogue;
    }

    private void add(String file) throws DamagedDataException {
        Matcher matcher = FILE.matcher(file);
        if (!matcher.matches()) {
            throw new DamagedDataException(file, 0, "not a snapshot's name: move it elsewhere");
        }
        long id = Long.parseLong(matcher.group(1));
        String other = byId.put(id, file);
        if (other != null) {
            throw new DamagedDataException(file, 0, "has the same id as " + other + ": move one elsewhere");
        }
    }

    /** Starts a snapshot. */
    public SnapshotDraft begin(SnapshotName namespace, SnapshotName name, SnapshotSeal seal) throws IOException {
        Path temporary = incoming.resolve("draft-" + drafts.incrementAndGet());
        return new SnapshotDraft(temporary, namespace, name, seal);
    }

    /**
     * Publishes a draft: it is whole and durable when this returns, or absent. All its chunks must be durable before.
     *
     * @param contents checked by whoever calls
     */
    public synchronized SnapshotInfo publish(SnapshotDraft draft, SnapshotDraft.Contents contents) throws IOException {
        lastId = highestKnown() + 1;
        long id = lastId;
        SnapshotInfo info = draft.seal(id, clock.instant(), contents);
        String target = folder(draft.namespace(), draft.name()) + String.format("%016d.snapshot", id);
        storage.publish(draft.temporary(), target);
        byId.put(id, target);
        return info;
    }

    private long highestKnown() {
        return Math.max(Math.max(lastId, highestId.value()), byId.isEmpty() ? 0 : byId.lastKey());
    }

    /**
     * Deletes a client's own snapshots, one after another, each durably; also those that are damaged. Their ids are never given out again.
     * Whoever calls has written down what is going to happen. If the disk is full, nothing has been deleted.
     *
     * @param ids all of them must be there
     */
    public synchronized void delete(SnapshotName namespace, List<Long> ids) throws IOException {
        if (!list(namespace, 0).keySet().containsAll(ids)) {
            throw new IllegalArgumentException("not all of these are snapshots of " + namespace);
        }
        highestId.raise(highestKnown());
        for (long id : ids) {
            String file = byId.get(id);
            if (file != null) {
                deleteIfThere(file);
                byId.remove(id);
                imageBytesById.remove(id);
            }
        }
    }

    private void deleteIfThere(String file) throws IOException {
        try {
            storage.delete(file);
        } catch (NoSuchFileException e) {
            // Whoever took it did what was asked for.
            return;
        }
    }

    /** The ids of all clients' snapshots, ascending. */
    public List<Long> ids() {
        return List.copyOf(byId.keySet());
    }

    /** Whose snapshots there are. */
    public SortedSet<SnapshotName> namespaces() {
        SortedSet<SnapshotName> namespaces = new TreeSet<>(Comparator.comparing(SnapshotName::value));
        for (String file : byId.values()) {
            namespaces.add(new SnapshotName(file.split("/", 3)[1]));
        }
        return namespaces;
    }

    /** Ids and file names of one client's snapshots, ids above {@code afterId}, ascending. */
    public SortedMap<Long, String> list(SnapshotName namespace, long afterId) {
        TreeMap<Long, String> own = new TreeMap<>(byId.tailMap(afterId, false));
        own.values().removeIf(file -> !file.startsWith(folder(namespace)));
        return own;
    }

    /** How long the images of a namespace's snapshots are together; those that can't be read count nothing. */
    public long imageBytes(SnapshotName namespace) {
        long sum = 0;
        for (Map.Entry<Long, String> entry : list(namespace, 0).entrySet()) {
            sum += imageBytesById.computeIfAbsent(entry.getKey(), id -> readImageBytes(id, entry.getValue()));
        }
        return sum;
    }

    private long readImageBytes(long id, String file) {
        try (SnapshotFile opened = open(id, file)) {
            return opened.info().imageBytes();
        } catch (IOException e) {
            return 0;
        }
    }

    /** The next snapshot of any client, after this id. */
    public Optional<Long> next(long afterId) {
        return Optional.ofNullable(byId.higherKey(afterId));
    }

    /** Opens any client's snapshot, if it is there. */
    public Optional<SnapshotFile> open(long id) throws IOException {
        return openIfThere(id, byId.get(id));
    }

    /** Opens a client's own snapshot, if it is there. */
    public Optional<SnapshotFile> open(SnapshotName namespace, long id) throws IOException {
        String file = byId.get(id);
        return file == null || !file.startsWith(folder(namespace)) ? Optional.empty() : openIfThere(id, file);
    }

    /** It may be pruned meanwhile; a file that is gone though nobody deleted it is damage. */
    private Optional<SnapshotFile> openIfThere(long id, @Nullable String file) throws IOException {
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(open(id, file));
        } catch (NoSuchFileException e) {
            synchronized (this) {
                if (byId.containsKey(id)) {
                    throw new DamagedDataException(file, 0, "the snapshot is missing");
                }
            }
            return Optional.empty();
        }
    }

    /** Opens a file of {@link #list} and checks that it is what its path says. */
    public SnapshotFile open(long id, String file) throws IOException {
        SnapshotFile opened = SnapshotFile.open(storage, file);
        SnapshotInfo info = opened.info();
        String expected = folder(opened.namespace(), info.name());
        if (info.id() != id || !file.startsWith(expected)) {
            opened.close();
            throw new DamagedDataException(
                    file,
                    0,
                    "holds snapshot " + info.id() + " of " + opened.namespace().value() + "/"
                            + info.name().value());
        }
        return opened;
    }

    /** When a file of {@link #list} was written. */
    public Instant lastModified(String file) throws IOException {
        return storage.lastModified(file);
    }

    private static String folder(SnapshotName namespace) {
        return FOLDER + "/" + namespace.value() + "/";
    }

    private static String folder(SnapshotName namespace, SnapshotName name) {
        return folder(namespace) + name.value() + "/";
    }
}
