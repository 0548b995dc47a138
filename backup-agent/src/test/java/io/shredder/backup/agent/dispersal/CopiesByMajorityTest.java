// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.home.HangingHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.scrub.KeeperFinding;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.keepers.KeeperState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Keepers that say of a small file what nobody wrote, with all checksums right. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CopiesByMajorityTest {

    private static final String SMALL = "highest-id";
    private static final String CONTAINER = "containers/00000/00000001.container";

    @TempDir
    private Path folder;

    private final ByteBuffer truth = ByteBuffer.wrap(Samples.randomBytes(new Random(Samples.seed()), 24));
    private final ByteBuffer lie = ByteBuffer.wrap("what nobody ever wrote!!".getBytes(StandardCharsets.UTF_8));

    private RemovableFolders filled(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        try (DispersedStorage storage = folders.open();
                AppendableFile container = storage.create(CONTAINER, truth.duplicate())) {
            container.force();
            storage.replace(SMALL, truth.duplicate());
        }
        return folders;
    }

    private static Dispersal dispersal(RemovableFolders folders, int keeper) throws IOException {
        return Keeper.identityOf(folders.home(keeper)).orElseThrow().dispersal();
    }

    private static Members everybody(RemovableFolders folders) {
        BitSet all = new BitSet();
        all.set(0, folders.count());
        return new Members(all);
    }

    /** From now on the keeper says so of a version, which it may have had or not. */
    private static void says(RemovableFolders folders, int keeper, StoredVersion version, ByteBuffer bytes)
            throws IOException {
        ShardHeader header =
                new ShardHeader(dispersal(folders, keeper), keeper, version, everybody(folders), bytes.remaining());
        Path file = folders.keeper(keeper).resolve(version.file());
        Files.write(file, Copies.encoded(header, bytes).array());
    }

    private void liesAtOnce(RemovableFolders folders, int keeper) throws IOException {
        says(folders, keeper, version(folders, keeper), lie);
    }

    private static StoredVersion version(RemovableFolders folders, int keeper) throws IOException {
        return version(folders, keeper, SMALL);
    }

    private static StoredVersion version(RemovableFolders folders, int keeper, String file) throws IOException {
        Path copy = folders.shardOf(keeper, file);
        return StoredVersion.parse(folders.keeper(keeper).relativize(copy).toString())
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "2, 2", "4, 2", "5, 3"})
    void oneThatLiesIsNotBelievedAndIsNamed(int data, int parity) throws IOException, InterruptedException {
        RemovableFolders folders = filled(data, parity);
        for (int liar = 0; liar < folders.count(); liar++) {
            Path copy = folders.shardOf(liar, SMALL);
            byte[] before = Files.readAllBytes(copy);
            liesAtOnce(folders, liar);
            try (DispersedStorage storage = folders.open()) {
                for (int i = 0; i < 50; i++) {
                    assertThat(storage.read(SMALL)).as("keeper %d lies", liar).contains(truth);
                }
                awaitDamageOf(storage, liar);
            }
            try (Scrub scrub = Scrub.open(folders.config(), false)) {
                assertThat(scrub.run((done, total) -> {}).findings())
                        .extracting(KeeperFinding::keeper)
                        .containsExactly(liar);
            }
            Files.write(folders.keeper(liar).resolve(folders.keeper(liar).relativize(copy)), before);
        }
    }

    /**
     * Those that are not asked at first are asked beside, and nobody waits for them. What comes too late is dropped: a
     * read a second later asks again.
     */
    private static void awaitDamageOf(DispersedStorage storage, int liar) throws IOException, InterruptedException {
        List<Integer> named = List.of();
        for (int i = 0; i < 500 && named.isEmpty(); i++) {
            Thread.sleep(10);
            storage.read(SMALL);
            List<KeeperState> keepers = storage.keepersState().orElseThrow().keepers();
            named = IntStream.range(0, keepers.size())
                    .filter(keeper -> keepers.get(keeper).damaged() > 0)
                    .boxed()
                    .toList();
        }
        assertThat(named).containsExactly(liar);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "4, 2", "5, 3"})
    void asManyAsThereIsParityMayLieOrBeDeadWithoutMakingALieTrue(int data, int parity) throws IOException {
        RemovableFolders folders = filled(data, parity);
        Random random = new Random(Samples.seed());
        for (int round = 0; round < 12; round++) {
            List<Integer> keepers =
                    new ArrayList<>(IntStream.range(0, folders.count()).boxed().toList());
            Collections.shuffle(keepers, random);
            int liars = 1 + random.nextInt(parity);
            List<byte[]> before = new ArrayList<>();
            for (int i = 0; i < liars; i++) {
                before.add(Files.readAllBytes(folders.shardOf(keepers.get(i), SMALL)));
                liesAtOnce(folders, keepers.get(i));
            }
            for (int i = liars; i < parity; i++) {
                folders.takeAway(keepers.get(i));
            }
            boolean asManyLieAsDont = 2 * liars == folders.count() - (parity - liars);
            try (DispersedStorage storage = folders.open()) {
                if (asManyLieAsDont) {
                    assertThatThrownBy(() -> storage.read(SMALL)).hasMessageContaining("say different things");
                } else {
                    assertThat(storage.read(SMALL)).contains(truth);
                }
            }
            for (int i = liars; i < parity; i++) {
                folders.bringBack(keepers.get(i));
            }
            for (int i = 0; i < liars; i++) {
                Files.write(folders.shardOf(keepers.get(i), SMALL), before.get(i));
            }
        }
    }

    @Test
    void asManyForAsAgainstIsRefusedAndBothSidesAreNamed() throws IOException {
        RemovableFolders folders = filled(1, 1);
        try (DispersedStorage storage = folders.open()) {
            liesAtOnce(folders, 1);
            assertThatThrownBy(() -> storage.read(SMALL))
                    .hasMessageContaining(SMALL)
                    .hasMessageContaining("keeper0")
                    .hasMessageContaining("keeper1")
                    .hasMessageContaining("say different things");
        }
        assertThat(Files.exists(folders.shardOf(0, SMALL))).isTrue();
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.read(SMALL)).hasMessageContaining("say different things");
        }
        assertThat(Files.exists(folders.shardOf(0, SMALL)))
                .as("what may be the truth stays")
                .isTrue();
    }

    @Test
    void oneThatLacksTheLastVersionIsNoVoteAgainstIt() throws IOException {
        RemovableFolders folders = filled(4, 2);
        try (DispersedStorage storage = folders.open()) {
            Path writer = folders.keeper(0).resolve("writer");
            byte[] before = Files.readAllBytes(writer);
            Files.writeString(writer, "rot"); // It fails the change, and lacks it from then on.
            ByteBuffer last = ByteBuffer.wrap("the last version".getBytes(StandardCharsets.UTF_8));
            storage.replace(SMALL, last.duplicate());
            Files.write(writer, before);
            liesAtOnce(folders, 1);
            assertThat(storage.read(SMALL)).contains(last);
        }
    }

    @Test
    void aVersionThatOneKeeperInventsDoesNotCount() throws IOException {
        RemovableFolders folders = filled(4, 2);
        for (int liar = 0; liar < folders.count(); liar++) {
            says(folders, liar, new StoredVersion(SMALL, 100, 1, Kind.COPY), lie);
            says(folders, liar, new StoredVersion(CONTAINER, 100, 1, Kind.GONE), ByteBuffer.allocate(0));
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.read(SMALL)).contains(truth);
                assertThat(storage.read(CONTAINER)).contains(truth);
            }
            try (DispersedStorage storage = folders.open()) {
                assertThat(storage.read(CONTAINER)).contains(truth);
            }
        }
    }

    /** The version is one that there is, and only what it is isn't so. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aKindThatOneKeeperInventsDoesNotCount(Kind kind) throws IOException {
        RemovableFolders folders = filled(4, 2);
        for (int liar = 0; liar < folders.count(); liar++) {
            for (String file : List.of(SMALL, CONTAINER)) {
                StoredVersion real = version(folders, liar, file);
                if (real.kind() == kind) {
                    continue;
                }
                byte[] before = Files.readAllBytes(folders.keeper(liar).resolve(real.file()));
                Files.delete(folders.keeper(liar).resolve(real.file()));
                says(folders, liar, new StoredVersion(file, real.epoch(), real.counter(), kind), lie);
                for (int opened = 0; opened < 2; opened++) {
                    try (DispersedStorage storage = folders.open()) {
                        assertThat(storage.read(file))
                                .as("keeper %d says %s of %s", liar, kind, file)
                                .contains(truth);
                    }
                }
                Files.write(folders.keeper(liar).resolve(real.file()), before);
            }
        }
    }

    @Test
    void nobodyWaitsForAKeeperThatHangsIfTheOthersDecide() throws IOException {
        RemovableFolders folders = filled(2, 2);
        for (int index = 0; index < folders.count(); index++) {
            HangingHome hung = new HangingHome(folders.keeper(index), Duration.ofSeconds(20));
            List<KeeperHome> homes = new ArrayList<>(folders.config().keepers());
            homes.set(index, hung);
            try (DispersedStorage storage = DispersedStorage.open(new DispersalConfig(2, 2, homes))) {
                hung.hang();
                long threads = keeperThreads();
                long startNs = System.nanoTime();
                for (int i = 0; i < 200; i++) {
                    assertThat(storage.read(SMALL)).contains(truth);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(10));
                assertThat(keeperThreads()).isLessThan(threads + 60);
                hung.goOn();
            }
        }
    }

    /** Those of other tests' stores among them, which end some time after their stores. */
    private static long keeperThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("keeper"))
                .count();
    }
}
