// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.Window;
import io.shredder.backup.wire.WireFormat;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent says how much each of its clients should have under way, and it is of no use to ignore that. */
class WindowsIT {

    private static final int SHORT_WINDOW_BYTES = 4 << 20;

    @TempDir
    private Path folder;

    private final long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    private final Random random = new Random(Samples.seed());
    private TestCertificates certificates;
    private Repository repository;
    private AgentDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        certificates = new TestCertificates(folder.resolve("certs"));
        repository = Repository.open(folder.resolve("repo"), Clock.systemUTC());
        daemon = AgentDaemon.start(
                repository,
                AccessFile.none(),
                RevokedCertificates.none(),
                certificates.agent("localhost", "127.0.0.1"),
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

    private RawClient connect(String client, int version) throws IOException {
        return new RawClient(certificates.client(client), port()).hello(version);
    }

    /** Puts a chunk; returns the windows that came before it was answered. */
    private List<Integer> put(RawClient client) throws IOException {
        checkTime();
        client.send(1, new Request.Put(Samples.sealed(Samples.randomBytes(random, 1000))));
        List<Integer> told = new ArrayList<>();
        for (Frame frame = client.read(); frame.type() != FrameType.DONE; frame = client.read()) {
            assertThat(frame.requestId()).isEqualTo(WireFormat.NO_REQUEST);
            assertThat(frame.answer("agent")).isInstanceOf(Window.class);
            told.add(((Window) frame.answer("agent")).bytes());
        }
        return told;
    }

    private void checkTime() {
        assertThat(System.nanoTime() - endNs)
                .as("what is waited for has not come")
                .isNegative();
    }

    /** What all connections have together. */
    private int whole() {
        return Math.max(2, repository.workers().count()) << 22;
    }

    /** On a machine that is busy with other things one of the two may seem to be alone for a while. */
    @Test
    void clientsAtOnceAreToldTheirShareAndOneThatIsLeftAloneThatItHasNoLimit() throws Exception {
        int half = Integer.highestOneBit(whole() / 2);
        try (RawClient first = connect("first", WireFormat.MAX_VERSION)) {
            Set<Integer> told = new HashSet<>();
            try (RawClient second = connect("second", WireFormat.MAX_VERSION)) {
                Set<Integer> toldSecond = new HashSet<>();
                while (!told.contains(half) || !toldSecond.contains(half)) {
                    told.addAll(put(first));
                    toldSecond.addAll(put(second));
                }
                told.addAll(toldSecond);
            }
            assertThat(told).isSubsetOf(half, Integer.MAX_VALUE);
            List<Integer> last = new ArrayList<>();
            while (last.isEmpty()) {
                last.addAll(put(first));
            }
            assertThat(last).isSubsetOf(half, Integer.MAX_VALUE);
            while (last.get(last.size() - 1) != Integer.MAX_VALUE) {
                last.addAll(put(first));
            }
        }
    }

    @Test
    void aClientOfAnOlderVersionIsToldNothing() throws Exception {
        try (RawClient older = connect("older", WireFormat.WINDOW_VERSION - 1);
                RawClient newer = connect("newer", WireFormat.WINDOW_VERSION)) {
            List<Integer> told = new ArrayList<>();
            while (told.isEmpty()) {
                assertThat(put(older)).isEmpty();
                told.addAll(put(newer));
            }
            assertThat(put(older)).isEmpty();
        }
    }

    @Test
    void clientsKeepToWhatTheyAreToldAndForgetItWhenTheyAreAlone() throws Exception {
        HostPort address = new HostPort("127.0.0.1", port());
        List<AgentClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < whole() / SHORT_WINDOW_BYTES; i++) {
                clients.add(AgentClient.connect(address, certificates.client("client" + i)));
            }
            int usual = clients.get(0).windowBytes();
            assertThat(usual).isGreaterThan(SHORT_WINDOW_BYTES);
            while (clients.get(0).windowBytes() > SHORT_WINDOW_BYTES) {
                for (AgentClient client : clients) {
                    put(client);
                }
            }
            while (clients.get(0).windowBytes() < usual) { // It is more if answers took long meanwhile.
                put(clients.get(0));
            }
        } finally {
            for (AgentClient client : clients) {
                client.close();
            }
        }
    }

    private void put(AgentClient client) throws IOException {
        checkTime();
        Answers.await(client.put(Samples.sealed(Samples.randomBytes(random, 1000))));
    }

    @Test
    void aClientThatSaysAWindowItselfIsRefused() throws Exception {
        try (RawClient client = connect("first", WireFormat.MAX_VERSION)) {
            client.send(1, new Window(1 << 20));
            assertThat(client.read().answer("agent"))
                    .isInstanceOfSatisfying(Answer.Failure.class, failure -> assertThat(failure.text())
                            .contains("may not send WINDOW"));
        }
    }
}
