// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.scrub.BackgroundRebuild;
import io.shredder.backup.agent.hadoop.AtomicRenames;
import io.shredder.backup.agent.hadoop.HadoopStorage;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.config.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a repository keeps its containers and snapshots: in its own folder, in a store on a Hadoop file system, or over
 * several keepers. Then the folder's file {@code store} says which, and has an id by which a store on Hadoop knows that
 * folder again.
 *
 * @param root the repository's folder
 * @param uri of the store, if it has one
 * @param remotes ways to keepers on other machines
 */
public record StorePlace(Path root, Optional<URI> uri, RemoteKeepers remotes) {

    /** Leaves out what makes two addresses of one folder. */
    public StorePlace {
        uri = uri.map(given -> URI.create(given.toString().replaceFirst("/+$", "")));
    }

    /** None of whose keepers is on another machine. */
    public StorePlace(Path root, Optional<URI> uri) {
        this(root, uri, RemoteKeepers.NONE);
    }

    /** The scheme of a store over several keepers; the rest is a file that names them. */
    private static final String DISPERSED = "disperse";

    /** Name of the file; a folder with one is a repository's. */
    static final String FILE = "store";

    /** In the folder itself. */
    public static StorePlace local(Path root) {
        return new StorePlace(root, Optional.empty());
    }

    /** Opens it. The folder must be there, and locked. */
    Storage open() throws IOException {
        if (uri.isEmpty()) {
            refuseForgottenStore();
            return new LocalStorage(root);
        }
        if (isDispersed(uri.get())) {
            return openDispersed(uri.get());
        }
        AtomicRenames.check(uri.get());
        UUID agent = agentId(uri.get());
        try {
            return HadoopStorage.open(uri.get(), agent);
        } catch (NoClassDefFoundError e) {
            throw new IOException(
                    "store " + uri.get()
                            + " needs Hadoop's client, which is not on the class path: start the agent by bin/backup-agent,"
                            + " with HADOOP_HOME set where Hadoop is installed",
                    e);
        } catch (IOException e) {
            throw new IOException("store " + uri.get() + " can't be opened: " + e.getMessage(), e);
        }
    }

    private static boolean isDispersed(URI store) {
        return DISPERSED.equals(store.getScheme());
    }

    private Storage openDispersed(URI store) throws IOException {
        Path file = Path.of(store.getSchemeSpecificPart());
        if (!file.isAbsolute()) {
            throw new IOException(
                    "store " + store + ": name the file by its whole path, as in disperse:/etc/keepers.yaml");
        }
        UUID agent = agentId(store);
        try {
            DispersedStorage storage = DispersedStorage.open(DispersalConfig.read(file, agent, remotes));
            BackgroundRebuild.start(storage);
            return storage;
        } catch (ConfigException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("store " + store + " can't be opened: " + e.getMessage(), e);
        }
    }

    /** The store that goes with a folder, by what that says. */
    static Optional<String> of(Path root) throws IOException {
        Path file = root.resolve(FILE);
        return Files.exists(file) ? Files.readString(file).lines().findFirst() : Optional.empty();
    }

    /** Refuses a folder that doesn't go with the keepers of this file. */
    static void requireDispersed(Path root, Path keepers) throws IOException {
        String store = of(root).orElseThrow(() -> new IOException(
                root + " is no folder of an agent with a store over keepers: name the one that the agent serves"));
        if (!store.equals(DISPERSED + ":" + keepers.toAbsolutePath().normalize())) {
            throw new IOException("folder " + root + " goes with store " + store + ", not with the keepers of "
                    + keepers + ": name the ones that go together");
        }
    }

    private void refuseForgottenStore() throws IOException {
        Optional<String> store = of(root);
        if (store.isPresent()) {
            throw new IOException(
                    "repository " + root + " keeps its containers in " + store.get() + ": name that with --store");
        }
    }

    private UUID agentId(URI store) throws IOException {
        Path file = root.resolve(FILE);
        if (Files.exists(file)) {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() != 2 || !lines.get(0).equals(store.toString())) {
                throw new IOException("folder " + root + " goes with store " + (lines.isEmpty() ? "" : lines.get(0))
                        + ", not " + store + ": name another folder, or write the new address into " + file
                        + " if the store has moved");
            }
            return UUID.fromString(lines.get(1));
        }
        if (Files.exists(root.resolve(RepositoryHeader.FILE))) {
            throw new IOException(
                    "repository " + root + " has containers of its own: name another folder to go with store " + store);
        }
        UUID agent = UUID.randomUUID();
        String text = store + "\n" + agent + "\n";
        try (LocalStorage here = new LocalStorage(root)) {
            here.replace(FILE, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
        return agent;
    }
}
