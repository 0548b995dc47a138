// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.session.ClientSession;
import io.shredder.backup.agent.session.SessionAnswers;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.RepositoryIndex;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.RegionPlaces;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.RegionRecords;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An agent without a network, in the process that asks it: for whoever has a repository's folder and no agent that
 * serves it. It answers as an agent does a client with the right to restore and no other; who may read the folder's
 * files may ask it. It has the repository's lock, so it can't work beside an agent. One thread of its own,
 * {@code local-agent}, answers requests.
 */
public final class LocalAgent implements AgentRoute {

    /** Of memory for regions. */
    private static final int KEPT_BYTES = 32 << 20;

    private final Path root;
    private final Repository repository;
    private final ClientSession session;
    private final SessionAnswers answers;
    private final Answer.Greeting greeting;
    private final BodyBuffers bodies = BodyBuffers.onHeap(KEPT_BYTES);
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong receivedBytes = new AtomicLong();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread started = new Thread(work, "local-agent");
        started.setDaemon(true);
        return started;
    });

    private LocalAgent(Path root, Repository repository, SnapshotName client) {
        ClientAccess access =
                new ClientAccess(client, client, Set.of(Right.RESTORE), OptionalLong.empty(), Duration.ZERO);
        this.root = root;
        this.repository = repository;
        this.session = new ClientSession(repository, access, ShownCertificate.fixed(access));
        this.answers = new SessionAnswers(session, client);
        this.greeting = new Answer.Greeting(
                WireFormat.MIN_VERSION,
                WireFormat.MAX_VERSION,
                RegionFormat.MAX_CHUNK_BYTES,
                repository.id(),
                client,
                "shredder local agent");
    }

    /**
     * Opens a repository, which must be there and have its containers in its own folder.
     *
     * @param root the repository's folder
     * @param indexKey file with the key of its index; where agents have it if not given
     * @param client whose snapshots; if not given the repository must have those of one client alone
     */
    public static LocalAgent open(Path root, @Nullable Path indexKey, @Nullable SnapshotName client)
            throws IOException {
        Path key = indexKey != null ? indexKey : RepositoryIndex.defaultKeyFile(root);
        Repository repository = Repository.openExisting(root, key, Clock.systemUTC());
        try {
            return new LocalAgent(
                    root,
                    repository,
                    client(root, client, repository.catalogue().namespaces()));
        } catch (IOException | RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    private static SnapshotName client(Path root, @Nullable SnapshotName wanted, SortedSet<SnapshotName> known)
            throws IOException {
        if (known.isEmpty()) {
            throw new IOException("repository " + root + " has no snapshots");
        }
        if (wanted == null ? known.size() == 1 : known.contains(wanted)) {
            return wanted == null ? known.first() : wanted;
        }
        String names = known.stream().map(SnapshotName::value).collect(Collectors.joining(", "));
        throw new IOException(
                wanted == null
                        ? "repository " + root + " has snapshots of several clients: choose one with --client: " + names
                        : "repository " + root + " has no snapshots of client " + wanted + ", but of " + names);
    }

    @Override
    public Answer.Greeting greeting() {
        return greeting;
    }

    @Override
    public int version() {
        return greeting.maxVersion();
    }

    @Override
    public CompletableFuture<Answer> ask(Request request) {
        sentBytes.addAndGet(request.bodyBytes());
        return onThread(thread, () -> answer(request));
    }

    private <T> CompletableFuture<T> onThread(Executor threads, Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new IOException("repository " + root + " is closed", e));
        }
    }

    private Answer answer(Request request) {
        Answer answer = answers.to(request);
        receivedBytes.addAndGet(answer.bodyBytes());
        if (!(answer instanceof RegionRecords records)) {
            return answer;
        }
        try {
            return records.received(bodies, root.toString());
        } catch (DamagedDataException e) {
            return new Answer.Failure(ErrorCode.DAMAGED, String.valueOf(e.getMessage()));
        }
    }

    /** It has the repository's lock: nobody moves what lies there. Places are looked up by several threads at once. */
    @Override
    public Optional<RegionPlaces> places() {
        return Optional.of(chunks -> onThread(repository.workers(), () -> placesOf(chunks)));
    }

    private List<RegionPlace> placesOf(List<Fingerprint> chunks) {
        try {
            List<RegionPlace> places = repository
                    .chunks()
                    .regionPlaces(chunks)
                    .orElseThrow(() -> new IOException("repository " + root + " has not all of these chunks"));
            places.forEach(place -> receivedBytes.addAndGet(place.recordBytes()));
            return places;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void giveBack(List<StoredRegion> regions) {
        bodies.giveBack(regions);
    }

    @Override
    public long sentBytes() {
        return sentBytes.get();
    }

    @Override
    public long receivedBytes() {
        return receivedBytes.get();
    }

    /** What was asked is answered first: an interrupt would close the files that are being read. */
    @Override
    public void close() throws IOException {
        thread.shutdown();
        try {
            thread.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (repository) {
            session.close();
        }
    }
}
