// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.agent.access.AccessRules;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.catalogue.SeriesStanding;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code /clients} and below: namespaces, their series, and the snapshots of one, as the catalogue has them. */
final class ClientsApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;

    /** Beside the rows of a page, so that an answer stays below the longest. */
    private static final int MOST_BESIDE = 25;

    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Comparator<Client> BY_NAME =
            Comparator.comparing(client -> client.name().value());

    private final AgentSources sources;
    private final Catalogue catalogue;
    private List<SeriesStanding> counted = List.of();
    private long countedNs;
    private boolean isCounted;

    /** A namespace. */
    private record Client(SnapshotName name, int series, int snapshots, long lastMs) {
        Client with(Client other) {
            return new Client(name, series + other.series, snapshots + other.snapshots, Math.max(lastMs, other.lastMs));
        }
    }

    ClientsApi(AgentSources sources) {
        this.sources = sources;
        this.catalogue = sources.repository().catalogue();
    }

    /** Counted at most once a second, as all snapshots are looked at. */
    private List<SeriesStanding> series() {
        if (!isCounted || System.nanoTime() - countedNs > FRESH_NS) {
            counted = catalogue.series();
            countedNs = System.nanoTime();
            isCounted = true;
        }
        return counted;
    }

    /** Those that have snapshots, and those that the rules name. */
    private Map<SnapshotName, Client> all() {
        Map<SnapshotName, Client> clients = new HashMap<>();
        for (SeriesStanding each : series()) {
            SnapshotName name = each.last().namespace();
            Client one = new Client(name, 1, each.snapshots(), each.last().receivedMs());
            clients.merge(name, one, Client::with);
        }
        atTheAgent(sources.rules().get())
                .forEach(access -> clients.putIfAbsent(access.namespace(), new Client(access.namespace(), 0, 0, 0)));
        return clients;
    }

    private static Stream<ClientAccess> atTheAgent(AccessRules rules) {
        return rules.named().keySet().stream().flatMap(name -> rules.of(name).stream());
    }

    /** How many there are, for {@code /about}. */
    void count(ObjectNode about) {
        about.put("clients", all().size())
                .put(
                        "snapshots",
                        series().stream().mapToLong(SeriesStanding::snapshots).sum());
    }

    ObjectNode list(Query query) {
        Comparator<Client> order =
                switch (query.word("sort", List.of("name", "age", "size"))) {
                    case "age" -> Comparator.comparingLong(Client::lastMs).thenComparing(BY_NAME);
                    case "size" ->
                        Comparator.comparingLong((Client client) -> catalogue.imageBytes(client.name()))
                                .reversed()
                                .thenComparing(BY_NAME);
                    default -> BY_NAME;
                };
        Predicate<Client> wanted = client -> contains(client.name(), query.searched());
        List<Client> rows = all().values().stream().filter(wanted).sorted(order).toList();
        return Rows.page("clients", rows, query, USUAL_ROWS, row());
    }

    private static boolean contains(SnapshotName name, String searched) {
        return name.value().toLowerCase(Locale.ROOT).contains(searched);
    }

    /** Rules and sessions of this moment make rows of it. */
    private Function<Client, ObjectNode> row() {
        AccessRules rules = sources.rules().get();
        Map<SnapshotName, Long> quotas = atTheAgent(rules)
                .filter(access -> access.rights().contains(Right.APPEND))
                .collect(Collectors.toMap(
                        ClientAccess::namespace,
                        access -> access.maxImageBytes().orElse(Long.MAX_VALUE),
                        Math::min));
        long others = rules.others()
                .map(AccessRules.Grant::maxImageBytes)
                .orElse(OptionalLong.empty())
                .orElse(Long.MAX_VALUE);
        Map<SnapshotName, Long> sessions = sources.sessions().get().stream()
                .collect(Collectors.groupingBy(session -> session.namespace(), Collectors.counting()));
        return client ->
                row(client, quotas.getOrDefault(client.name(), others), sessions.getOrDefault(client.name(), 0L));
    }

    private ObjectNode row(Client client, long quota, long sessions) {
        ObjectNode row = JSON.createObjectNode()
                .put("name", client.name().value())
                .put("series", client.series())
                .put("snapshots", client.snapshots());
        putTime(row, "lastSnapshot", client.lastMs());
        row.put("imageBytes", catalogue.imageBytes(client.name()))
                .put("quotaUsedBytes", catalogue.quotaBytes(client.name()));
        if (quota < Long.MAX_VALUE) {
            row.put("quotaBytes", quota);
        }
        return row.put("sessions", sessions);
    }

    /** Of those that could not be read when the record was begun, nobody knows it. */
    private static void putTime(ObjectNode row, String key, long ms) {
        if (ms > 0) {
            row.put(key, Instant.ofEpochMilli(ms).toString());
        }
    }

    /** One client and its series; empty if nobody is called so. */
    Optional<ObjectNode> one(String asked, Query query) throws IOException {
        Optional<Client> found = find(asked);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        SnapshotName name = found.get().name();
        String searched = query.searched();
        List<SeriesStanding> own = series().stream()
                .filter(each -> each.last().namespace().equals(name)
                        && contains(each.last().name(), searched))
                .sorted(Comparator.comparing(each -> each.last().name().value()))
                .toList();
        ObjectNode page = Rows.page("series", own, query, USUAL_ROWS, ClientsApi::row);
        page.set("client", row().apply(found.get()));
        page.set("access", access(name));
        page.set("waiting", waiting(name));
        return Optional.of(page);
    }

    private Optional<Client> find(String asked) {
        return Optional.ofNullable(all().get(new SnapshotName(asked)));
    }

    private static ObjectNode row(SeriesStanding series) {
        ObjectNode row = JSON.createObjectNode()
                .put("name", series.last().name().value())
                .put("snapshots", series.snapshots())
                .put("lastId", series.last().id());
        putTime(row, "lastSnapshot", series.last().receivedMs());
        return row.put("imageBytes", series.last().imageBytes());
    }

    /** Who may do what in a namespace, by name. */
    private ArrayNode access(SnapshotName namespace) {
        ArrayNode rows = JSON.createArrayNode();
        atTheAgent(sources.rules().get())
                .filter(access -> access.namespace().equals(namespace))
                .sorted(Comparator.comparing(access -> access.client().value()))
                .limit(MOST_BESIDE)
                .forEach(access -> rows.add(row(access)));
        return rows;
    }

    private static ObjectNode row(ClientAccess access) {
        ObjectNode row = JSON.createObjectNode().put("client", access.client().value());
        access.rights().stream().map(Right::word).sorted().forEach(row.putArray("may")::add);
        access.maxImageBytes().ifPresent(bytes -> row.put("quotaBytes", bytes));
        row.put("minAgeSeconds", access.minAge().toSeconds());
        access.confirmWithin().ifPresent(time -> row.put("confirmWithinSeconds", time.toSeconds()));
        return row;
    }

    /** Deletions that wait for a second client. */
    private ArrayNode waiting(SnapshotName namespace) throws IOException {
        ArrayNode rows = JSON.createArrayNode();
        List<PendingDeletion> all = sources.repository().pendingDeletions().waiting(namespace);
        all.stream().limit(MOST_BESIDE).forEach(deletion -> rows.addObject()
                .put("id", deletion.id())
                .put("client", deletion.client().value())
                .put("asked", deletion.asked().toString())
                .put("until", deletion.until().toString())
                .put("snapshots", deletion.snapshots().size()));
        return rows;
    }

    /** The snapshots of a series, the newest first; empty if there is no such series. */
    Optional<ObjectNode> series(String client, String series, Query query) {
        SnapshotName namespace = new SnapshotName(client);
        SnapshotName name = new SnapshotName(series);
        if (catalogue.lastOf(namespace, name) == 0) {
            return Optional.empty();
        }
        long before = query.number("cursor", 0, Long.MAX_VALUE, Long.MAX_VALUE);
        int limit = query.limit(USUAL_ROWS);
        Rows rows = new Rows();
        long next = 0;
        for (CatalogueEntry entry : catalogue.newest(namespace, name, before).values()) {
            if (rows.rows().size() == limit || !rows.add(row(entry))) {
                next = rows.rows().get(rows.rows().size() - 1).path("id").asLong();
                break;
            }
        }
        ObjectNode page = JSON.createObjectNode().put("client", client).put("name", series);
        page.set("snapshots", rows.rows());
        if (next > 0) {
            page.put("next", String.valueOf(next));
        }
        return Optional.of(page);
    }

    private ObjectNode row(CatalogueEntry entry) {
        ObjectNode row = JSON.createObjectNode().put("id", entry.id());
        putTime(row, "received", entry.receivedMs());
        row.put("imageBytes", entry.imageBytes());
        catalogue.knownProblem(entry).ifPresent(problem -> row.put("problem", problem));
        return row;
    }
}
