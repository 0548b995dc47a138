// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.LocalAgent;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.HostPort;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client that may only restore finds, whichever way leads to the repository. */
class AgentRouteIT {

    @TempDir
    private Path folder;

    private final List<StoredRegion> regions =
            Samples.inRegions(List.of(3, 1, 6, 2, 5, 1, 40), Samples.chunks(new Random(3), 58, 9000));

    private enum Way {
        SOCKET {
            @Override
            Opened open(Path folder, Path repository) throws IOException {
                TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
                String rights = "clients:\n  " + TestSession.CLIENT + ":\n    rights: [restore]\n";
                AccessFile access = AccessFile.open(Files.writeString(folder.resolve("rights.yaml"), rights));
                Repository opened = Repository.open(repository, Clock.systemUTC());
                AgentDaemon daemon = AgentDaemon.start(
                        opened,
                        access,
                        RevokedCertificates.none(),
                        certificates.agent("127.0.0.1"),
                        new InetSocketAddress("127.0.0.1", 0));
                HostPort address = new HostPort("127.0.0.1", daemon.address().getPort());
                AgentClient client = AgentClient.connect(address, certificates.client(TestSession.CLIENT.value()));
                return new Opened(client, () -> {
                    client.close();
                    daemon.close();
                    opened.close();
                });
            }
        },
        LOCAL {
            @Override
            Opened open(Path folder, Path repository) throws IOException {
                AgentClient client = AgentClient.over(LocalAgent.open(repository, null, null));
                return new Opened(client, client);
            }
        };

        abstract Opened open(Path folder, Path repository) throws IOException;
    }

    private record Opened(AgentClient client, Closeable all) implements Closeable {
        @Override
        public void close() throws IOException {
            all.close();
        }
    }

    private long backUp() throws IOException {
        try (Repository repository = Repository.open(folder.resolve("repo"), Clock.systemUTC());
                TestSession session = TestSession.open(repository)) {
            return session.backUp("vm", regions);
        }
    }

    private Opened open(Way way) throws IOException {
        return way.open(folder, folder.resolve("repo"));
    }

    private static List<ChunkRef> chunks(List<StoredRegion> regions) {
        return regions.stream().flatMap(region -> region.chunks().stream()).toList();
    }

    private static void assertPlain(StoredRegion found, StoredRegion expected) {
        assertThat(found.chunks()).isEqualTo(expected.chunks());
        assertThat(found.stored().view()).isEqualTo(expected.stored().view());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whatWasBackedUpIsListedShownFetchedAndVerified(Way way) throws Exception {
        long id = backUp();
        try (Opened opened = open(way)) {
            AgentClient client = opened.client();
            assertThat(client.greeting().client()).isEqualTo(TestSession.CLIENT);
            Answer.Snapshots snapshots = client.list(0);
            assertThat(snapshots.snapshots()).singleElement().satisfies(only -> assertThat(only.id())
                    .isEqualTo(id));
            ListPage page = Answers.await(client.show(id, 0));
            assertThat(page).isEqualTo(Samples.pageOf(0, List.of(regions.get(0))));
            for (StoredRegion region : regions) {
                assertPlain(
                        Answers.await(
                                client.fetch(region.chunks().get(region.chunks().size() - 1))),
                        region);
            }
            assertThat(client.verify(id, 0).problems()).isEmpty();
            assertThat(client.statistics().snapshots()).isEqualTo(1);
            assertThat(client.sentBytes()).isPositive();
            assertThat(client.receivedBytes()).isGreaterThan(regions.get(0).encodedBytes());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void manyRequestsAreUnderWayAndMemoryThatIsGivenBackIsNotWhatOthersHave(Way way) throws Exception {
        backUp();
        try (Opened opened = open(way)) {
            AgentClient client = opened.client();
            List<CompletableFuture<List<StoredRegion>>> asked = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                asked.add(client.fetchMany(chunks(List.of(regions.get(i % regions.size())))));
            }
            List<List<StoredRegion>> kept = new ArrayList<>();
            for (int i = 0; i < asked.size(); i++) {
                List<StoredRegion> answer = Answers.await(asked.get(i));
                if (i % 2 == 0) {
                    client.giveBack(answer);
                } else {
                    kept.add(answer);
                }
            }
            asked.clear();
            for (StoredRegion region : regions) {
                asked.add(client.fetchMany(chunks(List.of(region))));
            }
            for (CompletableFuture<List<StoredRegion>> later : asked) {
                Answers.await(later);
            }
            for (int i = 0; i < kept.size(); i++) {
                assertThat(kept.get(i)).hasSize(1);
                assertPlain(kept.get(i).get(0), regions.get((2 * i + 1) % regions.size()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void refusalsAreErrorsWithACodeAndTheNextRequestIsAnswered(Way way) throws Exception {
        long id = backUp();
        try (Opened opened = open(way)) {
            AgentClient client = opened.client();
            ChunkRef absent = new ChunkRef(100, Fingerprint.of(new byte[Fingerprint.BYTES]));
            assertRefused(ErrorCode.NOT_FOUND, () -> Answers.await(client.fetch(absent)));
            assertRefused(ErrorCode.NOT_FOUND, () -> Answers.await(client.show(id + 1, 0)));
            assertRefused(ErrorCode.NOT_PERMITTED, () -> Answers.await(client.put(regions.get(0))));
            assertRefused(ErrorCode.NOT_PERMITTED, () -> client.delete(List.of(id)));
            assertThat(client.list(0).snapshots()).hasSize(1);
        }
    }

    private static void assertRefused(ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable asking) {
        assertThatThrownBy(asking).isInstanceOfSatisfying(AgentException.class, refused -> assertThat(refused.code())
                .isEqualTo(code));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void damageIsNamedWithFileAndOffset(Way way) throws Exception {
        backUp();
        Path container;
        try (Stream<Path> all = Files.walk(folder.resolve("repo/containers"))) {
            container = all.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(container);
        bytes[bytes.length - 1] ^= 1;
        Files.write(container, bytes);
        StoredRegion last = regions.get(regions.size() - 1);
        try (Opened opened = open(way)) {
            assertThatThrownBy(() -> Answers.await(opened.client().fetch(last.first())))
                    .isInstanceOfSatisfying(AgentException.class, refused -> assertThat(refused.code())
                            .isEqualTo(ErrorCode.DAMAGED))
                    .hasMessageContaining(String.valueOf(container.getFileName()))
                    .hasMessageContaining("offset");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void nothingIsAnsweredOnceItIsClosed(Way way) throws Exception {
        backUp();
        Opened opened = open(way);
        opened.close();
        assertThatThrownBy(() -> opened.client().list(0)).isInstanceOf(IOException.class);
    }
}
