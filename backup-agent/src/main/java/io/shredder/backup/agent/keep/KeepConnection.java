// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import com.google.common.base.Throwables;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.ClientNames;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameDecoder;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Message;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SilenceWatch;
import io.shredder.backup.wire.WireFormat;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.chunk.DamagedDataException;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: lets it in, reads its requests and sends the answers, on its event loop; what they ask is
 * done by {@link KeepWork}. Memory is bounded: nothing is read while {@value #UNDER_WAY_BYTES} bytes of requests and of
 * their answers are under way.
 */
final class KeepConnection extends SimpleChannelInboundHandler<Frame> {

    private static final Logger LOG = LoggerFactory.getLogger(KeepConnection.class);
    private static final int UNDER_WAY_BYTES = 16 << 20;
    private static final int MAX_LOGGED_CHARS = 200;

    private final KeepDaemon daemon;
    private final String peer;
    private final SilenceWatch watch;
    private final FrameDecoder decoder;
    private final KeepWork work;
    private @Nullable ChannelHandlerContext context;
    private SnapshotName client = new SnapshotName("nobody");
    private BigInteger serial = BigInteger.ZERO;
    private boolean shaken;
    private boolean admitted;
    private volatile boolean failing;

    /** The version of the conversation; 0 before it was chosen. */
    private int version;

    private long underWayBytes;

    KeepConnection(KeepDaemon daemon, String peer) {
        super(Frame.class);
        this.daemon = daemon;
        this.peer = peer;
        this.watch = new SilenceWatch(daemon.limits().silence(), this::judge);
        this.decoder = new FrameDecoder(peer, BodyBuffers.onHeap(0), this::takeRoom);
        KeepSession session = new KeepSession(daemon.folder(), this::asHolder, this::mayKeep);
        this.work = new KeepWork(daemon.workers(), session, () -> daemon.forget(this));
    }

    /** Behind TLS. */
    void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(watch).addLast(decoder).addLast(this);
    }

    private KeptFolder.Holder asHolder(UUID id) {
        return new KeptFolder.Holder(client.value(), id, peer, Instant.now(), this::cutOff);
    }

    /** Asked again at each change: rules and revocation list may change while the connection lasts. */
    private boolean mayKeep() {
        return daemon.mayKeep(client) && !daemon.isRevoked(serial);
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
                channel.executor().schedule(() -> endWithoutGreeting(limit), limit.toMillis(), TimeUnit.MILLISECONDS);
        super.channelActive(channel);
    }

    private void endWithoutGreeting(Duration limit) {
        if (version == 0 && context().channel().isActive()) {
            String what = shaken ? "first frame" : "TLS handshake";
            LOG.warn("closing the connection of {}: no {} within {} s", peer, what, limit.toSeconds());
            cutOff();
        }
    }

    /** Ends the connection if its client, or the way to it, hangs. */
    private void judge(Duration unheard, Optional<Duration> untaken) {
        Duration limit = daemon.limits().silence();
        Duration longest = untaken.filter(time -> time.compareTo(unheard) > 0).orElse(unheard);
        if (version > 0 && longest.compareTo(limit) >= 0) {
            fail(ErrorCode.TIMED_OUT, "client " + client + " was silent for " + longest.toSeconds() + " s");
        }
    }

    /** Whether there is memory for another request. */
    private boolean takeRoom(int bytes) {
        if (failing) {
            return false;
        }
        int most = work.holds()
                ? KeepFormat.MAX_REQUEST_MEMORY
                : FrameDecoder.memoryBytes(KeepFormat.MAX_UNHELD_BODY_BYTES);
        if (bytes > most) {
            fail(ErrorCode.PROTOCOL, "a request takes " + bytes + " bytes, and " + most + " may");
            return false;
        }
        if (underWayBytes > 0 && underWayBytes + bytes > UNDER_WAY_BYTES) {
            return false;
        }
        underWayBytes += bytes;
        return true;
    }

    /** On the event loop. */
    private void giveBack(long bytes) {
        underWayBytes -= bytes;
        try {
            decoder.retry(context());
        } catch (Exception e) {
            exceptionCaught(context(), e);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            shaken = true;
            greet(channel);
        }
        super.userEventTriggered(channel, event);
    }

    /** Only now is the client's certificate known to be good. */
    private void greet(ChannelHandlerContext channel) throws SSLPeerUnverifiedException {
        X509Certificate certificate = (X509Certificate)
                channel.pipeline().get(SslHandler.class).engine().getSession().getPeerCertificates()[0];
        serial = certificate.getSerialNumber();
        String subject = certificate.getSubjectX500Principal().getName();
        if (daemon.isRevoked(serial)) {
            refuse("the certificate of " + subject + ", serial number " + serial.toString(16)
                    + ", is revoked: use another");
            return;
        }
        try {
            client = ClientNames.of(certificate);
        } catch (IllegalArgumentException e) {
            refuse("the certificate's CN can't be used: " + e.getMessage());
            return;
        }
        if (!daemon.mayKeep(client)) {
            refuse("client " + client + " has no right here: give it 'keep' in the keeper's file of rights");
            return;
        }
        if (!daemon.admit(this)) {
            fail(ErrorCode.BUSY, "the keeper has too many connections, or is stopping: try again later");
            return;
        }
        admitted = true;
        daemon.strangers().known(channel.channel());
        send(
                WireFormat.NO_REQUEST,
                new KeeperAnswer.Greeting(
                        KeepFormat.MIN_VERSION,
                        KeepFormat.MAX_VERSION,
                        daemon.process(),
                        "shredder backup-agent keep"));
    }

    private void refuse(String why) {
        fail(ErrorCode.NOT_PERMITTED, why);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext channel, Frame frame) throws DamagedDataException {
        int bytes = FrameDecoder.memoryBytes(frame.body().limit());
        if (!admitted || failing) {
            return; // It is being refused.
        }
        if (version == 0) {
            agree(frame);
            giveBack(bytes);
        } else if (frame.type() == FrameType.KEEP_ALIVE) {
            watch.heard(frame.keepAlive(peer), channel);
            giveBack(bytes);
        } else if (frame.requestId() == WireFormat.NO_REQUEST) {
            throw new DamagedDataException(peer, frame.streamOffset() + 4, "a request has number 0");
        } else {
            KeeperRequest request = KeeperRequest.read(frame.type(), frame.reader(peer));
            long most = (long) bytes + request.mostAnswerBytes();
            underWayBytes += request.mostAnswerBytes();
            work.begin(request, answer -> answer(frame.requestId(), answer, most));
        }
    }

    private void agree(Frame frame) throws DamagedDataException {
        if (frame.type() != FrameType.HELLO || !(frame.request(peer) instanceof Request.Hello hello)) {
            throw new DamagedDataException(peer, 0, "the first frame is " + frame.type() + ", not HELLO");
        }
        if (hello.version() < KeepFormat.MIN_VERSION || hello.version() > KeepFormat.MAX_VERSION) {
            fail(
                    ErrorCode.VERSION,
                    "version " + hello.version() + " of the keepers' protocol is not spoken here: upgrade the older"
                            + " side");
            return;
        }
        version = hello.version();
        watch.keepAlive(context());
        LOG.info("client {} connected from {}", client, peer);
    }

    /** From any thread. The answer counts as under way until the client has taken it. */
    private void answer(int requestId, Message answer, long bytes) {
        context()
                .writeAndFlush(Frame.encode(context().alloc(), requestId, answer))
                .addListener(taken -> giveBack(bytes));
    }

    private void send(int requestId, Message message) {
        var unused = context().writeAndFlush(Frame.encode(context().alloc(), requestId, message));
    }

    /** Says why, then closes the connection, after a while also if the client doesn't take that. */
    private void fail(ErrorCode code, String text) {
        if (failing) {
            return;
        }
        failing = true;
        long limitMs = daemon.limits().handshake().toMillis();
        var unused = context().executor().schedule(this::cutOff, limitMs, TimeUnit.MILLISECONDS);
        LOG.warn("closing the connection of {}: {}", peer, text);
        context()
                .writeAndFlush(Frame.encode(
                        context().alloc(), WireFormat.NO_REQUEST, new Answer.Failure(code, "keeper: " + text)))
                .addListener(ChannelFutureListener.CLOSE);
    }

    /** The keeper is stopping. */
    void stop() {
        fail(ErrorCode.BUSY, "the keeper is stopping");
    }

    /** Closes the connection without a word. */
    private void cutOff() {
        var unused = context().close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext channel) {
        if (admitted) {
            LOG.info("client {} from {} is gone", client, peer);
            work.end();
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
        String text = String.valueOf(Throwables.getRootCause(error).getMessage());
        LOG.warn(
                "connection of {} failed: {}",
                peer,
                text.length() > MAX_LOGGED_CHARS ? text.substring(0, MAX_LOGGED_CHARS) + "..." : text);
        cutOff();
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }
}
