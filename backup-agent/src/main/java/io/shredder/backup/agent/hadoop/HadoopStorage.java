// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.lease.StoreInUseException;
import io.shredder.backup.agent.lease.StoreLease;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of a Hadoop file system. A file is written once, by one process: nothing is appended to it after it was
 * closed, and what lies behind the part that counts is taken away by writing the file anew. Files get their names by
 * renaming, which must be one step, as on HDFS. One agent has it open at a time: {@link StoreLease}.
 */
public final class HadoopStorage implements Storage {

    private static final Logger LOG = LoggerFactory.getLogger(HadoopStorage.class);
    private static final String OWNER = "owner";

    /** What lies in the folder besides the files that it was given. */
    static final Set<String> OWN = Set.of(OWNER, HadoopFolder.INCOMING);

    private final HadoopFolder folder;
    private final Map<String, HadoopAppendable> open = new ConcurrentHashMap<>();
    private final Set<String> recovered = ConcurrentHashMap.newKeySet();
    private final StoreLease lease;

    private HadoopStorage(HadoopFolder folder, UUID agent, StoreLease.Timing timing) throws IOException {
        this.folder = folder;
        this.lease = StoreLease.acquire(ownerFile(folder), folder.toString(), agent, timing);
    }

    /**
     * Opens a store, or makes one in a folder that is absent or empty.
     *
     * @param store such as {@code hdfs://namenode:8020/backup}; the cluster's configuration comes from the class path
     * @param agent who opens it, always the same for the same repository folder, which others are locked out of
     */
    public static HadoopStorage open(URI store, UUID agent) throws IOException {
        return open(store, agent, StoreLease.Timing.DEFAULT);
    }

    static HadoopStorage open(URI store, UUID agent, StoreLease.Timing timing) throws IOException {
        HadoopFolder folder = HadoopFolder.open(store);
        try {
            folder.makeUnlessOthers(Set.of("repository", ContainerFolder.FOLDER, OWNER, HadoopFolder.INCOMING));
            return begin(folder, agent, timing);
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /**
     * Opens a folder that is there, whatever is in it. Its files can be forced, and go on growing.
     *
     * @param holder who opens it, always the same if others are kept out elsewhere, too
     * @throws java.nio.file.NoSuchFileException if it isn't there
     * @throws StoreInUseException if another has it
     */
    public static HadoopStorage hold(URI place, UUID holder) throws IOException {
        HadoopFolder folder = HadoopFolder.open(place);
        try {
            folder.requireThere();
            HadoopStorage storage = begin(folder, holder, StoreLease.Timing.DEFAULT);
            if (!folder.settlesGrowingFiles()) {
                storage.lease.close();
                throw new IOException(place + " can't be used: a file can't be forced there while it grows, or not be"
                        + " settled when its writer has died; name a folder by hdfs://, and if it is erasure-coded"
                        + " type: hdfs ec -setPolicy -replicate -path PATH");
            }
            return storage;
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static HadoopStorage begin(HadoopFolder folder, UUID agent, StoreLease.Timing timing) throws IOException {
        HadoopStorage storage = new HadoopStorage(folder, agent, timing);
        folder.clearIncoming();
        storage.lease.keep();
        return storage;
    }

    private static StoreLease.Place ownerFile(HadoopFolder folder) {
        return new StoreLease.Place() {
            @Override
            public Optional<String> read() throws IOException {
                return folder.read(OWNER).map(bytes -> java.nio.charset.StandardCharsets.UTF_8
                        .decode(bytes)
                        .toString());
            }

            @Override
            public boolean create(String text) throws IOException {
                return folder.createWhole(OWNER, StoreLease.encode(text));
            }

            @Override
            public boolean replace(String text) throws IOException {
                folder.replace(OWNER, StoreLease.encode(text));
                return true;
            }

            @Override
            public void delete() throws IOException {
                folder.delete(OWNER);
            }
        };
    }

    @Override
    public List<StoredFile> list(String below) throws IOException {
        List<StoredFile> found = new ArrayList<>();
        for (FileStatus file : folder.files(below)) {
            String name = folder.name(file.getPath());
            if (!OWN.contains(name.replaceFirst("/.*", ""))) {
                found.add(new StoredFile(name, visibleBytes(name).orElse(file.getLen())));
            }
        }
        return found;
    }

    private Optional<Long> visibleBytes(String file) {
        return Optional.ofNullable(open.get(file)).map(HadoopAppendable::visibleBytes);
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        return new HadoopReadable(file, new HadoopReadable.Opener() {
            @Override
            public FSDataInputStream open() throws IOException {
                return folder.open(file);
            }

            @Override
            public long visibleBytes() throws IOException {
                return size(file);
            }

            @Override
            public Span block(long offset) throws IOException {
                return folder.block(file, offset);
            }
        });
    }

    /** A file by that name is never replaced: it would be another agent's. */
    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        lease.ensureHeld();
        HadoopAppendable created = new HadoopAppendable(file, folder.create(file), () -> open.remove(file));
        open.put(file, created);
        try {
            created.append(head);
            return created;
        } catch (IOException e) {
            created.close();
            folder.deleteQuietly(file, e);
            throw e;
        }
    }

    /** Never: who knows what others believe the length is. */
    @Override
    public Optional<AppendableFile> resume(String file, long bytes) {
        return Optional.empty();
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public void endWriting(String file) throws IOException {
        lease.ensureHeld();
        if (folder.endWriting(file)) {
            LOG.info("{} was open when its writer died", file);
            recovered.add(file);
        }
    }

    /**
     * What a dead process wrote may be in the memory of the data nodes only, and of that there is no forcing: it is
     * written anew.
     */
    @Override
    public void force(String file) throws IOException {
        if (recovered.contains(file)) {
            cut(file, size(file));
        }
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        lease.ensureHeld();
        try (ReadableFile old = open(file)) {
            folder.write(file, old, bytes);
        }
        recovered.remove(file);
    }

    @Override
    public void delete(String file) throws IOException {
        lease.ensureHeld();
        folder.delete(file);
    }

    @Override
    public void publish(java.nio.file.Path whole, String file) throws IOException {
        lease.ensureHeld();
        folder.publish(whole, file);
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        lease.ensureHeld();
        folder.replace(file, bytes);
    }

    /** Makes a folder, for its owner only, unless it is there. */
    public void makeFolder(String name) throws IOException {
        lease.ensureHeld();
        folder.makeFolder(name);
    }

    /** Gives a closed file another name, also that of one that is there, in one step. */
    public void rename(String file, String name) throws IOException {
        lease.ensureHeld();
        folder.rename(file, name);
    }

    /** Makes a file say that it was last written then. */
    public void setModified(String file, Instant modified) throws IOException {
        lease.ensureHeld();
        folder.setModified(file, modified);
    }

    /** Whether a file or folder is there. */
    public boolean has(String name) throws IOException {
        try {
            folder.status(name);
            return true;
        } catch (java.nio.file.NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return folder.read(file);
    }

    @Override
    public long size(String file) throws IOException {
        Optional<Long> visible = visibleBytes(file);
        return visible.isPresent() ? visible.get() : folder.status(file).getLen();
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return Instant.ofEpochMilli(folder.status(file).getModificationTime());
    }

    @Override
    public long usableBytes() throws IOException {
        return folder.usableBytes();
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    @Override
    public void close() throws IOException {
        try (folder) {
            lease.close();
        }
    }
}
