// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import com.google.common.base.Throwables;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.ClientNames;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameDecoder;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.SilenceWatch;
import io.shredder.backup.wire.Window;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection, between its event loop and its {@link ClientWorker}. Memory is bounded both ways
 * ({@link ClientMemory}): reading stops while there is none for another request, and the worker waits while the client
 * doesn't take its answers. So is time ({@link AgentLimits}).
 */
public final class AgentConnection extends SimpleChannelInboundHandler<Frame> {

    private static final Logger LOG = LoggerFactory.getLogger(AgentConnection.class);
    private static final int MAX_LOGGED_CHARS = 200;

    private final AgentDaemon daemon;
    private final String peer;
    private final BodyBuffers bodies;
    private final BlockingQueue<Frame> requests = new LinkedBlockingQueue<>();
    private final SilenceWatch watch;
    private final FrameDecoder decoder;
    private @Nullable ChannelHandlerContext context;
    private @Nullable SslHandler tls;
    private @Nullable ClientWorker worker;
    private volatile @Nullable AnswerSender sender;
    private volatile @Nullable ClientMemory memory;

    /** Of the client; 0 before it has chosen one. */
    private volatile int version;

    /** When the last request came or was answered; none is being worked on unless {@link #working}. */
    private volatile long lastRequestNs = System.nanoTime();

    private volatile boolean working;

    /** Whether nobody answers requests any more. */
    private volatile boolean forgotten;

    AgentConnection(AgentDaemon daemon, String peer, BodyBuffers bodies) {
        super(Frame.class);
        this.daemon = daemon;
        this.peer = peer;
        this.bodies = bodies;
        this.watch = new SilenceWatch(daemon.limits().silence(), this::judge);
        this.decoder = new FrameDecoder(peer, bodies, this::takeRoom);
    }

    /** Behind TLS. */
    void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(watch).addLast(decoder).addLast(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelActive(ChannelHandlerContext channel) throws Exception {
        daemon.strangers().add(channel.channel());
        Duration limit = daemon.limits().handshake();
        var unused =
                channel.executor().schedule(() -> endWithoutHandshake(limit), limit.toMillis(), TimeUnit.MILLISECONDS);
        super.channelActive(channel);
    }

    private void endWithoutHandshake(Duration limit) {
        if (version == 0 && isOpen()) {
            if (tls == null) {
                LOG.warn("closing the connection of {}: no TLS handshake within {}", peer, seconds(limit));
                cutOff();
            } else {
                fail(ErrorCode.TIMED_OUT, "no first frame came within " + seconds(limit) + ": connect again");
            }
        }
    }

    /** Whether there is memory for another request; nobody has any before it is let in. */
    private boolean takeRoom(int bytes) {
        ClientMemory own = memory;
        return own != null && own.takeRequest(bytes, this::retryRead);
    }

    private void retryRead() {
        context().executor().execute(() -> {
            try {
                decoder.retry(context());
            } catch (Exception e) {
                exceptionCaught(context(), e);
            } finally {
                memory().tried();
            }
        });
    }

    /** Ends the connection if its client, or the way to it, hangs: the client is told, if it takes anything. */
    private void judge(Duration unheard, Optional<Duration> untaken) {
        AgentLimits limits = daemon.limits();
        Duration unasked = working || hasMore() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastRequestNs);
        boolean speaks = version >= WireFormat.KEEP_ALIVE_VERSION || decoder.isInsideFrame();
        if (untaken.isPresent() && untaken.get().compareTo(limits.silence()) >= 0) {
            LOG.warn(
                    "closing the connection of {}: it took nothing of its answers for {}; see that it runs",
                    peer,
                    seconds(untaken.get()));
            cutOff();
        } else if (speaks && unheard.compareTo(limits.silence()) >= 0) {
            String what = decoder.isInsideFrame() ? " in the middle of a frame" : "";
            fail(ErrorCode.TIMED_OUT, "the client was silent for " + seconds(unheard) + what + ": run it again");
        } else if (version > 0 && unasked.compareTo(limits.idle()) >= 0) {
            fail(
                    ErrorCode.TIMED_OUT,
                    "the client asked nothing for " + seconds(unasked)
                            + ": run it again, or raise --idle-timeout at the agent");
        }
    }

    private static String seconds(Duration time) {
        return Math.max(1, time.toSeconds()) + " s";
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            greet(channel);
        }
        super.userEventTriggered(channel, event);
    }

    /** Only now is the client's certificate known to be good. */
    private void greet(ChannelHandlerContext channel) throws SSLPeerUnverifiedException {
        SslHandler shaken = channel.pipeline().get(SslHandler.class);
        tls = shaken;
        X509Certificate certificate = clientCertificate(shaken);
        if (daemon.isRevoked(certificate)) {
            fail(
                    ErrorCode.NOT_PERMITTED,
                    "the certificate of "
                            + certificate.getSubjectX500Principal().getName() + ", serial number "
                            + certificate.getSerialNumber().toString(16) + ", is revoked: use another");
            return;
        }
        SnapshotName client;
        try {
            client = ClientNames.of(certificate);
        } catch (IllegalArgumentException e) {
            fail(ErrorCode.NOT_PERMITTED, "the certificate's CN can't be used: " + e.getMessage());
            return;
        }
        Optional<ClientAccess> access = daemon.accessOf(client);
        if (access.isEmpty()) {
            fail(
                    ErrorCode.NOT_PERMITTED,
                    "client " + client + " has no rights here: name it in the agent's file of rights");
            return;
        }
        ClientWorker started = new ClientWorker(
                daemon.repository(), daemon.digests(), this, access.get(), daemon.shown(client, certificate));
        Optional<String> refusal = daemon.admission().admit(started);
        if (refusal.isPresent()) {
            fail(ErrorCode.BUSY, refusal.get());
            return;
        }
        daemon.strangers().known(channel.channel());
        memory = daemon.memoryOf(client);
        sender = new AnswerSender(context(), shaken);
        worker = started;
        Answer greeting = new Answer.Greeting(
                WireFormat.MIN_VERSION,
                WireFormat.MAX_VERSION,
                RegionFormat.MAX_CHUNK_BYTES,
                daemon.repository().id(),
                access.get().namespace(),
                "shredder backup-agent");
        var unused = channel.writeAndFlush(Frame.encode(channel.alloc(), WireFormat.NO_REQUEST, greeting));
        started.start();
        retryRead();
    }

    private static X509Certificate clientCertificate(SslHandler tls) throws SSLPeerUnverifiedException {
        return (X509Certificate) tls.engine().getSession().getPeerCertificates()[0];
    }

    @Override
    protected void channelRead0(ChannelHandlerContext channel, Frame frame) throws DamagedDataException {
        if (frame.type() == FrameType.KEEP_ALIVE) {
            watch.heard(frame.keepAlive(peer), channel);
            dispose(frame);
            return;
        }
        lastRequestNs = System.nanoTime();
        requests.add(frame);
        if (forgotten) {
            giveBackWaiting();
        }
    }

    /** The next request's frame; waits for it. Called by the worker only. */
    Frame take() throws InterruptedException {
        working = false;
        Frame frame = requests.take();
        working = true;
        return frame;
    }

    /** The version is agreed on. */
    void speaks(int agreed) {
        version = agreed;
        if (agreed >= WireFormat.KEEP_ALIVE_VERSION) {
            context().executor().execute(() -> watch.keepAlive(context()));
        }
    }

    /** Whether the client knows of deletions that wait. */
    boolean knowsPending() {
        return version >= WireFormat.PENDING_VERSION;
    }

    /** A request has been answered, and nobody looks at its frame again. */
    void dispose(Frame frame) {
        bodies.giveBack(frame);
        memory().giveBack(frame);
        lastRequestNs = System.nanoTime();
    }

    /** The client hears, with its next answer, how much to have under way, if that is not what it knows. */
    void tellWindow() {
        OptionalInt bytes = memory().newWindow();
        if (bytes.isPresent() && version >= WireFormat.WINDOW_VERSION) {
            Window window = new Window(bytes.getAsInt());
            var unused = context().write(Frame.encode(context().alloc(), WireFormat.NO_REQUEST, window));
        }
    }

    /** What this client takes of the agent's memory. */
    ClientMemory memory() {
        return Objects.requireNonNull(memory, "not let in");
    }

    /** The worker is done: what came, or comes, and nobody will answer takes no memory any more. */
    void forget() {
        memory().close();
        forgotten = true;
        giveBackWaiting();
    }

    private void giveBackWaiting() {
        for (Frame frame = requests.poll(); frame != null; frame = requests.poll()) {
            bodies.giveBack(frame);
        }
    }

    /** Lets {@link #take} return once more, so that a worker that is to stop notices. */
    void wakeReader() {
        requests.add(new Frame(FrameType.SYNC, WireFormat.NO_REQUEST, ByteBuffer.allocate(0), 0));
    }

    /** The requests that wait for the worker, in order; more may come meanwhile. */
    Iterable<Frame> waiting() {
        return requests;
    }

    /** Whether the worker will find another request without waiting. */
    boolean hasMore() {
        return !requests.isEmpty();
    }

    /**
     * Sends an answer; waits while the client doesn't take what was sent before. Not for the event loop.
     *
     * @param taken run once the client has taken it, or never will
     */
    void answer(int requestId, Answer answer, Runnable taken) throws InterruptedException {
        ByteBuf frame = Frame.encode(context().alloc(), requestId, answer);
        Objects.requireNonNull(sender, "not let in").send(frame, hasMore(), taken);
    }

    /** Says why, then closes the connection. */
    void fail(ErrorCode code, String text) {
        LOG.warn("closing the connection of {}: {}", peer, text);
        context()
                .writeAndFlush(Frame.encode(context().alloc(), WireFormat.NO_REQUEST, new Answer.Failure(code, text)))
                .addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes the connection without a word. */
    void cutOff() {
        var unused = context().close();
    }

    boolean isOpen() {
        return context().channel().isActive();
    }

    String peer() {
        return peer;
    }

    /** Where the other side is. */
    String address() {
        InetSocketAddress at = (InetSocketAddress) context().channel().remoteAddress();
        return new HostPort(at.getAddress().getHostAddress(), at.getPort()).toString();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext channel) {
        wakeSender();
    }

    @Override
    public void channelInactive(ChannelHandlerContext channel) {
        wakeSender();
        if (worker != null) {
            worker.stop();
            memory().wake();
        }
    }

    private void wakeSender() {
        AnswerSender known = sender;
        if (known != null) {
            known.wake();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable error) {
        for (Throwable cause : Throwables.getCausalChain(error)) {
            if (cause instanceof DamagedDataException) {
                fail(ErrorCode.PROTOCOL, String.valueOf(cause.getMessage()));
                return;
            }
        }
        LOG.warn("connection of {} failed: {}", peer, rootMessage(error));
        var unused = channel.close();
    }

    private static String rootMessage(Throwable error) {
        Throwable cause = Throwables.getRootCause(error);
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        // Netty repeats a whole record that isn't TLS, in hexadecimal: thousands of digits of a stranger's choice.
        return text.length() > MAX_LOGGED_CHARS ? text.substring(0, MAX_LOGGED_CHARS) + "..." : text;
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }
}
