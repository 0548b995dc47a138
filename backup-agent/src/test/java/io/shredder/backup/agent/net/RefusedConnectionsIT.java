// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.AgentException.Kind;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong certificates and bad bytes, against a real agent. */
class RefusedConnectionsIT {

    @TempDir
    private Path folder;

    private TestCertificates certificates;
    private TlsFiles site1;
    private Repository repository;
    private AgentDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        certificates = new TestCertificates(folder.resolve("certs"));
        site1 = certificates.client("site1");
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC());
        daemon = listen(certificates.agent("localhost", "127.0.0.1"));
    }

    private AgentDaemon listen(TlsFiles tls) throws IOException {
        return AgentDaemon.start(
                repository, AccessFile.none(), RevokedCertificates.none(), tls, new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
        repository.close();
    }

    private HostPort address() {
        return new HostPort("127.0.0.1", daemon.address().getPort());
    }

    private static void assertFails(Kind kind, String text, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(AgentException.class, e -> {
            assertThat(e).hasMessageContaining(text);
            assertThat(e.kind()).isEqualTo(kind);
            assertThat(e.getMessage()).doesNotContain("\n");
        });
    }

    @Test
    void aClientOfAnotherAuthorityIsRefused() throws IOException {
        TlsFiles stranger = new TestCertificates(folder.resolve("other")).client("site1");
        TlsFiles believing = new TlsFiles(stranger.certificate(), stranger.key(), site1.authority());
        assertFails(
                Kind.CERTIFICATE,
                "doesn't accept the certificate " + stranger.certificate(),
                () -> AgentClient.connect(address(), believing));
        AgentClient.connect(address(), site1).close();
    }

    @Test
    void anAgentsCertificateDoesNotMakeAClient() throws IOException {
        TlsFiles agent = certificates.agent("elsewhere");
        assertFails(
                Kind.CERTIFICATE,
                "doesn't accept the certificate " + agent.certificate(),
                () -> AgentClient.connect(address(), agent));
    }

    @Test
    void anAgentOfAnotherAuthorityIsRefused() throws IOException {
        TlsFiles other = new TestCertificates(folder.resolve("other")).client("site1");
        TlsFiles doubting = new TlsFiles(site1.certificate(), site1.key(), other.authority());
        assertFails(
                Kind.CERTIFICATE,
                "is not signed by " + other.authority(),
                () -> AgentClient.connect(address(), doubting));
    }

    @Test
    void anAgentForAnotherHostIsRefused() throws IOException {
        daemon.close();
        daemon = listen(certificates.agent("backup.example"));
        assertFails(
                Kind.CERTIFICATE,
                "backup-agent certs --agent-host 127.0.0.1",
                () -> AgentClient.connect(address(), site1));
    }

    @Test
    void anExpiredCertificateIsNamedOnEitherSide() throws IOException {
        Clock past = Clock.offset(Clock.systemUTC(), Duration.ofDays(-60));
        TestCertificates old = new TestCertificates(folder.resolve("old"), past);
        TlsFiles client = old.client("site1");
        assertThatThrownBy(() -> AgentClient.connect(address(), client)).hasMessageContaining("expired on");
        TlsFiles agent = old.agent("localhost");
        assertThatThrownBy(() -> listen(agent)).hasMessageContaining("expired on");
    }

    @Test
    void anAgentRefusesAnExpiredClientLogsItAndDoesNothing() throws Exception {
        TlsFiles expired = certificates.expiredClient("site1");
        SSLContext context = ((JdkSslContext) SslContextBuilder.forClient()
                        .sslProvider(SslProvider.JDK)
                        .keyManager(
                                expired.certificate().toFile(), expired.key().toFile())
                        .trustManager(expired.authority().toFile())
                        .protocols("TLSv1.3")
                        .build())
                .context();
        try (LogLines log = LogLines.of(AgentConnection.class);
                SSLSocket socket = (SSLSocket) context.getSocketFactory()
                        .createSocket("127.0.0.1", address().port())) {
            socket.setSoTimeout(20_000);
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("certificate_");
            log.await("failed");
        }
        assertThat(repository.chunks().index().size()).isZero();
    }

    @InTurn(days = 3)
    @Test
    void aRevokedClientIsRefusedFromThenOnLoggedAndNothingIsDone() throws Exception {
        daemon.close();
        Path list = certificates.revoke(certificates.client("stolen-before"));
        RevokedCertificates revoked = RevokedCertificates.open(list, site1.authority());
        daemon = AgentDaemon.start(
                repository,
                AccessFile.none(),
                revoked,
                certificates.agent("127.0.0.1"),
                new InetSocketAddress("127.0.0.1", 0));
        StoredRegion chunk = Samples.sealed(new byte[100]);
        try (AgentClient client = AgentClient.connect(address(), site1)) {
            Answers.await(client.put(chunk));
        }
        certificates.revoke(site1);
        try (LogLines log = LogLines.of(AgentConnection.class)) {
            assertFails(Kind.REFUSED, "is revoked: use another", () -> AgentClient.connect(address(), site1));
            log.await("CN=site1, serial number");
        }
        AgentClient.connect(address(), certificates.client("site1-again")).close();
        java.nio.file.Files.writeString(list, "no list");
        assertFails(Kind.REFUSED, "is revoked", () -> AgentClient.connect(address(), site1));
        assertThatThrownBy(() -> RevokedCertificates.open(list, site1.authority()))
                .hasMessageContaining("is not a revocation list signed by " + site1.authority());
        Path foreign = new TestCertificates(folder.resolve("other")).revoke(site1);
        assertThatThrownBy(() -> RevokedCertificates.open(foreign, site1.authority()))
                .hasMessageContaining("is not a revocation list signed by");
        assertThat(repository.chunks().index().size()).isEqualTo(1);
    }

    @Test
    void aMissingOrWrongFileIsNamed() {
        Path absent = folder.resolve("absent.crt");
        assertThatThrownBy(() -> AgentClient.connect(address(), new TlsFiles(absent, site1.key(), site1.authority())))
                .hasMessageContaining("can't read the certificate " + absent);
        assertThatThrownBy(
                        () -> AgentClient.connect(address(), new TlsFiles(site1.key(), site1.key(), site1.authority())))
                .hasMessageContaining("is not a certificate in PEM form");
    }

    @Test
    void anAgentThatIsDownIsNamed() throws IOException {
        HostPort before = address();
        daemon.close();
        assertFails(
                Kind.UNREACHABLE, "is 'backup-agent serve' running there?", () -> AgentClient.connect(before, site1));
        assertFails(
                Kind.UNREACHABLE,
                "can't reach agent no-such-host.invalid:1",
                () -> AgentClient.connect(new HostPort("no-such-host.invalid", 1), site1));
    }

    @Test
    void aPeerThatDoesNotSpeakTlsIsNamed() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (Socket socket = other.accept()) {
                    socket.getOutputStream().write("SSH-2.0-OpenSSH\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertFails(
                    Kind.CERTIFICATE,
                    "doesn't speak TLS",
                    () -> AgentClient.connect(new HostPort("127.0.0.1", other.getLocalPort()), site1));
            served.handle((done, error) -> done).get();
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        assertThatThrownBy(() -> AgentDaemon.start(
                        repository,
                        AccessFile.none(),
                        RevokedCertificates.none(),
                        certificates.agent("other"),
                        new InetSocketAddress("127.0.0.1", address().port())))
                .hasMessageContaining("choose another address with --listen");
    }

    /** Everything that the agent says until it closes the connection by itself, after these bytes. */
    private String reply(byte[] sent) throws IOException {
        return new String(talk(sent, false), StandardCharsets.ISO_8859_1);
    }

    private byte[] talk(byte[] sent, boolean thenEnd) throws IOException {
        JdkSslContext context = (JdkSslContext) site1.forClient(SslProvider.JDK);
        try (SSLSocket socket = (SSLSocket) context.context()
                .getSocketFactory()
                .createSocket("127.0.0.1", address().port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(sent);
            if (thenEnd) {
                socket.shutdownOutput();
            }
            InputStream in = socket.getInputStream();
            return in.readAllBytes();
        }
    }

    @Test
    void aBadFrameIsAnsweredWithItsOffsetAndTheConnectionIsClosed() throws IOException {
        byte[] hello = array(Frame.encode(0, new Request.Hello(WireFormat.MAX_VERSION, "test")));
        byte[] sync = array(Frame.encode(1, new Request.Sync()));
        byte[] bad = sync.clone();
        bad[3] = 127;
        String answer = reply(join(hello, sync, bad));
        int offset = hello.length + sync.length + 3;
        assertThat(answer).contains("damaged at offset " + offset + ": unknown frame type 127");
    }

    @Test
    void aFirstFrameThatIsNotAGreetingIsRefused() throws IOException {
        assertThat(reply(array(Frame.encode(1, new Request.Sync())))).contains("the first frame is SYNC, not HELLO");
        for (int version : new int[] {1, 4, WireFormat.MAX_VERSION + 1}) {
            assertThat(reply(array(Frame.encode(0, new Request.Hello(version, "test")))))
                    .contains("protocol version " + version + " is not spoken here: upgrade the older side");
        }
    }

    @Test
    void aClientThatTakesNoAnswersDoesNotKeepTheAgentFromStopping() throws IOException {
        StoredRegion chunk = Samples.sealed(Samples.randomBytes(new Random(1), 4 << 20));
        try (AgentClient client = AgentClient.connect(address(), site1)) {
            Answers.await(client.put(chunk));
        }
        JdkSslContext context = (JdkSslContext) site1.forClient(SslProvider.JDK);
        try (SSLSocket socket = (SSLSocket) context.context()
                .getSocketFactory()
                .createSocket("127.0.0.1", address().port())) {
            socket.getOutputStream().write(array(Frame.encode(0, new Request.Hello(WireFormat.MAX_VERSION, "test"))));
            for (int i = 1; i <= 20; i++) {
                Request fetch = new Request.Fetch(chunk.first().fingerprint());
                socket.getOutputStream().write(array(Frame.encode(i, fetch)));
            }
            assertThat(socket.getInputStream().read()).isEqualTo('S');
            assertTimeoutPreemptively(Duration.ofSeconds(60), daemon::close);
        }
    }

    @Test
    void randomBytesNeverKeepTheAgentFromServing() throws IOException {
        Random random = new Random(Samples.seed());
        byte[] hello = array(Frame.encode(0, new Request.Hello(WireFormat.MAX_VERSION, "test")));
        for (int round = 0; round < 60; round++) {
            byte[] garbage = Samples.randomBytes(random, random.nextInt(5000));
            try {
                talk(round % 2 == 0 ? garbage : join(hello, garbage), true);
            } catch (SocketException | SSLException e) {
                // The agent has hung up on the garbage before this end was done with it, which it may.
            }
        }
        try (AgentClient client = AgentClient.connect(address(), site1)) {
            client.sync();
        }
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return array;
    }

    private static byte[] join(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
