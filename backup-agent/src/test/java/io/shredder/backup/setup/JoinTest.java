// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.certs.CertificateMaker;
import io.shredder.backup.setup.JoinMessage.Joined;
import io.shredder.backup.setup.JoinServer.Guest;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over real TLS on loopback. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class JoinTest {

    private static final HostPort AGENT = new HostPort("backup.example.org", 7420);
    private static final String WRONG = "A".repeat(22);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), Duration.ofDays(10));
    private CertificateMaker.Identity authority;
    private JoinServer server;
    private JoinToken token;
    private int signed;
    private Step cutOff = () -> {};

    private interface Step {
        void run() throws IOException;
    }

    @BeforeEach
    void start() throws Exception {
        authority = maker.authority();
        serve(maker.agent(authority, List.of("localhost", "127.0.0.1")));
    }

    private void serve(CertificateMaker.Identity agent) throws Exception {
        var identity = new JoinServer.Identity(agent.certificate(), agent.key(), authority.certificate(), AGENT);
        JoinToken any = JoinToken.create(new HostPort("localhost", 1), authority.certificate(), new SecureRandom());
        server = JoinServer.start(new HostPort("127.0.0.1", 0), identity, any, key -> {
            signed++;
            cutOff.run();
            return maker.client(authority, "site1", key);
        });
        token = at("localhost", any.authority(), any.secret());
    }

    private JoinToken at(String host, String digest, String secret) {
        return new JoinToken(new HostPort(host, server.port()), digest, secret);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static KeyPair keys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private void goodStillJoins() throws Exception {
        KeyPair keys = keys();
        Joined joined = JoinClient.join(JoinToken.parse(token.text()), keys, PATIENCE);
        assertThat(joined.certificate().getPublicKey()).isEqualTo(keys.getPublic());
        assertThat(joined.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=site1");
        assertThat(joined.agent()).isEqualTo(AGENT);
        joined.certificate().verify(authority.certificate().getPublicKey());
        Optional<Guest> guest = server.await(PATIENCE);
        assertThat(guest.orElseThrow().certificate()).isEqualTo(joined.certificate());
        assertThat(signed).isEqualTo(1);
    }

    @Test
    void whoHasTheTokenGetsACertificateForItsOwnKey() throws Exception {
        goodStillJoins();
    }

    @Test
    void aTokenIsGoodOnce() throws Exception {
        JoinClient.join(token, keys(), PATIENCE);
        assertThatThrownBy(() -> JoinClient.join(token, keys(), PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("can't join");
        assertThat(signed).isEqualTo(1);
    }

    @Test
    void anotherSecretGetsNothingAndTheRightOneStillJoins() throws Exception {
        assertThatThrownBy(() -> JoinClient.join(at("localhost", token.authority(), WRONG), keys(), PATIENCE))
                .hasMessageContaining("the token is not of this invitation, or is used up");
        assertThat(signed).isZero();
        goodStillJoins();
    }

    @Test
    void whoGuessesEndsTheInvitation() {
        for (int guess = 0; guess < JoinServer.MOST_WRONG; guess++) {
            assertThatThrownBy(() -> JoinClient.join(at("localhost", token.authority(), WRONG), keys(), PATIENCE))
                    .hasMessageContaining("used up");
        }
        assertThatThrownBy(() -> server.await(PATIENCE)).hasMessageContaining("wrong secrets");
        assertThatThrownBy(() -> JoinClient.join(token, keys(), PATIENCE)).hasMessageContaining("can't join");
        assertThat(signed).isZero();
    }

    @Test
    void theSecretIsNotShownToWhoeverElseListensThere() throws Exception {
        CertificateMaker.Identity real = authority;
        JoinToken shown = token;
        server.close();
        authority = maker.authority();
        serve(maker.agent(authority, List.of("localhost")));
        JoinToken misled = at("localhost", shown.authority(), shown.secret());
        assertThatThrownBy(() -> JoinClient.join(misled, keys(), PATIENCE))
                .hasMessageContaining("it shows another authority than the token names");
        // The right authority, but a certificate for another host, and one of a client's.
        server.close();
        authority = real;
        for (CertificateMaker.Identity other :
                List.of(maker.agent(real, List.of("elsewhere.example.org")), maker.client(real, "localhost"))) {
            serve(other);
            JoinToken there = at("localhost", shown.authority(), token.secret());
            assertThatThrownBy(() -> JoinClient.join(there, keys(), PATIENCE))
                    .hasMessageContaining("doesn't prove that the token is its own");
            server.close();
        }
        assertThat(signed).isZero();
    }

    @Test
    void whateverElseIsSentIsRefusedAndOthersGoOn() throws Exception {
        for (String sent : List.of(
                "",
                "\n",
                "GET / HTTP/1.1\r\n\r\n",
                "{}\n",
                "[1]\n",
                "{\"version\":2}\n",
                "{\"version\":1,\"secret\":\"AA\",\"key\":\"AA\",\"proof\":\"AA\"}\n",
                "{\"version\":1,\"secret\":\"%\",\"key\":\"%\"}\n",
                "x".repeat(20_000) + "\n",
                "{\"version\":1")) {
            try (SSLSocket raw = raw()) {
                raw.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
                raw.getOutputStream().flush();
                raw.shutdownOutput();
                String answer = new String(raw.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).as(sent).doesNotContain("certificate");
            } catch (SocketException e) {
                assertThat(e).as("cut off without an answer").hasMessageNotContaining("refused");
            }
        }
        // Some only hold their places.
        try (Socket silent = new Socket("127.0.0.1", server.port());
                Socket another = new Socket("127.0.0.1", server.port())) {
            goodStillJoins();
            assertThat(silent.isConnected() && another.isConnected()).isTrue();
        }
    }

    @Test
    void aKeyThatTheAskerDoesNotHaveIsNotCertified() throws Exception {
        KeyPair stolen = new KeyPair(keys().getPublic(), keys().getPrivate());
        assertThatThrownBy(() -> JoinClient.join(token, stolen, PATIENCE))
                .hasMessageContaining("the join's key is not proved");
        assertThat(signed).isZero();
        goodStillJoins();
    }

    @Test
    void aCertificateThatDoesNotGetThereIsNamedSinceItIsToBeRevoked() throws Exception {
        SSLSocket gone = raw();
        cutOff = () -> {
            gone.setSoLinger(true, 0);
            gone.close();
        };
        JoinMessage.writeRequest(gone.getOutputStream(), token.secret(), keys());
        assertThatThrownBy(() -> server.await(PATIENCE))
                .isInstanceOfSatisfying(UndeliveredException.class, e -> assertThat(e)
                        .hasMessageContaining("serial number " + e.certificate().getSerialNumber()));
    }

    @Test
    void nobodyJoinsInTime() throws Exception {
        assertThat(server.await(Duration.ofMillis(50))).isEmpty();
    }

    @Test
    void tokensAreReadAsTheyArePrinted() throws Exception {
        assertThat(JoinToken.parse(" " + token.text() + "\n")).isEqualTo(token);
        JoinToken six = new JoinToken(new HostPort("::1", 7423), token.authority(), token.secret());
        assertThat(JoinToken.parse(six.text())).isEqualTo(six);
        assertThat(token.toString())
                .doesNotContain(token.text().substring(token.text().lastIndexOf('/') + 1));
        for (String bad :
                List.of("", "x", token.text().substring(1 + token.text().indexOf('/')), token.text() + "A")) {
            assertThatThrownBy(() -> JoinToken.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a whole token");
        }
    }

    /** A client that believes anybody. */
    private SSLSocket raw() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(
                null,
                new TrustManager[] {
                    new X509TrustManager() {
                        @Override
                        public void checkClientTrusted(X509Certificate[] chain, String type) {}

                        @Override
                        public void checkServerTrusted(X509Certificate[] chain, String type) {}

                        @Override
                        public X509Certificate[] getAcceptedIssuers() {
                            return new X509Certificate[0];
                        }
                    }
                },
                null);
        return (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port());
    }
}
