// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.RegionPlaces;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.ListRequest;
import io.shredder.backup.wire.PageDigests;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * One client of an agent, over a connection or another {@link AgentRoute}. Methods that give a future may be called
 * while many earlier answers are still to come: so a long link gets full speed. They block while as much is under way
 * as the way needs ({@link FlowWindow}), so memory is bounded. The others wait for their answer. Failures are
 * {@link AgentException}s, in futures as well.
 *
 * <p>Safe for several threads, but a connection has at most one open snapshot. Futures complete on the route's own
 * thread, so what is chained to them must not block.
 */
public final class AgentClient implements Closeable {

    /** Chunks of so many bytes are asked for with one request. */
    private static final int TOGETHER_BYTES = FlowWindow.START_BYTES / 4;

    /**
     * The first and the last region of an answer may have chunks that nobody asked for: so much more may come, which is
     * not counted as under way since it seldom does. Without room for them they would have to be asked for again.
     */
    private static final int BESIDE_BYTES = 512 << 10;

    /** After so long without a byte an agent is given up, if nothing else is said. */
    public static final Duration USUAL_SILENCE = Duration.ofMinutes(2);

    /** Memory for answers to a window of requests, and for twice as many that somebody works on. */
    private static final int KEPT_BYTES = 4 * FlowWindow.START_BYTES;

    private final AgentRoute route;
    private final Lane first;
    private final ChunkLanes lanes;
    private final BodyBuffers bodies;
    private final Pace pace;
    private final LongAdder answers = new LongAdder();

    private AgentClient(AgentRoute route, ChunkLanes.Connector connector, BodyBuffers bodies, Pace pace) {
        this.route = route;
        this.first = new Lane(route, FlowWindow.START_BYTES);
        this.lanes = new ChunkLanes(first, connector);
        this.bodies = bodies;
        this.pace = pace;
    }

    /** Loads what the first connection needs, which may be done beside other things that a program starts with. */
    public static void prepare() {
        SocketRoute.prepare();
    }

    /** Connects, checks the agent's certificate and host name, shows the own certificate, and agrees on a version. */
    public static AgentClient connect(HostPort agent, TlsFiles tls) throws IOException {
        return connect(agent, tls, Pace.unlimited(), USUAL_SILENCE);
    }

    /**
     * The same.
     *
     * @param pace that requests together with the chunks that they ask for keep to
     * @param silence after which the agent is given up: what waits then fails
     */
    public static AgentClient connect(HostPort agent, TlsFiles tls, Pace pace, Duration silence) throws IOException {
        BodyBuffers bodies = BodyBuffers.onHeap(KEPT_BYTES);
        ChunkLanes.Connector connector = () -> new SocketRoute(agent, tls, silence, bodies);
        return new AgentClient(connector.connect(), connector, bodies, pace);
    }

    /** Asks by another way than a connection; closing the client closes it. */
    public static AgentClient over(AgentRoute route) {
        ChunkLanes.Connector none = () -> {
            throw new IOException("there is one way alone");
        };
        return new AgentClient(route, none, BodyBuffers.onHeap(0), Pace.unlimited());
    }

    /**
     * Once many chunks go to and fro, they may do so over so many further connections, which are closed with this. Over
     * another route there are none.
     */
    public void allowConnections(int further) {
        lanes.allow(further);
        bodies.keep(KEPT_BYTES / 2 * (2 + further));
    }

    /** What the agent said first. */
    public Answer.Greeting greeting() {
        return route.greeting();
    }

    /** By which name the agent was asked for, on the network; empty if it is not on one. */
    public Optional<HostPort> address() {
        return route.address().map(HostPort::parse);
    }

    /** Which of these chunks the agent has: a bit for each. At most {@link WireFormat#MAX_BATCH}. */
    public CompletableFuture<BitSet> lookup(List<Fingerprint> fingerprints) {
        Request.Lookup request = new Request.Lookup(fingerprints);
        return ask(request, request.bodyBytes())
                .thenApply(answer -> Answers.expect(answer, Answer.Found.class).present());
    }

    /**
     * Sends a region, whose bytes are taken before this returns. Complete once the agent has digested and written it;
     * durable with the next sync or commit.
     */
    public CompletableFuture<Void> put(StoredRegion region) {
        return askForChunks(new Request.Put(region), region.encodedBytes())
                .thenAccept(answer -> Answers.expect(answer, Answer.Done.class));
    }

    /** Makes durable what was put before; waits until it is. */
    public void sync() throws IOException {
        await(ask(new Request.Sync(), 0), Answer.Done.class);
    }

    /** Starts a snapshot; an agent that has no room for an image of this length, if it is known, refuses it now. */
    public void begin(SnapshotName name, SnapshotSeal seal, long imageBytes) throws IOException {
        long length = route.version() >= WireFormat.KEEP_ALIVE_VERSION ? imageBytes : Request.Begin.UNKNOWN_LENGTH;
        await(ask(new Request.Begin(name, seal, length), 0), Answer.Done.class);
        lanes.begins();
    }

    /** Sends the next page of the open snapshot's list; its chunks must have been found or put. */
    public CompletableFuture<Void> append(ListPage page) {
        Request.Append request = new Request.Append(page);
        return ask(request, request.bodyBytes()).thenAccept(answer -> Answers.expect(answer, Answer.Done.class));
    }

    /** Whether the agent knows lists that share pages with others. */
    public boolean sharesPages() {
        return route.version() >= WireFormat.SHARED_LISTS_VERSION;
    }

    /** The open snapshot's list goes on with pages of another's, which is there. */
    public CompletableFuture<Void> share(long snapshotId, int first, int count) {
        return ask(new ListRequest.Share(snapshotId, first, count), 0)
                .thenAccept(answer -> Answers.expect(answer, Answer.Done.class));
    }

    /**
     * Which pages a shared list has.
     *
     * @param check whether the agent is to say which are sound; see {@link ListRequest.ListPages}
     */
    public PageDigests listPages(long snapshotId, boolean check) throws IOException {
        List<Fingerprint> digests = new ArrayList<>();
        BitSet sound = new BitSet();
        int total;
        do {
            PageDigests some =
                    await(ask(new ListRequest.ListPages(snapshotId, digests.size(), check), 0), PageDigests.class);
            total = some.total();
            int before = digests.size();
            some.sound().stream().forEach(page -> sound.set(before + page));
            digests.addAll(some.digests());
            if (some.digests().isEmpty() && digests.size() < total) {
                throw new AgentException(
                        ErrorCode.PROTOCOL, "the agent lists no page after " + digests.size() + " of " + total);
            }
        } while (digests.size() < total);
        return new PageDigests(total, digests, sound);
    }

    /** Sends a whole copy of a page of a shared list whose own the agent can't read. */
    public void mendPage(long snapshotId, ListPage page) throws IOException {
        await(ask(new ListRequest.MendPage(snapshotId, page), page.encodedBytes()), Answer.Done.class);
    }

    /** Publishes the open snapshot; it is durable when this returns. */
    public SnapshotInfo commit(long imageBytes, long chunkCount, Fingerprint contentDigest, SealedBytes summary)
            throws IOException {
        Request.Commit commit = new Request.Commit(imageBytes, chunkCount, contentDigest, summary);
        SnapshotInfo snapshot = await(ask(commit, 0), Answer.Committed.class).snapshot();
        lanes.ends();
        return snapshot;
    }

    /**
     * Asks what the open snapshot is to be sealed with.
     *
     * @param auditOffset of an audit position that is known; 0 for none
     */
    public Answer.Prepared prepare(long auditOffset) throws IOException {
        return await(ask(new SeriesRequest.Prepare(auditOffset), 0), Answer.Prepared.class);
    }

    /** A page of this client's snapshots of a series: those after an id, 0 for the first page. */
    public Answer.Snapshots list(SnapshotName series, long afterId) throws IOException {
        return await(ask(new SeriesRequest.ListSeries(afterId, series), 0), Answer.Snapshots.class);
    }

    /** A page of this client's snapshots: those after an id, 0 for the first page. */
    public Answer.Snapshots list(long afterId) throws IOException {
        return await(ask(new Request.ListSnapshots(afterId), 0), Answer.Snapshots.class);
    }

    /** A page of a snapshot's list, counted from 0; see {@link ListPage#pages}. */
    public CompletableFuture<ListPage> show(long snapshotId, int page) {
        return ask(new Request.Show(snapshotId, page), ListPage.MAX_BYTES)
                .thenApply(answer -> Answers.expect(answer, Answer.Page.class).page());
    }

    /** Asks for the region of a chunk. The agent digests it, and notes and names damage. Nothing is checked here. */
    public CompletableFuture<StoredRegion> fetch(ChunkRef ref) {
        return ask(new Request.Fetch(ref.fingerprint()), ref.length())
                .thenApply(answer -> Answers.expect(answer, Answer.Region.class).region());
    }

    /**
     * Asks for the regions that chunks are in. Some may be left out, never all, where regions are longer than what is
     * asked for of them: those are to be asked for again. Where chunks are so many that more than one request is sent,
     * a region may come twice. Nobody checks anything of them: whoever asks proves them by their seals, and asks by
     * {@link #fetch} again for a chunk that can't be proved.
     */
    public CompletableFuture<List<StoredRegion>> fetchMany(List<ChunkRef> refs) {
        List<CompletableFuture<List<StoredRegion>>> parts = new ArrayList<>();
        int to;
        for (int from = 0; from < refs.size(); from = to) {
            int bytes = 0;
            to = from;
            while (to < refs.size()
                    && to - from < WireFormat.MAX_FETCH
                    && (to == from || bytes + refs.get(to).length() <= TOGETHER_BYTES)) {
                bytes += refs.get(to++).length();
            }
            parts.add(fetchSome(refs.subList(from, to), bytes));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(all -> {
            List<StoredRegion> regions = new ArrayList<>();
            parts.forEach(part -> regions.addAll(part.join()));
            return regions;
        });
    }

    /** Where what the agent keeps lies on this machine; see {@link AgentRoute#places}. */
    public Optional<RegionPlaces> places() {
        return route.places();
    }

    /** Gives back all regions of some answers. Nobody looks at them any more: later answers may use their memory. */
    public void giveBack(List<StoredRegion> regions) {
        route.giveBack(regions);
    }

    /** Room is asked for as if each chunk were by itself, and not compressed. */
    private CompletableFuture<List<StoredRegion>> fetchSome(List<ChunkRef> refs, int plainBytes) {
        int expectedBytes = plainBytes + refs.size() * RegionFormat.REGION_BYTES;
        int mostBytes = Math.min(expectedBytes + BESIDE_BYTES, WireFormat.MAX_FETCH_BYTES);
        List<Fingerprint> asked = refs.stream().map(ChunkRef::fingerprint).toList();
        return askForChunks(new Request.FetchMany(mostBytes, asked), expectedBytes)
                .thenApply(
                        answer -> Answers.expect(answer, Answer.Regions.class).regions());
    }

    /** Has the agent re-read and re-digest the next part; see {@link Request.Verify}. */
    public Answer.Verified verify(long snapshotId, long cursor) throws IOException {
        return await(ask(new Request.Verify(snapshotId, cursor), 0), Answer.Verified.class);
    }

    /** Has the agent re-read and re-digest the next part of some of what it keeps; see {@link Request.VerifySome}. */
    public Answer.Verified verify(VerifyScope scope, long cursor) throws IOException {
        return await(ask(new Request.VerifySome(scope, cursor), 0), Answer.Verified.class);
    }

    /**
     * Deletes snapshots of this client's namespace, all or none; they are durably gone when this returns.
     *
     * @return what waits instead, where another client must confirm a deletion: then nothing is gone yet
     */
    public Optional<PendingDeletion> delete(List<Long> snapshotIds) throws IOException {
        Answer answer = await(ask(new UpkeepRequest.Delete(snapshotIds), 0), Answer.class);
        if (answer instanceof UpkeepAnswer.Pending waiting) {
            return waiting.deletion();
        }
        await(CompletableFuture.completedFuture(answer), Answer.Done.class);
        return Optional.empty();
    }

    /** The deletion of this client's namespace that waits for a second client and has the next id, 0 for the first. */
    public Optional<PendingDeletion> pending(long afterId) throws IOException {
        return await(ask(new UpkeepRequest.Pending(afterId), 0), UpkeepAnswer.Pending.class)
                .deletion();
    }

    /** Confirms another client's deletion as it was looked at. Its snapshots are durably gone when this returns. */
    public void confirm(PendingDeletion deletion) throws IOException {
        await(ask(new UpkeepRequest.Confirm(deletion.id(), deletion.digest()), 0), Answer.Done.class);
    }

    /** Withdraws a deletion that waits. */
    public void withdraw(long requestId) throws IOException {
        await(ask(new UpkeepRequest.Withdraw(requestId), 0), Answer.Done.class);
    }

    /** Has the agent begin a collection or do its next step; see {@link UpkeepRequest.Collect}. */
    public UpkeepAnswer.Collected collect(UpkeepRequest.Collect step) throws IOException {
        return await(ask(step, 0), UpkeepAnswer.Collected.class);
    }

    /** How much is kept. */
    public UpkeepAnswer.Statistics statistics() throws IOException {
        return await(ask(new UpkeepRequest.Stats(), 0), UpkeepAnswer.Statistics.class);
    }

    /** How the keepers of the agent's store stand; empty if it has none, or if the agent is too old to tell. */
    public Optional<KeepersState> keepers() throws IOException {
        return route.version() < WireFormat.KEEPERS_VERSION
                ? Optional.empty()
                : await(ask(new UpkeepRequest.Keepers(), 0), UpkeepAnswer.Keepers.class)
                        .state();
    }

    /** How many bytes of answers and requests may be under way now: more on a long way. */
    public int windowBytes() {
        return lanes.windowBytes();
    }

    /** How many requests were answered so far: whether the agent works, which its keep-alives don't tell. */
    public long answers() {
        return answers.sum();
    }

    /** Bytes of requests so far; of a connection what went through the socket, TLS and all. */
    public long sentBytes() {
        return route.sentBytes()
                + lanes.further().mapToLong(AgentRoute::sentBytes).sum();
    }

    /** Bytes of answers so far; of a connection what came through the socket, TLS and all. */
    public long receivedBytes() {
        return route.receivedBytes()
                + lanes.further().mapToLong(AgentRoute::receivedBytes).sum();
    }

    private CompletableFuture<Answer> ask(Request request, int weight) {
        return ask(first, request, permits(weight));
    }

    private CompletableFuture<Answer> askForChunks(Request request, int weight) {
        int permits = permits(weight);
        return ask(lanes.next(permits), request, permits);
    }

    private CompletableFuture<Answer> ask(Lane lane, Request request, int permits) {
        pace.take(permits);
        return lane.ask(request, permits).whenComplete((done, error) -> answers.increment());
    }

    private static int permits(int weight) {
        return Math.min(weight + WireFormat.HEADER_BYTES, FlowWindow.START_BYTES);
    }

    private static <T extends Answer> T await(CompletableFuture<Answer> answer, Class<T> type) throws IOException {
        return Answers.await(answer.thenApply(done -> Answers.expect(done, type)));
    }

    /** Closes the way, and others that were opened. What still waits fails. */
    @Override
    public void close() throws IOException {
        try (lanes) {
            route.close();
        }
    }
}
