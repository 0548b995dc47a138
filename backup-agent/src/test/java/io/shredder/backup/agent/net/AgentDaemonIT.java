// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agent and client over real sockets in one process. */
class AgentDaemonIT {

    private static final SealedBytes SUMMARY = new SealedBytes(new byte[] {1, 2, 3});
    private static final SnapshotName NAME = new SnapshotName("vm");

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

    private HostPort address() {
        return new HostPort("127.0.0.1", daemon.address().getPort());
    }

    private AgentClient connect(TlsFiles tls) throws IOException {
        return AgentClient.connect(address(), tls);
    }

    private static SnapshotInfo backUp(AgentClient client, SnapshotName name, List<StoredRegion> chunks)
            throws IOException {
        client.begin(name, Samples.SEAL, Request.Begin.UNKNOWN_LENGTH);
        ContentDigest digest = new ContentDigest(Samples.SEAL);
        long length = 0;
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (StoredRegion chunk : chunks) {
            puts.add(client.put(chunk));
            length += StoredRegion.plainBytes(chunk.chunks());
        }
        for (CompletableFuture<Void> put : puts) {
            Answers.await(put);
        }
        ListPage page = Samples.pageOf(0, chunks);
        digest.add(page);
        Answers.await(client.append(page));
        return client.commit(length, chunks.size(), digest.finish(), SUMMARY);
    }

    @Test
    void aCommittedSnapshotIsListedShownFetchedAndVerified() throws Exception {
        List<StoredRegion> chunks = Samples.chunks(new Random(1), 50, 20_000);
        try (AgentClient client = connect(site1)) {
            assertThat(client.greeting().client()).isEqualTo(new SnapshotName("site1"));
            assertThat(client.greeting().repository()).isEqualTo(repository.id());
            SnapshotInfo info = backUp(client, NAME, chunks);
            assertThat(client.list(0).snapshots()).containsExactly(info);
            assertThat(info.summary()).isEqualTo(SUMMARY);
            assertThat(Answers.await(client.show(info.id(), 0))).isEqualTo(Samples.pageOf(0, chunks));
            for (StoredRegion chunk : chunks) {
                StoredRegion fetched = Answers.await(client.fetch(chunk.first()));
                assertThat(fetched.stored().view()).isEqualTo(chunk.stored().view());
            }
            assertThat(client.verify(info.id(), 0).problems()).isEmpty();
            assertThat(client.verify(info.id(), 0).chunks()).isEqualTo(50);
            assertThat(client.sentBytes()).isPositive();
        }
    }

    @Test
    void manyChunksGoByFurtherConnectionsWhichCloseWithTheClient() throws Exception {
        List<StoredRegion> chunks = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            chunks.add(Samples.sealed(Samples.randomBytes(new Random(i), 1 << 20)));
        }
        try (AgentClient client = connect(site1)) {
            client.allowConnections(3);
            client.begin(NAME, Samples.SEAL, Request.Begin.UNKNOWN_LENGTH);
            while (connections() < 4) {
                for (StoredRegion chunk : chunks) {
                    Answers.await(client.put(chunk));
                }
            }
            List<StoredRegion> more = Samples.chunks(new Random(20), 30, 20_000);
            List<CompletableFuture<Void>> puts = new ArrayList<>();
            for (StoredRegion chunk : more) {
                puts.add(client.put(chunk));
            }
            for (CompletableFuture<Void> put : puts) {
                Answers.await(put);
            }
            assertThat(client.windowBytes()).isGreaterThanOrEqualTo(3 * (8 << 20)); // More where answers take long.
            ContentDigest digest = new ContentDigest(Samples.SEAL);
            ListPage page = Samples.pageOf(0, more);
            digest.add(page);
            Answers.await(client.append(page));
            client.commit(1 << 20, more.size(), digest.finish(), SUMMARY);
            assertThat(client.sentBytes()).isGreaterThan(32 << 20);
            for (StoredRegion chunk : more) {
                List<StoredRegion> fetched = Answers.await(client.fetchMany(List.of(chunk.first())));
                assertThat(fetched.get(0).stored().view())
                        .isEqualTo(chunk.stored().view());
            }
        }
        while (connections() > 0) {
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
        }
    }

    private static long connections() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("agent-client-io"))
                .count();
    }

    @Test
    void anAgentThatTakesNoFurtherConnectionGetsAllChunksByTheFirst() throws Exception {
        daemon.close();
        daemon = AgentDaemon.start(
                repository,
                AccessFile.none(),
                RevokedCertificates.none(),
                AgentLimits.usual().withConnections(1, 0, 1),
                certificates.agent("127.0.0.1"),
                new InetSocketAddress("127.0.0.1", 0));
        StoredRegion chunk = Samples.sealed(Samples.randomBytes(new Random(1), 1 << 20));
        try (AgentClient client = connect(site1)) {
            client.allowConnections(3);
            for (int i = 0; i < 100; i++) {
                Answers.await(client.put(chunk));
            }
            backUp(client, NAME, Samples.chunks(new Random(1), 2, 100));
        }
    }

    @Test
    void aClientSeesOnlyItsOwnNamespace() throws IOException {
        try (AgentClient one = connect(site1);
                AgentClient two = connect(certificates.client("site2"))) {
            SnapshotInfo info = backUp(one, NAME, Samples.chunks(new Random(1), 2, 100));
            assertThat(two.list(0).snapshots()).isEmpty();
            assertThatThrownBy(() -> Answers.await(two.show(info.id(), 0)))
                    .hasMessageContaining("no snapshot 1 of client site2");
            assertThatThrownBy(() -> two.verify(info.id(), 0)).hasMessageContaining("no snapshot 1 of client site2");
        }
    }

    @Test
    void aLookUpSaysWhichChunksAreThere() throws IOException {
        List<StoredRegion> chunks = Samples.chunks(new Random(2), 10, 100);
        try (AgentClient client = connect(site1)) {
            for (int i = 0; i < 10; i += 3) {
                Answers.await(client.put(chunks.get(i)));
            }
            client.sync();
            List<Fingerprint> asked =
                    chunks.stream().map(chunk -> chunk.first().fingerprint()).toList();
            assertThat(Answers.await(client.lookup(asked)).stream().boxed()).containsExactly(0, 3, 6, 9);
        }
    }

    @Test
    void aChunkThatIsNotWhatItSaysIsRefused() throws IOException {
        StoredRegion good = Samples.sealed(Samples.text(new Random(1), 500));
        Fingerprint other = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {1}));
        StoredRegion lie = new StoredRegion(good.first(), good.codec(), other, good.stored());
        try (AgentClient client = connect(site1)) {
            assertRefused(ErrorCode.BAD_CHUNK, () -> Answers.await(client.put(lie)));
            assertThat(Answers.await(client.lookup(List.of(good.first().fingerprint())))
                            .isEmpty())
                    .isTrue();
        }
    }

    @Test
    void theAgentDigestsWhatTheClientDidNot() throws IOException {
        StoredRegion chunk = Samples.sealed(Samples.text(new Random(4), 500));
        StoredRegion sent = new StoredRegion(chunk.first(), chunk.codec(), StoredRegion.UNDIGESTED, chunk.stored());
        try (AgentClient client = connect(site1)) {
            Answers.await(client.put(sent));
            assertThat(Answers.await(client.fetch(chunk.first())).storedDigest())
                    .isEqualTo(chunk.storedDigest());
        }
    }

    @Test
    void regionsAreFetchedTogetherAndNoneIsLeftOutWhereAllOfThemIsWanted() throws IOException {
        Random random = new Random(Samples.seed());
        List<StoredRegion> regions = Samples.inRegions(random, Samples.chunks(random, 50, 40_000));
        List<ChunkRef> refs =
                regions.stream().flatMap(region -> region.chunks().stream()).toList();
        try (AgentClient client = connect(site1)) {
            backUp(client, NAME, regions);
            List<StoredRegion> fetched = Answers.await(client.fetchMany(refs));
            assertThat(fetched.stream().map(StoredRegion::chunks).distinct())
                    .isEqualTo(regions.stream().map(StoredRegion::chunks).toList());
            for (StoredRegion region : fetched) {
                region.check();
            }
            ChunkRef last = refs.get(refs.size() - 1);
            assertThat(Answers.await(client.fetchMany(List.of(last))))
                    .singleElement()
                    .satisfies(region -> assertThat(region.chunks()).contains(last));
        } catch (BadChunkException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestsThatMakeNoSenseAreRefusedAndTheConnectionGoesOn() throws IOException {
        StoredRegion chunk = Samples.sealed(new byte[300]);
        Fingerprint digest = new ContentDigest(Samples.SEAL).finish();
        ListPage page = Samples.pageOf(0, List.of(chunk));
        ListPage second = Samples.pageOf(1, List.of(chunk));
        try (AgentClient client = connect(site1)) {
            assertRefused(ErrorCode.INVALID, () -> client.commit(0, 0, digest, SUMMARY));
            assertRefused(ErrorCode.INVALID, () -> Answers.await(client.append(page)));
            client.begin(NAME, Samples.SEAL, Request.Begin.UNKNOWN_LENGTH);
            assertRefused(ErrorCode.INVALID, () -> client.begin(NAME, Samples.SEAL, Request.Begin.UNKNOWN_LENGTH));
            assertRefused(ErrorCode.NOT_FOUND, () -> Answers.await(client.append(page)));
            Answers.await(client.put(chunk));
            assertRefused(ErrorCode.INVALID, () -> Answers.await(client.append(second)));
            assertRefused(ErrorCode.INVALID, () -> client.commit(5, 1, digest, SUMMARY));
            assertRefused(ErrorCode.NOT_FOUND, () -> Answers.await(client.show(1, 0)));
            assertRefused(
                    ErrorCode.NOT_FOUND,
                    () -> Answers.await(client.fetch(new ChunkRef(1, Fingerprint.ofData(ByteBuffer.allocate(9))))));
            assertThat(client.list(0).snapshots()).isEmpty();
            assertThat(backUp(client, NAME, List.of(chunk)).id()).isEqualTo(1);
            assertRefused(ErrorCode.NOT_FOUND, () -> Answers.await(client.show(1, 1)));
        }
    }

    private static void assertRefused(ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(AgentException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }

    @Test
    void aConnectionThatEndsInTheMiddlePublishesNothing() throws IOException {
        try (AgentClient client = connect(site1)) {
            client.begin(NAME, Samples.SEAL, Request.Begin.UNKNOWN_LENGTH);
            Answers.await(client.put(Samples.sealed(new byte[300])));
        }
        try (AgentClient client = connect(site1)) {
            assertThat(client.list(0).snapshots()).isEmpty();
            assertThat(backUp(client, NAME, Samples.chunks(new Random(4), 3, 100))
                            .id())
                    .isEqualTo(1);
        }
    }

    @Test
    void severalClientsAtOnceStoreEachChunkOnce() throws Exception {
        List<StoredRegion> chunks = Samples.chunks(new Random(3), 300, 30_000);
        List<CompletableFuture<SnapshotInfo>> backups = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            TlsFiles tls = certificates.client("many" + i);
            backups.add(CompletableFuture.supplyAsync(() -> {
                try (AgentClient client = connect(tls)) {
                    return backUp(client, NAME, chunks);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }));
        }
        for (CompletableFuture<SnapshotInfo> backup : backups) {
            assertThat(backup.get().chunkCount()).isEqualTo(300);
        }
        assertThat(repository.chunks().index().size()).isEqualTo(300);
    }

    @Test
    void moreThanTheWindowMayBeSentWithoutWaiting() throws IOException {
        Random random = new Random(6);
        List<StoredRegion> chunks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            chunks.add(Samples.sealed(Samples.randomBytes(random, 4 << 20)));
        }
        try (AgentClient client = connect(site1)) {
            backUp(client, NAME, chunks);
            List<CompletableFuture<StoredRegion>> fetches = new ArrayList<>();
            for (StoredRegion chunk : chunks) {
                fetches.add(client.fetch(chunk.first()));
            }
            for (int i = 0; i < chunks.size(); i++) {
                assertThat(Answers.await(fetches.get(i)).storedDigest())
                        .isEqualTo(chunks.get(i).storedDigest());
            }
        }
    }

    @Test
    void aStoppingAgentTellsItsClients() throws IOException {
        try (AgentClient client = connect(site1)) {
            client.sync();
            daemon.close();
            assertThatThrownBy(client::sync)
                    .isInstanceOf(AgentException.class)
                    .hasMessageContaining("the agent is stopping");
        }
    }

    /** What an agent from before there were regions says first. */
    private static ChannelInitializer<Channel> olderAgent(SslContext tls) {
        Answer.Greeting greeting =
                new Answer.Greeting(2, 4, RegionFormat.MAX_CHUNK_BYTES, new UUID(1, 2), NAME, "an older agent");
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel opened) {
                SslHandler handler = tls.newHandler(opened.alloc());
                opened.pipeline().addLast(handler);
                handler.handshakeFuture()
                        .addListener(done ->
                                opened.writeAndFlush(Frame.encode(opened.alloc(), WireFormat.NO_REQUEST, greeting)));
            }
        };
    }

    @Test
    void anAgentThatDoesNotKnowRegionsIsRefusedWithTheRemedy() throws Exception {
        SslContext tls = certificates.agent("127.0.0.1").forAgent();
        EventLoopGroup loop = new NioEventLoopGroup(1);
        try {
            Channel listening = new ServerBootstrap()
                    .group(loop)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(olderAgent(tls))
                    .bind("127.0.0.1", 0)
                    .sync()
                    .channel();
            HostPort older = new HostPort("127.0.0.1", ((InetSocketAddress) listening.localAddress()).getPort());
            assertThatThrownBy(() -> AgentClient.connect(older, site1))
                    .isInstanceOf(AgentException.class)
                    .hasMessageContaining("speaks protocol versions 2 to 4, this program 5")
                    .hasMessageEndingWith("upgrade the older side");
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void moreClientsThanAllowedAreTurnedAway() throws IOException {
        List<AgentClient> clients = new ArrayList<>();
        List<TlsFiles> others = new ArrayList<>();
        for (int i = 2; i <= 4; i++) {
            others.add(certificates.client("site" + i));
        }
        try {
            for (int i = 0; i < 64; i++) {
                clients.add(connect(i < 16 ? site1 : others.get(i / 16 - 1)));
            }
            assertThatThrownBy(() -> connect(site1)).hasMessageContaining("too many clients");
        } finally {
            for (AgentClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aClientOfVersionFiveIsToldThatItsDeletionWaits() throws Exception {
        try (AgentClient client = connect(site1)) {
            backUp(client, NAME, Samples.chunks(new Random(1), 3, 2000));
        }
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                "clients:\n  site1: {rights: [prune]}\n  second: {namespace: site1, rights: [confirm]}\n"
                        + "namespaces:\n  site1: {delete-needs: confirm}\n");
        try (AgentDaemon guarded = AgentDaemon.start(
                        repository,
                        AccessFile.open(rights),
                        RevokedCertificates.none(),
                        certificates.agent("127.0.0.1"),
                        new InetSocketAddress("127.0.0.1", 0));
                RawClient old = new RawClient(site1, guarded.address().getPort()).hello(5)) {
            old.send(1, new UpkeepRequest.Delete(List.of(1L)));
            assertThat(old.read().answer("agent")).isInstanceOfSatisfying(Answer.Failure.class, failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.NOT_PERMITTED);
                assertThat(failure.text()).contains("request 1 of client site1").contains("waits until");
            });
        }
    }
}
