// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.monitoring;

import io.micrometer.core.instrument.Tags;
import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.storage.RequestCounts;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.monitoring.Figures;
import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An agent's figures, counted anew when somebody asks, at most once a second. What a client's certificate names is a
 * tag, so whoever may connect here learns the clients' names; nothing of what they keep.
 */
public final class AgentFigures implements Closeable {

    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    private final Repository repository;
    private final Serving serving;
    private final Consumer<Figures> more;
    private final Figures figures = new Figures("shredder.agent.");
    private final ReentrantLock counting = new ReentrantLock();
    private long countedNs;
    private String text = "";

    /** How the daemon stands that serves the repository. */
    public interface Serving {

        /** How many connections clients have. */
        int connections();

        /** Whether clients are served. */
        boolean isServing() throws InterruptedException;
    }

    /** Of a repository, which stays the caller's. */
    public AgentFigures(Repository repository, Serving serving) {
        this(repository, serving, unused -> {});
    }

    /** The same with others, which are set whenever somebody asks. */
    public AgentFigures(Repository repository, Serving serving, Consumer<Figures> more) {
        this.repository = repository;
        this.serving = serving;
        this.more = more;
    }

    /**
     * By path: {@code /metrics}, and {@code /health}, which answers 200 while clients are served and something can be
     * written, else 503.
     */
    public Map<String, PageServer.Page> pages() {
        return Map.of("/metrics", () -> Answer.figures(text()), "/health", this::health);
    }

    /** In Prometheus' text format. */
    String text() throws IOException {
        counting.lock();
        try {
            if (text.isEmpty() || System.nanoTime() - countedNs > FRESH_NS) {
                count();
                text = figures.text();
                countedNs = System.nanoTime();
            }
            return text;
        } finally {
            counting.unlock();
        }
    }

    private void count() throws IOException {
        ContainerFolder containers = repository.chunks().containers();
        Collection<Long> sizes = containers.sizes().values();
        figures.set("connections", Tags.empty(), serving.connections());
        figures.set("chunks", Tags.empty(), repository.chunks().index().size());
        figures.set("containers", Tags.empty(), sizes.size());
        figures.set(
                "containers.bytes",
                Tags.empty(),
                sizes.stream().mapToLong(Long::longValue).sum());
        figures.set("usable.bytes", Tags.empty(), containers.storage().usableBytes());
        figures.set(
                "damaged.chunks", Tags.empty(), repository.chunks().damaged().size());
        Catalogue catalogue = repository.catalogue();
        figures.set("damaged.snapshots", Tags.empty(), catalogue.problems().size());
        for (SnapshotName client : catalogue.namespaces()) {
            SortedMap<Long, CatalogueEntry> snapshots = catalogue.list(client, 0);
            Tags tags = Tags.of("client", client.value());
            figures.set("client.snapshots", tags, snapshots.size());
            figures.set("client.images.bytes", tags, catalogue.imageBytes(client));
            long lastMs = snapshots.values().stream()
                    .mapToLong(CatalogueEntry::receivedMs)
                    .max()
                    .orElse(0);
            figures.set(
                    "client.last.snapshot.timestamp.seconds",
                    tags,
                    Duration.ofMillis(lastMs).toSeconds());
        }
        containers.storage().keepersState().ifPresent(figures::keepers);
        more.accept(figures);
        containers.storage().requests().ifPresent(this::requests);
    }

    private void requests(RequestCounts counts) {
        counts.requests().forEach((kind, count) -> figures.set("store.requests", Tags.of("kind", kind), count));
        counts.refused().forEach((kind, count) -> figures.set("store.requests.refused", Tags.of("kind", kind), count));
        figures.set("store.sent.bytes", Tags.empty(), counts.bytesSent());
        figures.set("store.received.bytes", Tags.empty(), counts.bytesReceived());
    }

    private Answer health() throws IOException {
        boolean serves;
        try {
            serves = serving.isServing();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            serves = false;
        }
        boolean writable = repository.chunks().containers().storage().usableBytes() > 0;
        String status = !serves ? "down" : writable ? "up" : "full";
        return Answer.health(
                serves && writable, "{\"status\":\"" + status + "\",\"connections\":" + serving.connections() + "}");
    }

    @Override
    public void close() {
        figures.close();
    }
}
