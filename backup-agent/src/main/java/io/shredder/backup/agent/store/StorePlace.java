// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.scrub.BackgroundRebuild;
import io.shredder.backup.agent.hadoop.AtomicRenames;
import io.shredder.backup.agent.hadoop.HadoopStorage;
import io.shredder.backup.agent.move.StoreMove;
import io.shredder.backup.agent.s3.S3Place;
import io.shredder.backup.agent.s3.S3Settings;
import io.shredder.backup.agent.s3.S3Storage;
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
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Where a repository keeps its containers and snapshots: in its own folder, in a store on a Hadoop file system or in an
 * object store, or over several keepers. Then the folder's file {@code store} says which, and has an id by which a
 * store knows that folder again.
 *
 * @param root the repository's folder
 * @param uri of the store, if it has one
 * @param remotes ways to keepers on other machines
 * @param moved where its files come from, if they are still to be moved
 * @param objects how an object store is reached, if the store is in one
 */
public record StorePlace(
        Path root, Optional<URI> uri, RemoteKeepers remotes, Optional<Moved> moved, S3Settings objects) {

    /** The scheme of a store over several keepers; the rest is a file that names them. */
    private static final String DISPERSED = "disperse";

    /** Name of the file; a folder with one is a repository's. */
    static final String FILE = "store";

    /** In an object store: files that grow, until they are objects. */
    private static final String SPOOL = "spool";

    /** Object stores of other kinds, whose way of doing things is not S3's. */
    private static final Set<String> OTHER_OBJECTS =
            Set.of("abfs", "abfss", "adl", "cosn", "gs", "oss", "obs", "swift", "wasb", "wasbs");

    /** A file that is on its way from one store to another. */
    private static final String SCRATCH = "moving.tmp";

    /**
     * A store that files are moved from.
     *
     * @param from its address
     * @param bytesPerSecond at most, if there is a limit
     */
    public record Moved(URI from, OptionalLong bytesPerSecond) {

        /** Leaves out what makes two addresses of one folder. */
        public Moved {
            from = plain(from);
        }
    }

    /** Leaves out what makes two addresses of one folder. */
    public StorePlace {
        uri = uri.map(StorePlace::plain);
    }

    /** Whose files are there. */
    public StorePlace(Path root, Optional<URI> uri, RemoteKeepers remotes) {
        this(root, uri, remotes, Optional.empty(), S3Settings.NONE);
    }

    /** None of whose keepers is on another machine. */
    public StorePlace(Path root, Optional<URI> uri) {
        this(root, uri, RemoteKeepers.NONE);
    }

    /** In an object store, if the address is of one. */
    public StorePlace(Path root, Optional<URI> uri, S3Settings objects) {
        this(root, uri, RemoteKeepers.NONE, Optional.empty(), objects);
    }

    private static URI plain(URI given) {
        return URI.create(given.toString().replaceFirst("/+$", "").replaceFirst("^(?i:s3a?)://", "s3://"));
    }

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
        URI store = uri.get();
        requireUsable(store);
        StoreMove move = new StoreMove(
                RepositoryHeader.FILE,
                root.resolve(SCRATCH),
                moved.map(Moved::bytesPerSecond).orElse(OptionalLong.empty()));
        return moved.isPresent() ? openMoving(moved.get().from(), store, move) : openWhole(store, move);
    }

    /** Before the folder is made to go with it. */
    private static void requireUsable(URI store) throws IOException {
        String scheme = store.getScheme() == null ? "" : store.getScheme().toLowerCase(Locale.ROOT);
        if (OTHER_OBJECTS.contains(scheme)) {
            throw new IOException("store " + store + " can't be used: " + scheme
                    + ":// is an object store whose conditional writes and locks this agent was not tried with; use one"
                    + " that speaks S3 (s3://BUCKET/PREFIX with --store-endpoint), or hdfs://");
        }
        if (S3Place.isMeant(store)) {
            S3Place.parse(store);
        } else if (!isDispersed(store)) {
            AtomicRenames.check(store);
        } else if (!Path.of(store.getSchemeSpecificPart()).isAbsolute()) {
            throw new IOException(
                    "store " + store + ": name the file by its whole path, as in disperse:/etc/keepers.yaml");
        }
    }

    private Storage openWhole(URI store, StoreMove move) throws IOException {
        Storage opened = open(store, agentId(store, Optional.empty()));
        try {
            move.requireWhole(opened, store.toASCIIString());
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private Storage openMoving(URI from, URI to, StoreMove move) throws IOException {
        requireUsable(from);
        if (from.equals(to)) {
            throw new IOException("store " + to + " can't be moved to itself: name another one with --store");
        }
        UUID agent = agentId(to, Optional.of(from));
        Storage both = move.open(
                new StoreMove.Place(from.toASCIIString(), () -> open(from, agent)),
                new StoreMove.Place(to.toASCIIString(), () -> open(to, agent)));
        try {
            remember(to, agent);
            return both;
        } catch (IOException | RuntimeException e) {
            both.close();
            throw e;
        }
    }

    private Storage open(URI store, UUID agent) throws IOException {
        if (isDispersed(store)) {
            return openDispersed(store, agent);
        }
        if (S3Place.isMeant(store)) {
            return openObjects(store, agent);
        }
        try {
            return HadoopStorage.open(store, agent);
        } catch (NoClassDefFoundError e) {
            throw new IOException(
                    "store " + store
                            + " needs Hadoop's client, which is not on the class path: start the agent by bin/backup-agent,"
                            + " with HADOOP_HOME set where Hadoop is installed",
                    e);
        } catch (IOException e) {
            throw new IOException("store " + store + " can't be opened: " + e.getMessage(), e);
        }
    }

    private Storage openObjects(URI store, UUID agent) throws IOException {
        try {
            return S3Storage.open(S3Place.parse(store), objects, agent, root.resolve(SPOOL));
        } catch (IOException e) {
            throw new IOException("store " + store + " can't be opened: " + e.getMessage(), e);
        }
    }

    private static boolean isDispersed(URI store) {
        return DISPERSED.equals(store.getScheme());
    }

    private Storage openDispersed(URI store, UUID agent) throws IOException {
        Path file = Path.of(store.getSchemeSpecificPart());
        try {
            DispersalConfig config = DispersalConfig.read(file, agent, remotes);
            DispersedStorage storage = DispersedStorage.open(config);
            BackgroundRebuild.start(storage, config.keepers());
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

    /** As whom the folder opens its store; made before a store is first opened. */
    private UUID agentId(URI store, Optional<URI> from) throws IOException {
        Path file = root.resolve(FILE);
        if (Files.exists(file)) {
            List<String> lines = Files.readAllLines(file);
            String known = lines.isEmpty() ? "" : lines.get(0);
            boolean moves = from.isPresent() && known.equals(from.get().toString());
            if (lines.size() != 2 || !(moves || known.equals(store.toString()))) {
                throw new IOException("folder " + root + " goes with store " + known + ", not " + store
                        + ": name another folder, or write the new address into " + file
                        + " if the store has moved as it is; if its files are to be moved, name " + known
                        + " with --moves-from");
            }
            return UUID.fromString(lines.get(1));
        }
        if (Files.exists(root.resolve(RepositoryHeader.FILE))) {
            throw new IOException(
                    "repository " + root + " has containers of its own: name another folder to go with store " + store);
        }
        UUID agent = UUID.randomUUID();
        remember(store, agent);
        return agent;
    }

    private void remember(URI store, UUID agent) throws IOException {
        String text = store + "\n" + agent + "\n";
        try (LocalStorage here = new LocalStorage(root)) {
            here.replace(FILE, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
