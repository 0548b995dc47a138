// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.InTurn;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers that say nothing, take nothing, or come in crowds: connections end, and nobody else waits for them. */
@Timeout(240)
class HangingPeersIT {

    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private TestCertificates certificates;
    private TlsFiles site1;
    private TlsFiles agentTls;
    private Repository repository;
    private AgentDaemon daemon;
    private volatile boolean noMemory;

    @BeforeEach
    void start() throws IOException {
        certificates = new TestCertificates(folder.resolve("certs"));
        site1 = certificates.client("site1");
        agentTls = certificates.agent("localhost", "127.0.0.1");
        repository = Repository.open(folder.resolve("repo"), new FailingClock());
        serve(AgentLimits.usual().withTimes(LIMIT, LONG));
    }

    /** A clock that is right, but once it is told to. */
    private final class FailingClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            if (noMemory) {
                throw new OutOfMemoryError("no room for an instant");
            }
            return Instant.now();
        }
    }

    private void serve(AgentLimits limits) throws IOException {
        daemon = AgentDaemon.start(
                repository,
                AccessFile.none(),
                RevokedCertificates.none(),
                limits,
                agentTls,
                new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
        repository.close();
    }

    private int port() {
        return daemon.address().getPort();
    }

    private AgentClient connect(Duration silence) throws IOException {
        return AgentClient.connect(new HostPort("127.0.0.1", port()), site1, Pace.unlimited(), silence);
    }

    private static void assertTimedOut(RawClient client, String text) throws IOException {
        assertThat(client.read().answer("agent")).isInstanceOfSatisfying(Answer.Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMED_OUT);
            assertThat(failure.text()).contains(text).doesNotContain("\n");
        });
        assertThatThrownBy(client::read).isInstanceOf(EOFException.class);
    }

    @InTurn(days = 3)
    @Test
    void aClientThatStopsWithinAFrameIsDropped() throws Exception {
        for (int version : new int[] {WireFormat.MIN_VERSION, WireFormat.MAX_VERSION}) {
            try (LogLines log = LogLines.of(AgentConnection.class);
                    RawClient client = new RawClient(site1, port()).hello(version)) {
                client.send(RawClient.cut(new Request.Put(Samples.sealed(new byte[3000]))));
                assertTimedOut(client, " s in the middle of a frame: run it again");
                log.await("closing the connection of client /127.0.0.1");
            }
        }
    }

    /** Or for want of threads, or by a bug: whoever was served hears so, and leaves a place. */
    @Test
    void aClientWhoseThreadDiesForWantOfMemoryHearsSo() throws Exception {
        try (RawClient client = new RawClient(site1, port()).hello(WireFormat.MAX_VERSION)) {
            noMemory = true;
            client.send(1, new Request.Sync());
            assertThat(client.read().answer("agent"))
                    .isInstanceOfSatisfying(Answer.Failure.class, failure -> assertThat(failure.code())
                            .isEqualTo(ErrorCode.INTERNAL));
            assertThatThrownBy(client::read).isInstanceOf(EOFException.class);
        }
        noMemory = false;
        try (RawClient client = new RawClient(site1, port()).hello(WireFormat.MAX_VERSION)) {
            client.send(1, new Request.Sync());
            assertThat(client.read().answer("agent")).isInstanceOf(Answer.Done.class);
        }
    }

    @Test
    void aClientThatKeepsAliveNoLongerIsDropped() throws Exception {
        try (RawClient client = new RawClient(site1, port()).hello(WireFormat.MAX_VERSION)) {
            assertTimedOut(client, "the client was silent for ");
        }
    }

    @InTurn(days = 3)
    @Test
    void anOlderClientMayBeSilentBetweenRequestsButNotForEver() throws Exception {
        daemon.close();
        serve(AgentLimits.usual().withTimes(LIMIT, LIMIT.multipliedBy(5)));
        try (RawClient client = new RawClient(site1, port()).hello(5)) {
            TimeUnit.SECONDS.sleep(5);
            client.send(1, new Request.Sync());
            assertThat(client.read().answer("agent")).isInstanceOf(Answer.Done.class);
            assertTimedOut(client, "the client asked nothing for ");
        }
    }

    @Test
    void aClientThatTakesNoAnswersIsDroppedAndItsPlaceIsFree() throws Exception {
        daemon.close();
        serve(AgentLimits.usual().withTimes(LIMIT, LONG).withConnections(1, 0, 1));
        StoredRegion chunk = Samples.sealed(Samples.randomBytes(new Random(1), 4 << 20));
        try (AgentClient client = connect(LONG)) {
            Answers.await(client.put(chunk));
        }
        try (LogLines log = LogLines.of(AgentConnection.class);
                RawClient client = new RawClient(site1, port()).hello(5)) {
            for (int i = 1; i <= 20; i++) {
                client.send(i, new Request.Fetch(chunk.first().fingerprint()));
            }
            log.await("took nothing of its answers for ");
            awaitPlace();
        }
    }

    private void awaitPlace() throws Exception {
        IOException last = new IOException("not tried");
        for (int tries = 0; tries < 100; tries++) {
            try {
                connect(LONG).close();
                return;
            } catch (IOException e) {
                last = e;
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        throw last;
    }

    @Test
    void whoeverShowsNoCertificateIsDropped() throws Exception {
        try (LogLines log = LogLines.of(AgentConnection.class);
                Socket stranger = new Socket("127.0.0.1", port())) {
            stranger.setSoTimeout(30_000);
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            log.await("no TLS handshake within 3 s");
        }
        try (RawClient client = new RawClient(site1, port())) {
            client.read();
            assertTimedOut(client, "no first frame came within 3 s");
        }
    }

    @Test
    void aCrowdOfStrangersKeepsNobodyOut() throws Exception {
        daemon.close();
        serve(AgentLimits.usual());
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                strangers.add(new Socket("127.0.0.1", port()));
            }
            try (AgentClient client = connect(LONG)) {
                client.sync();
            }
            strangers.get(0).setSoTimeout(5000);
            assertThat(strangers.get(0).getInputStream().read()).isEqualTo(-1);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void aClientHasItsShareOfThePlacesAndOthersHaveTheirs() throws Exception {
        daemon.close();
        serve(AgentLimits.usual().withConnections(5, 0, 3));
        TlsFiles site2 = certificates.client("site2");
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                clients.add(new RawClient(site1, port()).hello(6));
            }
            assertThatThrownBy(() -> connect(LONG))
                    .hasMessageContaining("client site1 has 3 connections already, its share of the agent");
            clients.add(new RawClient(site2, port()).hello(6));
            clients.add(new RawClient(site2, port()).hello(6));
            assertThatThrownBy(() -> new RawClient(site2, port()).hello(6)).hasMessageContaining("too many clients");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void whatOneClientTakesBeyondItsFirstConnectionKeepsNobodyElseOut() throws Exception {
        daemon.close();
        serve(AgentLimits.usual().withConnections(3, 1, 3));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                clients.add(new RawClient(site1, port()).hello(6));
            }
            TlsFiles site2 = certificates.client("site2");
            clients.add(new RawClient(site2, port()).hello(6));
            assertThatThrownBy(() -> new RawClient(site2, port()).hello(6)).hasMessageContaining("too many clients");
            assertThatThrownBy(() -> new RawClient(certificates.client("site3"), port()).hello(6))
                    .hasMessageContaining("too many clients");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** The agent works, and says so: its client, and it, wait much longer than either would for silence. */
    @InTurn(days = 3)
    @Test
    void longWorkIsNotTakenForSilence() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Thread slowDisk = new Thread(() -> {
            synchronized (repository.chunks()) {
                begun.countDown();
                try {
                    TimeUnit.SECONDS.sleep(8);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        try (AgentClient client = connect(LIMIT)) {
            client.sync();
            slowDisk.start();
            begun.await();
            client.sync();
            TimeUnit.SECONDS.sleep(6);
            client.sync();
        }
        slowDisk.join();
    }

    @Test
    void anAgentThatNeverGreetsIsGivenUp() throws Exception {
        try (ServerSocket mute = new ServerSocket(0)) {
            HostPort address = new HostPort("127.0.0.1", mute.getLocalPort());
            assertThatThrownBy(() -> AgentClient.connect(address, site1, Pace.unlimited(), LIMIT))
                    .hasMessageContaining("agent " + address + " didn't finish the TLS handshake")
                    .hasMessageContaining("see that it runs and can be reached");
        }
    }
}
