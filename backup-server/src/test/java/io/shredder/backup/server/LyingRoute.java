// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.session.SmallRepository;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.server.LyingAgent.Lie;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** The way to an agent that lies about some of what it is asked. */
final class LyingRoute implements AgentRoute {

    private final Lie lie;
    private final AgentRoute real;
    private final AgentRoute other;
    private final List<Fingerprint> chunks;
    private final List<Long> ids;
    private final Random random;
    private Optional<SnapshotName> opened = Optional.empty();

    LyingRoute(Lie lie, SmallRepository real, SmallRepository earlier, String client, long seed) throws IOException {
        String stranger = client.equals(RepositoryLife.CLIENT) ? RepositoryLife.OTHER_CLIENT : RepositoryLife.CLIENT;
        this.lie = lie;
        this.real = real.route(client);
        this.other = lie == Lie.OTHER_CLIENT ? real.route(stranger) : earlier.route(client);
        this.chunks = real.places().keySet().stream().sorted().toList();
        this.random = new Random(seed);
        this.ids = List.of(3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Override
    public Answer.Greeting greeting() {
        return lie == Lie.OTHER_REPOSITORY ? other.greeting() : real.greeting();
    }

    @Override
    public Optional<String> address() {
        return real.address();
    }

    @Override
    public int version() {
        return real.version();
    }

    @Override
    public synchronized CompletableFuture<Answer> ask(Request request) {
        boolean lists = request instanceof Request.ListSnapshots || request instanceof SeriesRequest.ListSeries;
        return switch (lie) {
            case EARLIER_STATE, OTHER_REPOSITORY -> other.ask(request);
            case EARLIER_LISTS, OTHER_CLIENT -> (lists ? other : real).ask(request);
            case EARLIER_IDS -> earlierIds(request);
            case WITHOUT_NEWEST -> lists ? real.ask(request).thenApply(LyingRoute::withoutNewest) : real.ask(request);
            case EXCHANGED_IDS -> lists ? real.ask(request).thenApply(this::exchanged) : real.ask(request);
            case OTHER_PAGES -> real.ask(otherPage(request));
            case OTHER_CHUNKS -> real.ask(otherChunks(request));
            case OTHER_COMMITTED -> otherCommitted(request);
        };
    }

    private CompletableFuture<Answer> otherCommitted(Request request) {
        if (request instanceof Request.Begin begin) {
            opened = Optional.of(begin.name());
        }
        return request instanceof Request.Commit && opened.isPresent()
                ? real.ask(new SeriesRequest.ListSeries(0, opened.get())).thenApply(LyingRoute::newest)
                : real.ask(request);
    }

    private static Answer newest(Answer answer) {
        List<SnapshotInfo> series = ((Answer.Snapshots) answer).snapshots();
        return new Answer.Committed(series.get(series.size() - 1));
    }

    private CompletableFuture<Answer> earlierIds(Request request) {
        if (request instanceof Request.Begin) {
            return other.ask(request).thenCompose(begun -> real.ask(request));
        }
        return (request instanceof SeriesRequest.Prepare ? other : real).ask(request);
    }

    private static Answer withoutNewest(Answer answer) {
        if (answer instanceof Answer.Snapshots page && !page.snapshots().isEmpty()) {
            List<SnapshotInfo> fewer =
                    page.snapshots().subList(0, page.snapshots().size() - 1);
            return new Answer.Snapshots(List.copyOf(fewer), page.damaged(), page.nextAfterId());
        }
        return answer;
    }

    private Answer exchanged(Answer answer) {
        if (!(answer instanceof Answer.Snapshots page)) {
            return answer;
        }
        List<Long> shuffled =
                new ArrayList<>(page.snapshots().stream().map(SnapshotInfo::id).toList());
        Collections.shuffle(shuffled, random);
        List<SnapshotInfo> changed = new ArrayList<>();
        for (int i = 0; i < shuffled.size(); i++) {
            changed.add(withId(page.snapshots().get(i), shuffled.get(i)));
        }
        return new Answer.Snapshots(changed, page.damaged(), page.nextAfterId());
    }

    private static SnapshotInfo withId(SnapshotInfo info, long id) {
        return new SnapshotInfo(
                id,
                info.name(),
                info.received(),
                info.imageBytes(),
                info.chunkCount(),
                info.seal(),
                info.summary(),
                info.contentDigest());
    }

    private Request otherPage(Request request) {
        return request instanceof Request.Show show && random.nextBoolean()
                ? new Request.Show(ids.get(random.nextInt(ids.size())), show.page())
                : request;
    }

    private Request otherChunks(Request request) {
        if (request instanceof Request.FetchMany many) {
            return new Request.FetchMany(
                    many.mostBytes(),
                    many.fingerprints().stream().map(this::perhapsOther).toList());
        }
        return request instanceof Request.Fetch fetch ? new Request.Fetch(perhapsOther(fetch.fingerprint())) : request;
    }

    private Fingerprint perhapsOther(Fingerprint chunk) {
        return random.nextInt(4) == 0 ? chunks.get(random.nextInt(chunks.size())) : chunk;
    }

    @Override
    public void giveBack(List<StoredRegion> regions) {
        real.giveBack(regions);
    }

    @Override
    public long sentBytes() {
        return real.sentBytes();
    }

    @Override
    public long receivedBytes() {
        return real.receivedBytes();
    }

    @Override
    public void close() throws IOException {
        real.close();
        other.close();
    }
}
