// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.monitoring.AgentFigures;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.posix.DirectMemory;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.BodyBuffers;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients and serves a repository to them. Threads: one event loop that accepts, as many that carry frames
 * as {@link Workers} there are, at least two, and one worker per client. Closing it lets every worker finish the
 * request it is working on; the repository stays the caller's.
 */
public final class AgentDaemon implements AgentFigures.Serving, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentDaemon.class);
    /** Of threads that carry frames, and so do TLS. */
    private static final int LEAST_IO_THREADS = 2;

    private static final WriteBufferWaterMark WRITE_WATER_MARKS = new WriteBufferWaterMark(1 << 20, 4 << 20);

    /** Of memory for requests that is used again, of all clients together, for each thread that carries frames. */
    private static final int KEPT_BYTES = 8 << 20;

    /** Of all clients together, for each thread that carries frames: see {@link FlowShares}. */
    private static final int UNDER_WAY_BYTES = 4 << 20;

    private final BodyBuffers bodies;
    private final PutDigests digests;
    private final Repository repository;
    private final AccessFile access;
    private final RevokedCertificates revoked;
    private final EventLoopGroup acceptor = new NioEventLoopGroup(1, new DefaultThreadFactory("agent-accept"));
    private final EventLoopGroup carriers;
    private final AgentLimits limits;
    private final Admission admission;
    private final Strangers strangers;
    private final ByteBudget requestMemory;
    private final ByteBudget workMemory;
    private final FlowShares flow;
    private final Channel listener;

    private AgentDaemon(
            Repository repository,
            AccessFile access,
            RevokedCertificates revoked,
            AgentLimits limits,
            SslContext tls,
            InetSocketAddress listen)
            throws IOException {
        this.repository = repository;
        this.access = access;
        this.revoked = revoked;
        this.limits = limits;
        this.admission = new Admission(limits);
        this.strangers = new Strangers(limits.strangers());
        int threads = Math.max(LEAST_IO_THREADS, repository.workers().count());
        this.carriers = new NioEventLoopGroup(threads, new DefaultThreadFactory("agent-io"));
        this.digests = new PutDigests(repository.workers());
        this.bodies = BodyBuffers.outsideHeap(threads * KEPT_BYTES, DirectMemory::free);
        this.requestMemory = new ByteBudget(limits.requestBytes());
        this.workMemory = new ByteBudget(limits.workBytes());
        this.flow = new FlowShares((long) threads * UNDER_WAY_BYTES);
        try {
            this.listener = TlsListener.bind(acceptor, carriers, tls, this::begin, listen);
        } catch (IOException e) {
            shutDownLoops();
            throw e;
        }
    }

    private void begin(Channel channel) {
        channel.config().setWriteBufferWaterMark(WRITE_WATER_MARKS);
        new AgentConnection(this, "client " + channel.remoteAddress(), bodies).addTo(channel.pipeline());
    }

    /**
     * Starts to listen, and lets in those whom the rules name and whose certificates are not revoked. Port 0 takes any
     * free port: see {@link #address}.
     */
    public static AgentDaemon start(
            Repository repository,
            AccessFile access,
            RevokedCertificates revoked,
            TlsFiles tls,
            InetSocketAddress listen)
            throws IOException {
        return start(repository, access, revoked, AgentLimits.usual(), tls, listen);
    }

    /** The same under other limits. */
    public static AgentDaemon start(
            Repository repository,
            AccessFile access,
            RevokedCertificates revoked,
            AgentLimits limits,
            TlsFiles tls,
            InetSocketAddress listen)
            throws IOException {
        return new AgentDaemon(repository, access, revoked, limits, tls.forAgent(), listen);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    Repository repository() {
        return repository;
    }

    /** What a client may do, by the rules of this moment; empty if it is not let in. */
    Optional<ClientAccess> accessOf(SnapshotName client) {
        return access.current().of(client);
    }

    /** What whoever has shown this certificate may do, asked at any moment. */
    ShownCertificate shown(SnapshotName client, X509Certificate certificate) {
        return new ShownCertificate(
                client,
                certificate.getSerialNumber(),
                (name, serial) -> revoked.contains(serial) ? Optional.empty() : accessOf(name));
    }

    /** Whether this certificate is not to be believed any more. */
    boolean isRevoked(X509Certificate certificate) {
        return revoked.contains(certificate);
    }

    /** Of what all clients put. */
    PutDigests digests() {
        return digests;
    }

    AgentLimits limits() {
        return limits;
    }

    /** Who is connected; {@link #close} waits for those that it let in. */
    Admission admission() {
        return admission;
    }

    /** Who is connected and not known yet. */
    Strangers strangers() {
        return strangers;
    }

    /** What another connection of this client may take of the memory that all share. */
    ClientMemory memoryOf(SnapshotName client) {
        return new ClientMemory(requestMemory, workMemory, client, flow.join(client));
    }

    @Override
    public int connections() {
        return admission.count();
    }

    /** What clients do that are connected, the first that came first. */
    public List<SessionStatus> sessions() {
        return admission.sessions();
    }

    /** Whether its threads take up work, so that clients are served. */
    @Override
    public boolean isServing() throws InterruptedException {
        return TlsListener.answer(acceptor, carriers);
    }

    @Override
    public void close() throws IOException {
        listener.close().awaitUninterruptibly();
        try {
            for (ClientWorker worker : admission.stopAdmitting()) {
                worker.stopAgent();
                worker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("interrupted while waiting for clients");
        }
        shutDownLoops();
    }

    private void shutDownLoops() {
        TlsListener.shutDown(acceptor, carriers);
    }
}
