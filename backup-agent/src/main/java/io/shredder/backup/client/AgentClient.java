// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.BodyArrays;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ErrorCode;
import io.shredder.backup.protocol.Frame;
import io.shredder.backup.protocol.FrameDecoder;
import io.shredder.backup.protocol.HostPort;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.Request;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.SnapshotSeal;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.backup.protocol.TlsFiles;
import io.shredder.backup.protocol.UpkeepAnswer;
import io.shredder.backup.protocol.UpkeepRequest;
import io.shredder.backup.protocol.VerifyScope;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;

/**
 * START HERE. One connection to an agent. Methods that give a future may be called while many earlier answers are still to come, which
 * is how one gets full speed over a long link; they block while as much is under way as the way needs ({@link FlowWindow}),
 * so memory is bounded. The others wait for their answer. Failures are {@link AgentException}s, in futures as well.
 *
 * <p>Safe for several threads, but a connection has at most one open snapshot. One thread of its own, {@code agent-client-io}; futures
 * complete there, so what is chained to them must not block.
 */
public final class AgentClient implements Closeable {

    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final int HANDSHAKE_TIMEOUT_MS = 20_000;

    /** Chunks of so many bytes are asked for with one request. */
    private static final int TOGETHER_BYTES = FlowWindow.START_BYTES / 4;

    /**
     * The first and the last region of an answer may have chunks that nobody asked for: so much more may come, which is not counted as under way since it
     * seldom does. Without room for them they would have to be asked for again.
     */
    private static final int BESIDE_BYTES = 512 << 10;

    /** Memory for answers to a window of requests, and for twice as many that somebody is working on; an array may have some room to spare. */
    private static final int KEPT_BYTES = 4 * FlowWindow.START_BYTES;

    private final EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("agent-client-io", true));
    private final WireBytes wireBytes = new WireBytes();
    private final FlowWindow window = new FlowWindow();
    private final BodyArrays bodies = new BodyArrays(KEPT_BYTES);
    private final AtomicInteger requestIds = new AtomicInteger(WireFormat.NO_REQUEST);
    private final Pace pace;
    private final AnswerHandler answers;
    private final Channel channel;
    private final Answer.Greeting greeting;

    private AgentClient(HostPort agent, TlsFiles tls, Pace pace) throws IOException {
        this.pace = pace;
        ConnectionErrors errors = new ConnectionErrors(agent, tls);
        this.answers = new AnswerHandler("agent " + agent, errors);
        try {
            this.channel = open(agent, tls.forClient(), errors);
            this.greeting = greeting(errors);
            agree(agent, greeting);
        } catch (IOException | RuntimeException e) {
            shutDown();
            throw e;
        }
    }

    /** Loads what the first connection needs, which may be done beside other things that a program starts with. */
    public static void prepare() {
        if (OpenSsl.isAvailable()) {
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
    }

    /** Connects, checks the agent's certificate and host name, shows the own certificate, and agrees on a version. */
    public static AgentClient connect(HostPort agent, TlsFiles tls) throws IOException {
        return connect(agent, tls, Pace.unlimited());
    }

    /** The same, and requests together with the chunks that they ask for keep to a pace. */
    public static AgentClient connect(HostPort agent, TlsFiles tls, Pace pace) throws IOException {
        return new AgentClient(agent, tls, pace);
    }

    private Channel open(HostPort agent, SslContext context, ConnectionErrors errors) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.RCVBUF_ALLOCATOR, FrameDecoder.reads())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        opened.pipeline()
                                .addLast(wireBytes)
                                .addLast(tlsHandler(context, opened, agent))
                                .addLast(new FrameDecoder("agent " + agent, bodies))
                                .addLast(answers);
                    }
                });
        ChannelFuture connected = bootstrap.connect(agent.host(), agent.port()).awaitUninterruptibly();
        if (!connected.isSuccess()) {
            throw errors.of(connected.cause());
        }
        return connected.channel();
    }

    private static SslHandler tlsHandler(SslContext context, Channel channel, HostPort agent) {
        SslHandler handler = context.newHandler(channel.alloc(), agent.host(), agent.port());
        handler.setHandshakeTimeoutMillis(HANDSHAKE_TIMEOUT_MS);
        handler.setWrapDataSize(0); // All of a frame at once, not a record's length after the other.
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    /** The agent greets only after it has accepted this side's certificate. */
    private Answer.Greeting greeting(ConnectionErrors errors) throws IOException {
        try {
            return answers.greeting().get(HANDSHAKE_TIMEOUT_MS * 2L, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw errors.of(e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw errors.closed(false);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void agree(HostPort agent, Answer.Greeting first) throws AgentException {
        int version = Math.min(first.maxVersion(), WireFormat.MAX_VERSION);
        if (version < first.minVersion() || version < WireFormat.MIN_VERSION) {
            throw new AgentException(
                    ErrorCode.VERSION,
                    "agent " + agent + " speaks protocol versions " + first.minVersion() + " to " + first.maxVersion()
                            + ", this program " + WireFormat.MIN_VERSION + " to " + WireFormat.MAX_VERSION
                            + ": upgrade the older side");
        }
        Request hello = new Request.Hello(version, "shredder backup-server");
        var unused = channel.writeAndFlush(
                Frame.encode(channel.alloc(), WireFormat.NO_REQUEST, hello), channel.voidPromise());
    }

    /** What the agent said first. */
    public Answer.Greeting greeting() {
        return greeting;
    }

    /** Which of these chunks the agent has: a bit for each. At most {@link WireFormat#MAX_BATCH}. */
    public CompletableFuture<BitSet> lookup(List<Fingerprint> fingerprints) {
        Request.Lookup request = new Request.Lookup(fingerprints);
        return ask(request, request.bodyBytes())
                .thenApply(answer -> expect(answer, Answer.Found.class).present());
    }

    /**
     * Sends a region, whose bytes are taken before this returns. Complete once the agent has digested and written it; durable with the next sync
     * or commit.
     */
    public CompletableFuture<Void> put(StoredRegion region) {
        return ask(new Request.Put(region), region.encodedBytes())
                .thenAccept(answer -> expect(answer, Answer.Done.class));
    }

    /** Makes durable what was put before; waits until it is. */
    public void sync() throws IOException {
        await(ask(new Request.Sync(), 0), Answer.Done.class);
    }

    /** Starts a snapshot. */
    public void begin(SnapshotName name, SnapshotSeal seal) throws IOException {
        await(ask(new Request.Begin(name, seal), 0), Answer.Done.class);
    }

    /** Sends the next page of the open snapshot's list; its chunks must have been found or put. */
    public CompletableFuture<Void> append(ListPage page) {
        Request.Append request = new Request.Append(page);
        return ask(request, request.bodyBytes()).thenAccept(answer -> expect(answer, Answer.Done.class));
    }

    /** Publishes the open snapshot; it is durable when this returns. */
    public SnapshotInfo commit(long imageBytes, long chunkCount, Fingerprint contentDigest, SealedBytes summary)
            throws IOException {
        return await(ask(new Request.Commit(imageBytes, chunkCount, contentDigest, summary), 0), Answer.Committed.class)
                .snapshot();
    }

    /** A page of this client's snapshots: those after an id, 0 for the first page. */
    public Answer.Snapshots list(long afterId) throws IOException {
        return await(ask(new Request.ListSnapshots(afterId), 0), Answer.Snapshots.class);
    }

    /** A page of a snapshot's list, counted from 0; see {@link ListPage#pages}. */
    public CompletableFuture<ListPage> show(long snapshotId, int page) {
        return ask(new Request.Show(snapshotId, page), ListPage.MAX_BYTES)
                .thenApply(answer -> expect(answer, Answer.Page.class).page());
    }

    /** Asks for the region that a chunk is in; the agent digests it, and notes and names damage. Nothing of it is checked here. */
    public CompletableFuture<StoredRegion> fetch(ChunkRef ref) {
        return ask(new Request.Fetch(ref.fingerprint()), ref.length())
                .thenApply(answer -> expect(answer, Answer.Region.class).region());
    }

    /**
     * Asks for the regions that chunks are in. Some may be left out, never all, where regions are longer than what is asked for of them: those are to
     * be asked for again. Where chunks are so many that more than one request is sent, a region may come twice. Nobody checks anything of them: whoever
     * asks proves them by their seals, and asks by {@link #fetch} again for a chunk that can't be proved.
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

    /** Nobody looks at these regions any more, all that some answers had: their memory may be used for answers to come. */
    public void giveBack(List<StoredRegion> regions) {
        bodies.giveBack(regions);
    }

    /** Room is asked for as if each chunk were by itself, and not compressed. */
    private CompletableFuture<List<StoredRegion>> fetchSome(List<ChunkRef> refs, int plainBytes) {
        int expectedBytes = plainBytes + refs.size() * WireFormat.REGION_BYTES;
        int mostBytes = Math.min(expectedBytes + BESIDE_BYTES, WireFormat.MAX_FETCH_BYTES);
        List<Fingerprint> asked = refs.stream().map(ChunkRef::fingerprint).toList();
        return ask(new Request.FetchMany(mostBytes, asked), expectedBytes)
                .thenApply(answer -> expect(answer, Answer.Regions.class).regions());
    }

    /** Has the agent re-read and re-digest the next part; see {@link Request.Verify}. */
    public Answer.Verified verify(long snapshotId, long cursor) throws IOException {
        return await(ask(new Request.Verify(snapshotId, cursor), 0), Answer.Verified.class);
    }

    /** Has the agent re-read and re-digest the next part of some of what it keeps; see {@link Request.VerifySome}. */
    public Answer.Verified verify(VerifyScope scope, long cursor) throws IOException {
        return await(ask(new Request.VerifySome(scope, cursor), 0), Answer.Verified.class);
    }

    /** Deletes snapshots of this client's namespace, all or none; they are durably gone when this returns. */
    public void delete(List<Long> snapshotIds) throws IOException {
        await(ask(new UpkeepRequest.Delete(snapshotIds), 0), Answer.Done.class);
    }

    /** Has the agent begin a collection or do its next step; see {@link UpkeepRequest.Collect}. */
    public UpkeepAnswer.Collected collect(UpkeepRequest.Collect step) throws IOException {
        return await(ask(step, 0), UpkeepAnswer.Collected.class);
    }

    /** How much is kept. */
    public UpkeepAnswer.Statistics statistics() throws IOException {
        return await(ask(new UpkeepRequest.Stats(), 0), UpkeepAnswer.Statistics.class);
    }

    /** How many bytes of answers and requests may be under way now: more on a long way. */
    public int windowBytes() {
        return window.bytes();
    }

    /** Bytes sent through the socket so far, TLS and all. */
    public long sentBytes() {
        return wireBytes.sent();
    }

    /** Bytes received through the socket so far, TLS and all. */
    public long receivedBytes() {
        return wireBytes.received();
    }

    private CompletableFuture<Answer> ask(Request request, int weight) {
        int permits = permits(weight);
        take(permits);
        return send(request, permits);
    }

    private static int permits(int weight) {
        return Math.min(weight + WireFormat.HEADER_BYTES, FlowWindow.START_BYTES);
    }

    private void take(int permits) {
        pace.take(permits);
        window.acquire(permits);
    }

    /** Writes a request, whose answer gives the permits back. */
    private CompletableFuture<Answer> send(Request request, int permits) {
        int requestId = nextRequestId();
        CompletableFuture<Answer> answer = answers.expect(requestId);
        long askedNs = System.nanoTime();
        CompletableFuture<Answer> released = answer.whenComplete((done, error) -> {
            window.answered(System.nanoTime() - askedNs);
            window.release(permits);
        });
        var frame = Frame.encode(channel.alloc(), requestId, request);
        var unused = channel.writeAndFlush(frame, channel.voidPromise());
        return released;
    }

    private int nextRequestId() {
        int id = requestIds.incrementAndGet();
        return id != WireFormat.NO_REQUEST ? id : requestIds.incrementAndGet();
    }

    private static <T extends Answer> T expect(Answer answer, Class<T> type) {
        if (!type.isInstance(answer)) {
            throw new java.util.concurrent.CompletionException(new AgentException(
                    ErrorCode.PROTOCOL,
                    "the agent answered " + answer.type() + " where " + type.getSimpleName() + " was due"));
        }
        return type.cast(answer);
    }

    private static <T extends Answer> T await(CompletableFuture<Answer> answer, Class<T> type) throws IOException {
        return Answers.await(answer.thenApply(done -> expect(done, type)));
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while waiting for the agent", e);
    }

    private void shutDown() {
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Closes the connection. What still waits fails. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown();
    }
}
