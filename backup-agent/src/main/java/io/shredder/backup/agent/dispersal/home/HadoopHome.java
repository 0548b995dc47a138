// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.hadoop.HadoopStorage;
import io.shredder.backup.agent.hadoop.UnheldFolder;
import io.shredder.backup.agent.lease.StoreInUseException;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A folder of a Hadoop file system. Held by a file that is written again and again, as a store there is; what a dead
 * process held is free after less than a minute, and at once for the same holder. A cluster that hangs, or is down, is
 * {@link Patience silent}.
 */
public final class HadoopHome implements KeeperHome {

    private final URI place;
    private final UUID holder;
    private final Patience patience;

    /**
     * Asks nothing yet.
     *
     * @param place such as {@code hdfs://namenode:8020/keeper}; the cluster's configuration comes from the class path
     * @param holder who will hold it, always the same if others are kept out elsewhere, too
     * @throws IOException if Hadoop's client is not on the class path
     */
    public HadoopHome(URI place, UUID holder) throws IOException {
        requireClient(place);
        this.place = place;
        this.holder = holder;
        this.patience = new Patience("keeper " + place, Patience.Limits.DEFAULT, () -> new UnheldFolder(place).names());
    }

    /** Else a keeper would seem to be away. */
    private static void requireClient(URI place) throws IOException {
        try {
            Class.forName("org.apache.hadoop.fs.FileSystem", false, HadoopHome.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IOException(
                    "keeper " + place + " needs Hadoop's client, which is not on the class path: start the agent by"
                            + " bin/backup-agent, with HADOOP_HOME set where Hadoop is installed",
                    e);
        }
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return patience.ask(() -> new UnheldFolder(place).read(file));
    }

    @Override
    public Optional<Set<String>> names() throws IOException {
        return patience.ask(() -> new UnheldFolder(place).names());
    }

    @Override
    public String path(String file) {
        return place + "/" + file;
    }

    /** Under another name it would be the same folder too, and nobody could tell; but it says which keeper it is. */
    @Override
    public boolean isSameAs(KeeperHome other) {
        return other instanceof HadoopHome hadoop && hadoop.place.equals(place);
    }

    @Override
    public HeldHome hold() throws IOException {
        return patience.ask(PatientStorage.LONG, () -> {
            try {
                return new Held(HadoopStorage.hold(place, holder), patience);
            } catch (StoreInUseException e) {
                throw new HomeInUseException(String.valueOf(e.getMessage()));
            }
        });
    }

    @Override
    public String toString() {
        return place.toString();
    }

    private record Held(HadoopStorage folder, Patience patience, PatientStorage storage) implements HeldHome {

        Held(HadoopStorage folder, Patience patience) {
            this(folder, patience, new PatientStorage(folder, patience));
        }

        @Override
        public SignOfLife signOfLife() {
            return patience.signOfLife();
        }

        @Override
        public boolean has(String file) {
            try {
                return patience.ask(() -> folder.has(file));
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public void endWriting(String below, Predicate<String> mayBeOpen) throws IOException {
            for (StoredFile file : storage.list(below)) {
                if (mayBeOpen.test(file.name())) {
                    storage.endWriting(file.name());
                }
            }
        }

        @Override
        public void makeFolder(String name) throws IOException {
            patience.ask(() -> {
                folder.makeFolder(name);
                return true;
            });
        }

        @Override
        public void rename(String file, String name) throws IOException {
            patience.ask(() -> {
                folder.rename(file, name);
                return true;
            });
        }

        @Override
        public void setModified(String file, Instant modified) throws IOException {
            patience.ask(() -> {
                folder.setModified(file, modified);
                return true;
            });
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
    }
}
