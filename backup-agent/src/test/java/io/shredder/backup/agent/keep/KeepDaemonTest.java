// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.HomeInUseException;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.home.OtherWriterException;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.net.LogLines;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One keeper on its own, over the network: who may hold it, and what comes of connections that end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeepDaemonTest {

    private static final String FILE = "files/a@00000001.0000000000000001.growing";
    private static final Dispersal STORE = new Dispersal(new UUID(1, 2), 2, 1);

    @TempDir
    private Path folder;

    private Path kept;
    private KeepSite site;
    private KeepDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        site = new KeepSite(folder.resolve("site"));
        kept = Files.createDirectory(folder.resolve("keeper"));
        daemon = site.start(kept);
    }

    @AfterEach
    void stop() throws IOException {
        site.close();
    }

    private HeldHome madeKeeper(String client, UUID holder, int epoch) throws IOException {
        HeldHome held = site.home(daemon, client, holder).hold();
        Keeper.make(held, KeeperIdentity.first(STORE, 1), epoch);
        return held;
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        return bytes.flip();
    }

    @Test
    void aSecondAgentIsToldWhoHoldsTheKeeperAndHasItOnceTheFirstIsGone() throws IOException {
        KeeperHome second = site.home(daemon, "agent2");
        HeldHome first = madeKeeper("agent1", UUID.randomUUID(), 1);
        assertThatThrownBy(second::hold)
                .isInstanceOf(HomeInUseException.class)
                .hasMessageContaining(kept + " is held by agent1 (client /127.0.0.1:")
                .hasMessageContaining("stop that one first");
        assertThat(Keeper.identityOf(second)).contains(KeeperIdentity.first(STORE, 1));
        assertThat(second.names().orElseThrow())
                .contains("keeper", "writer", "files")
                .doesNotContain("lock");
        first.close();
        awaitUnheld();
        second.hold().close();
    }

    private void awaitUnheld() {
        while (daemon.folder().holder().isPresent()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aLocalAgentIsKeptOutWhileTheKeeperIsOffered() {
        assertThatThrownBy(() -> new LocalHome(kept).hold()).isInstanceOf(HomeInUseException.class);
        assertThatThrownBy(() -> site.start(kept)).isInstanceOf(HomeInUseException.class);
        assertThatThrownBy(() -> site.start(folder.resolve("none"))).hasMessageContaining("is no folder: make it");
    }

    @Test
    void theSameHolderTakesOverFromItsOwnConnectionAndItsOpenFilesAreLost() throws IOException {
        UUID holder = UUID.randomUUID();
        HeldHome before = madeKeeper("agent1", holder, 1);
        AppendableFile file = before.storage().create(FILE, bytes(1, 2));
        file.append(bytes(3));
        file.force();
        HeldHome after = site.home(daemon, "agent1", holder).hold();
        after.writesAs(1);
        assertThat(after.storage().list("files")).containsExactly(new StoredFile(FILE, 3));
        assertThatThrownBy(() -> {
                    file.append(bytes(4));
                    file.force();
                })
                .isInstanceOf(IOException.class);
        assertThat(file.isSound()).isFalse();
        after.storage().delete(FILE);
        assertThat(after.storage().list("files")).isEmpty();
        assertThatThrownBy(site.home(daemon, "agent2", holder)::hold)
                .as("another client with the same id")
                .isInstanceOf(HomeInUseException.class);
        after.close();
    }

    @Test
    void anOlderWriterIsRefusedByNameAndChangesNothing() throws IOException {
        UUID holder = UUID.randomUUID();
        HeldHome old = madeKeeper("agent1", holder, 4);
        AppendableFile growing = old.storage().create(FILE, bytes(1));
        growing.close();
        HeldHome young = site.home(daemon, "agent1", holder).hold();
        Keeper.mend(young, KeeperIdentity.first(STORE, 1), 5);
        assertThatThrownBy(() -> old.storage().size(FILE)).isInstanceOf(OtherWriterException.class);
        assertThat(young.storage().size(FILE)).isEqualTo(1);
        young.close();
        awaitUnheld();
        String other = "another agent has taken the store over: keeper " + kept + " is in epoch 5, not 4";
        assertThatThrownBy(() -> old.storage().create("files/b", bytes(1)))
                .isInstanceOf(OtherWriterException.class)
                .hasMessage(other);
        assertThatThrownBy(() -> old.storage().delete(FILE)).hasMessage(other);
        assertThatThrownBy(() -> old.storage().replace("keeper", bytes(1))).hasMessage(other);
        assertThatThrownBy(() -> old.rename(FILE, "files/b")).hasMessage(other);
        assertThatThrownBy(() -> Keeper.mend(old, KeeperIdentity.first(STORE, 1), 4))
                .hasMessage(other);
        assertThat(Keeper.epoch(new LocalHome(kept))).isEqualTo(5);
        assertThat(kept.resolve(FILE)).hasSize(1);
        old.close();
    }

    @Test
    void whoHasNotNotedItsEpochChangesNothing() throws IOException {
        madeKeeper("agent1", UUID.randomUUID(), 4).close();
        awaitUnheld();
        try (HeldHome held = site.home(daemon, "agent1").hold()) {
            assertThatThrownBy(() -> held.storage().create(FILE, bytes(1))).isInstanceOf(OtherWriterException.class);
            held.writesAs(5);
            assertThatThrownBy(() -> held.storage().create(FILE, bytes(1))).isInstanceOf(OtherWriterException.class);
            assertThatThrownBy(() -> held.storage().delete("writer")).hasMessageContaining("is in epoch 4, not 5");
            held.writesAs(4);
            assertRefused(() -> held.storage().delete("writer"), "is replaced, and not");
            assertRefused(() -> held.rename("keeper", "writer"), "is replaced, and not");
            assertRefused(() -> held.storage().create("writer", bytes(1)), "is replaced, and not");
            assertRefused(() -> held.storage().replace("writer", bytes(1)), "no text of a");
        }
    }

    @Test
    void aDamagedWriterIsReplacedAndNothingElseIsChanged() throws IOException {
        madeKeeper("agent1", UUID.randomUUID(), 4).close();
        awaitUnheld();
        Files.write(kept.resolve("writer"), new byte[] {1});
        try (HeldHome held = site.home(daemon, "agent1").hold()) {
            assertRefused(() -> held.storage().create(FILE, bytes(1)), "is damaged");
            awaitAnswer(() -> Keeper.mend(held, KeeperIdentity.first(STORE, 1), 4));
            held.storage().create(FILE, bytes(1)).close();
        }
        assertThat(Keeper.epoch(new LocalHome(kept))).isEqualTo(4);
    }

    @Test
    void aClientWithoutTheRightIsRefusedAndNoted() throws Exception {
        try (LogLines log = LogLines.of(KeepConnection.class)) {
            assertThatThrownBy(site.home(daemon, "backup1")::hold)
                    .hasMessageContaining("client backup1 has no right here: give it 'keep'");
            log.await("client backup1 has no right here");
            assertThatThrownBy(() -> Keeper.identityOf(site.home(daemon, "stranger1")))
                    .hasMessageContaining("client stranger1 has no right here");
            log.await("client stranger1 has no right here");
        }
    }

    @Test
    void aRightThatIsTakenAwayEndsChangesOnOpenConnectionsToo() throws IOException {
        HeldHome held = madeKeeper("agent1", UUID.randomUUID(), 1);
        site.allow("agent2");
        assertThatThrownBy(() -> held.storage().create(FILE, bytes(1)))
                .hasMessageContaining("is not good for this keeper any more");
        held.close();
    }

    @Test
    void aRevokedCertificateIsRefused() throws IOException {
        TlsFiles stolen = site.client("agent1");
        site.close();
        site.revoke(stolen);
        daemon = site.start(kept);
        KeeperHome home = new io.shredder.backup.agent.dispersal.remote.RemoteHomes(stolen)
                .at("127.0.0.1", daemon.address().getPort(), UUID.randomUUID());
        assertThatThrownBy(home::hold).hasMessageContaining("is revoked: use another");
        site.home(daemon, "agent2").hold().close();
    }

    @Test
    void aKeeperWithACertificateForAnotherHostIsRefused() throws IOException {
        KeeperHome other = site.homes("agent1").at("localhost", daemon.address().getPort(), UUID.randomUUID());
        assertThatThrownBy(other::hold).hasMessageContaining("no TLS connection to keeper localhost:");
    }

    @Test
    void appendsAreOnTheirWayTogetherAndAreWholeOnceForced() throws IOException {
        byte[] part = new byte[300_000];
        try (HeldHome held = madeKeeper("agent1", UUID.randomUUID(), 1);
                AppendableFile file = held.storage().create(FILE, bytes(7))) {
            for (int i = 0; i < 100; i++) {
                part[0] = (byte) i;
                file.append(ByteBuffer.wrap(part));
            }
            file.force();
            assertThat(Files.size(kept.resolve(FILE))).isEqualTo(30_000_001);
            try (ReadableFile opened = held.storage().open(FILE)) {
                for (int i = 0; i < 100; i++) {
                    ByteBuffer first = ByteBuffer.allocate(1);
                    opened.readFully(first, 1 + i * 300_000L);
                    assertThat(first.get(0)).isEqualTo((byte) i);
                }
            }
        }
    }

    @Test
    void anAppendThatFailsIsTheFilesEndAndWhatCameBehindItIsNotThere() throws IOException {
        UUID holder = UUID.randomUUID();
        try (HeldHome held = madeKeeper("agent1", holder, 1)) {
            AppendableFile file = held.storage().create(FILE, bytes(7));
            held.writesAs(2); // As if another writer had come: the keeper is in epoch 1.
            boolean told = false;
            for (int i = 0; i < 5 && !told; i++) {
                try {
                    file.append(bytes(i));
                } catch (OtherWriterException e) {
                    told = true; // The answer to an append before it has come already.
                    assertThat(file.isSound()).isFalse();
                }
            }
            held.writesAs(1);
            assertThatThrownBy(file::force)
                    .as("why it failed is told once, at the latest when all is forced")
                    .satisfies(
                            told
                                    ? failed -> assertThat(failed).hasMessage("the file failed before")
                                    : failed -> assertThat(failed).isInstanceOf(OtherWriterException.class));
            assertThatThrownBy(file::close).isInstanceOf(OtherWriterException.class);
            assertThat(held.storage().size(FILE)).isEqualTo(1);
        }
    }

    @InTurn(days = 3)
    @Test
    void manyFilesAreListedPageByPage() throws IOException {
        int count = KeepFormat.MAX_NAMES * 2 + 5;
        for (String sub : new String[] {"files/a", "files/a.b", "files/b"}) {
            Files.createDirectories(kept.resolve(sub));
        }
        for (int i = 0; i < count; i++) {
            Files.createFile(
                    kept.resolve(i % 3 == 0 ? "files/a/" + i : i % 3 == 1 ? "files/a.b/" + i : "files/b/" + i));
        }
        Files.createSymbolicLink(kept.resolve("files/link"), folder);
        try (HeldHome held = site.home(daemon, "agent1").hold()) {
            assertThat(held.storage().list("files")).hasSize(count).doesNotHaveDuplicates();
            assertThat(held.storage().list("files/a.b"))
                    .allMatch(file -> file.name().startsWith("files/a.b/"));
            assertThat(held.storage().list("files/none")).isEmpty();
        }
    }

    @Test
    void noLinkIsFollowed() throws IOException {
        Path secret = Files.write(folder.resolve("secret"), new byte[] {1});
        Files.createDirectory(kept.resolve("files"));
        Files.createSymbolicLink(kept.resolve("files/link"), secret);
        Files.createSymbolicLink(kept.resolve("files/out"), folder);
        Files.createSymbolicLink(kept.resolve("small"), secret);
        KeeperHome home = site.home(daemon, "agent1");
        awaitAnswer(home::names);
        assertRefused(() -> home.read("small"), "is a symbolic link");
        assertRefused(() -> home.read("../secret"), "is no name of a keeper's file");
        try (HeldHome held = site.home(daemon, "agent1").hold()) {
            for (String name : new String[] {"files/link", "files/out/secret"}) {
                assertRefused(() -> held.storage().open(name), "is a symbolic link");
                assertRefused(() -> held.storage().create(name, bytes(2)), "is a symbolic link");
                assertRefused(() -> held.storage().delete(name), "is a symbolic link");
                assertThat(held.has(name))
                        .as("whether there is something elsewhere")
                        .isFalse();
            }
        }
        assertThat(secret).hasBinaryContent(new byte[] {1});
    }

    @Test
    void anotherDiskInItsPlaceIsNotTheKeeper() throws IOException {
        madeKeeper("agent1", UUID.randomUUID(), 1).close();
        awaitUnheld();
        Files.move(kept, folder.resolve("old"));
        assertThatThrownBy(site.home(daemon, "agent1")::hold).hasMessageContaining("isn't there any more");
        Files.createDirectory(kept);
        assertThatThrownBy(site.home(daemon, "agent1")::hold).hasMessageContaining("is not the folder it was");
        assertThatThrownBy(site.home(daemon, "agent1")::names).hasMessageContaining("is not the folder it was");
    }

    @Test
    void twoAddressesOfOneKeeperAreOne() throws IOException {
        KeepDaemon other = site.start(Files.createDirectory(folder.resolve("other")));
        KeeperHome home = site.home(daemon, "agent1");
        assertThat(home.isSameAs(site.home(daemon, "agent1"))).isTrue();
        assertThat(home.isSameAs(site.home(other, "agent1"))).isFalse();
        assertThat(home.isSameAs(new LocalHome(kept))).isFalse();
    }

    @Test
    void aKeeperThatIsStoppedAndStartedIsHeldAgainByWhoHeldItAndReadersGoOn() throws IOException {
        HeldHome held = madeKeeper("agent1", UUID.randomUUID(), 1);
        AppendableFile file = held.storage().create(FILE, bytes(1, 2, 3));
        file.force();
        ReadableFile reader = held.storage().open(FILE);
        int port = daemon.address().getPort();
        daemon.close();
        assertThatThrownBy(file::force).isInstanceOf(IOException.class);
        assertThat(file.isSound()).isFalse();
        daemon = site.startAt(kept, port);
        ByteBuffer all = ByteBuffer.allocate(3);
        awaitAnswer(() -> reader.readFully(all.clear(), 0));
        assertThat(all.flip()).isEqualTo(bytes(1, 2, 3));
        held.storage().delete(FILE);
        assertThatThrownBy(() -> held.storage().size(FILE)).isInstanceOf(NoSuchFileException.class);
        held.close();
    }

    private interface Step {
        void run() throws IOException;
    }

    /** By the keeper, once it is asked again after it refused something before. */
    private static void assertRefused(Step step, String text) {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < endNs) {
            try {
                step.run();
                throw new AssertionError("not refused: " + text);
            } catch (IOException e) {
                if (!e.getMessage().contains("is not asked before it gives a sign of life")) {
                    assertThat(e).hasMessageContaining(text);
                    return;
                }
            }
        }
        throw new AssertionError("it gives no sign of life");
    }

    /** Until it has given a sign of life. */
    private static void awaitAnswer(Step step) throws IOException {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (true) {
            try {
                step.run();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > endNs) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }
}
