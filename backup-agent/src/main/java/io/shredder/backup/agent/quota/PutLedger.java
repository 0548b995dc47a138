// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.quota;

import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each namespace with a quota has put that none of its snapshots accounts for, kept in a folder, so that neither
 * another connection nor another start of the agent makes it forgotten. A collection does: what it leaves is pointed
 * to. Nothing is written before something is put. Thread-safe.
 */
public final class PutLedger implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PutLedger.class);

    static final String TEMPORARY = "~"; // No name of a namespace has it.

    private final Path folder;
    private final UUID repository;
    private final Catalogue catalogue;
    private final Map<SnapshotName, NamespaceAccount> accounts = new HashMap<>();

    /** What was put and settled when a collection began. */
    public record Settled(Map<SnapshotName, Long> bytes) {}

    /**
     * Over a repository's snapshots.
     *
     * @param folder made when something is put
     */
    public PutLedger(Path folder, UUID repository, Catalogue catalogue) {
        this.folder = folder;
        this.repository = repository;
        this.catalogue = catalogue;
    }

    /** A session's part. Without a quota it has no limit, and nothing is counted. */
    public SessionQuota session(SnapshotName namespace, OptionalLong quota) {
        return new SessionQuota(this, namespace, quota);
    }

    synchronized NamespaceAccount account(SnapshotName namespace) throws IOException {
        NamespaceAccount known = accounts.get(namespace);
        if (known == null) {
            known = new NamespaceAccount(
                    namespace,
                    () -> catalogue.quotaBytes(namespace),
                    new PutBytesFile(folder.resolve(namespace.value()), repository));
            accounts.put(namespace, known);
        }
        return known;
    }

    /**
     * A collection begins: what sessions have put that are gone by now, and nobody points to, will not be there after
     * it.
     */
    public Settled collectionBegins() throws IOException {
        Map<SnapshotName, Long> settled = new HashMap<>();
        for (NamespaceAccount account : all()) {
            settled.put(account.namespace(), account.settledBytes());
        }
        return new Settled(settled);
    }

    /** The collection that began then has done all its work. */
    public void collectionEnded(Settled before) throws IOException {
        for (NamespaceAccount account : all()) {
            account.collected(before.bytes().getOrDefault(account.namespace(), 0L));
        }
    }

    /** Those that have a file, and those in memory. */
    private synchronized List<NamespaceAccount> all() throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = String.valueOf(file.getFileName());
                    if (!name.endsWith(TEMPORARY)) {
                        addNamed(name);
                    }
                }
            }
        }
        return List.copyOf(accounts.values());
    }

    private void addNamed(String name) throws IOException {
        SnapshotName namespace;
        try {
            namespace = new SnapshotName(name);
        } catch (IllegalArgumentException e) {
            LOG.warn("{} is no count of a namespace, and left as it is: move it elsewhere", folder.resolve(name));
            return;
        }
        account(namespace);
    }

    /** Writes down what is so. */
    @Override
    public void close() throws IOException {
        for (NamespaceAccount account : List.copyOf(accounts.values())) {
            account.save();
        }
    }
}
