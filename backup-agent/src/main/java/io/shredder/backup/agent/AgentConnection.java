// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.BodyArrays;
import io.shredder.backup.protocol.ErrorCode;
import io.shredder.backup.protocol.Frame;
import io.shredder.backup.protocol.FrameType;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection, between its event loop and its {@link ClientWorker}. Memory is bounded both ways: reading stops while more
 * than {@value #HIGH_BYTES} bytes of requests wait, and the worker waits while the client doesn't take its answers.
 */
final class AgentConnection extends SimpleChannelInboundHandler<Frame> {

    private static final Logger LOG = LoggerFactory.getLogger(AgentConnection.class);
    private static final int HIGH_BYTES = 16 << 20;
    private static final int LOW_BYTES = 4 << 20;
    private static final int MAX_LOGGED_CHARS = 200;

    /** So many bytes of answers go together, if there are more to come. */
    private static final int FLUSH_BYTES = 128 << 10;

    /** The most plain bytes of one TLS record. */
    private static final int RECORD_BYTES = 16 << 10;

    /** In place of a length: a whole frame. */
    private static final int ALL_AT_ONCE = 0;

    private final AgentDaemon daemon;
    private final String peer;
    private final BodyArrays bodies;
    private final BlockingQueue<Frame> requests = new LinkedBlockingQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Object writable = new Object();
    private @Nullable ChannelHandlerContext context;
    private @Nullable SslHandler tls;
    private @Nullable ClientWorker worker;

    /** Of the worker's answers. */
    private int unflushedBytes;

    AgentConnection(AgentDaemon daemon, String peer, BodyArrays bodies) {
        super(Frame.class);
        this.daemon = daemon;
        this.peer = peer;
        this.bodies = bodies;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
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
            client = clientName(certificate);
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
        ClientWorker started = new ClientWorker(daemon.repository(), this, access.get());
        if (!daemon.admit(started)) {
            fail(ErrorCode.BUSY, "the agent has too many clients, or is stopping: try again later");
            return;
        }
        worker = started;
        Answer greeting = new Answer.Greeting(
                WireFormat.MIN_VERSION,
                WireFormat.MAX_VERSION,
                WireFormat.MAX_CHUNK_BYTES,
                daemon.repository().id(),
                access.get().namespace(),
                "shredder backup-agent");
        send(Frame.encode(channel.alloc(), WireFormat.NO_REQUEST, greeting), true);
        started.start();
    }

    private static X509Certificate clientCertificate(SslHandler tls) throws SSLPeerUnverifiedException {
        return (X509Certificate) tls.engine().getSession().getPeerCertificates()[0];
    }

    private static SnapshotName clientName(X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().getName();
        try {
            for (Rdn part : new LdapName(subject).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return new SnapshotName(String.valueOf(part.getValue()));
                }
            }
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException(subject, e);
        }
        throw new IllegalArgumentException("'" + subject + "' has none");
    }

    @Override
    protected void channelRead0(ChannelHandlerContext channel, Frame frame) {
        requests.add(frame);
        if (waitingBytes.addAndGet(weight(frame)) > HIGH_BYTES) {
            channel.channel().config().setAutoRead(false);
        }
    }

    /** The next request's frame; waits for it. Called by the worker only. */
    Frame take() throws InterruptedException {
        Frame frame = requests.take();
        if (waitingBytes.addAndGet(-weight(frame)) < LOW_BYTES) {
            context().channel().config().setAutoRead(true);
        }
        return frame;
    }

    /** A request has been answered, and nobody looks at its frame again. */
    void dispose(Frame frame) {
        bodies.giveBack(frame);
    }

    private static long weight(Frame frame) {
        return (long) WireFormat.HEADER_BYTES + frame.body().remaining();
    }

    /** Lets {@link #take} return once more, so that a worker that is to stop notices. */
    void wakeReader() {
        requests.add(new Frame(FrameType.SYNC, WireFormat.NO_REQUEST, ByteBuffer.allocate(0), 0));
    }

    /** Whether the worker will find another request without waiting. */
    boolean hasMore() {
        return !requests.isEmpty();
    }

    /** Sends an answer; waits while the client doesn't take what was sent before. Not for the event loop. */
    void answer(int requestId, Answer answer) throws InterruptedException {
        ByteBuf frame = Frame.encode(context().alloc(), requestId, answer);
        try {
            awaitWritable();
        } catch (InterruptedException e) {
            frame.release();
            throw e;
        }
        encryptTogether(frame.readableBytes());
        unflushedBytes += frame.readableBytes();
        boolean flush = !hasMore() || unflushedBytes >= FLUSH_BYTES;
        if (flush) {
            unflushedBytes = 0;
        }
        send(frame, flush);
    }

    /** Short answers share a TLS record; of a long one all records are made at once, which costs less than one after the other. */
    private void encryptTogether(int frameBytes) {
        Objects.requireNonNull(tls).setWrapDataSize(frameBytes > RECORD_BYTES ? ALL_AT_ONCE : RECORD_BYTES);
    }

    private void awaitWritable() throws InterruptedException {
        synchronized (writable) {
            while (!context().channel().isWritable() && isOpen()) {
                writable.wait();
            }
        }
    }

    private void send(ByteBuf frame, boolean flush) {
        if (flush) {
            var unused = context().writeAndFlush(frame, context().voidPromise());
        } else {
            var unused = context().write(frame, context().voidPromise());
        }
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

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext channel) {
        wakeWriter();
    }

    @Override
    public void channelInactive(ChannelHandlerContext channel) {
        wakeWriter();
        if (worker != null) {
            worker.stop();
        }
    }

    private void wakeWriter() {
        synchronized (writable) {
            writable.notifyAll();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof DamagedDataException) {
                fail(ErrorCode.PROTOCOL, String.valueOf(cause.getMessage()));
                return;
            }
        }
        LOG.warn("connection of {} failed: {}", peer, rootMessage(error));
        var unused = channel.close();
    }

    private static String rootMessage(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = String.valueOf(cause.getMessage());
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
