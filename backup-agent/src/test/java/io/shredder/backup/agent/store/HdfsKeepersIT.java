// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.home.HadoopHome;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores over keepers of which some are folders of a real HDFS. The last tests stop its daemons. */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HdfsKeepersIT {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String POLICY = "XOR-2-1-1024k";
    private static final AtomicInteger FOLDERS = new AtomicInteger();

    @TempDir
    private static Path work;

    private static MiniDFSCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = new MiniDFSCluster.Builder(
                        new HdfsConfiguration(), work.resolve("hdfs").toFile())
                .numDataNodes(3)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    /** An empty folder. */
    private static URI madeFolder() throws IOException {
        DistributedFileSystem hdfs = cluster.getFileSystem();
        var folder = new org.apache.hadoop.fs.Path("/keepers/" + FOLDERS.incrementAndGet());
        hdfs.mkdirs(folder, new FsPermission((short) 0700));
        return hdfs.makeQualified(folder).toUri();
    }

    private static KeeperHome home(URI place) throws IOException {
        return new HadoopHome(place, UUID.randomUUID());
    }

    private static List<KeeperHome> homes(Path folder, int local, int hdfs) throws IOException {
        List<KeeperHome> homes = new ArrayList<>();
        for (int i = 0; i < hdfs; i++) {
            homes.add(home(madeFolder()));
        }
        for (int i = 0; i < local; i++) {
            homes.add(new LocalHome(Files.createDirectories(folder.resolve("keeper" + i))));
        }
        return homes;
    }

    @Nested
    @Order(1)
    class OfTwoLocalAndOneOnHdfs extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return DispersedStorage.open(new DispersalConfig(2, 1, homes(folder, 2, 1)));
        }
    }

    @Nested
    @Order(1)
    @InTurn(days = 3)
    class OfOneLocalAndThreeOnHdfs extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return DispersedStorage.open(new DispersalConfig(2, 2, homes(folder, 1, 3)));
        }
    }

    @Nested
    @Order(1)
    @InTurn(days = 3)
    class OfOneLocalAndThreeOnHdfsWithALocalOneAway extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            DispersalConfig config = new DispersalConfig(2, 2, homes(folder, 1, 3));
            DispersedStorage.open(config).close();
            Files.move(folder.resolve("keeper0"), folder.resolve("away0"));
            return DispersedStorage.open(config);
        }
    }

    @Nested
    @Order(2)
    class AHome {

        @Test
        void isReadByAllAndHeldByOne() throws IOException {
            URI place = madeFolder();
            KeeperHome home = home(place);
            assertThat(home.names()).contains(Set.of());
            assertThat(home.read("keeper")).isEmpty();
            try (HeldHome held = home.hold()) {
                assertThat(held.has("keeper")).isFalse();
                held.storage().replace("keeper", ByteBuffer.wrap(new byte[] {1, 2}));
                held.makeFolder("files");
                assertThat(held.has("keeper")).isTrue();
                assertThat(held.has("files")).isTrue();
                assertThat(home.read("keeper")).contains(ByteBuffer.wrap(new byte[] {1, 2}));
                assertThat(home.names()).contains(Set.of("keeper", "files"));
                assertThat(home.path("files/x")).isEqualTo(place + "/files/x");
                assertThatThrownBy(() -> Keeper.hold(home(place)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is in use by process "
                                + ProcessHandle.current().pid() + " on ");
                held.storage().create("files/a.part", ByteBuffer.allocate(10)).close();
                held.setModified("files/a.part", Instant.parse("2026-11-26T09:00:00Z"));
                held.rename("files/a.part", "files/a");
                assertThat(held.storage().size("files/a")).isEqualTo(10);
                assertThat(held.storage().lastModified("files/a")).isEqualTo("2026-11-26T09:00:00Z");
                assertThat(held.has("files/a.part")).isFalse();
            }
            home(place).hold().close();
        }

        @Test
        void thatIsNotThereOrCantForceIsRefused() throws IOException {
            URI missing = URI.create(madeFolder() + "-not");
            assertThat(home(missing).names()).isEmpty();
            assertThat(home(missing).read("keeper")).isEmpty();
            assertThatThrownBy(() -> home(missing).hold()).hasMessageContaining(missing + " isn't there");
            URI coded = madeFolder();
            DistributedFileSystem hdfs = cluster.getFileSystem();
            hdfs.enableErasureCodingPolicy(POLICY);
            hdfs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path(coded), POLICY);
            assertThatThrownBy(() -> home(coded).hold()).hasMessageContaining("hdfs ec -setPolicy -replicate");
            hdfs.unsetErasureCodingPolicy(new org.apache.hadoop.fs.Path(coded));
            home(coded).hold().close();
        }
    }

    /** A writer that is asleep, or dead, has a file open at each keeper. */
    @Test
    void whatADeadWriterForcedIsThereAndTheWriterIsToldWhenItWakes() throws IOException {
        List<URI> places = List.of(madeFolder(), madeFolder(), madeFolder());
        UUID agent = UUID.randomUUID();
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(new Random(7), 1_500_000));
        try (DispersedStorage asleep = DispersedStorage.open(config(places, agent))) {
            AppendableFile file = asleep.create(CONTAINER, all.slice(0, 64));
            file.append(all.slice(64, 1_000_000));
            file.force();
            file.append(all.slice(1_000_064, 400_000));
            try (DispersedStorage next = DispersedStorage.open(config(places, agent))) {
                next.endWriting(CONTAINER);
                long size = next.size(CONTAINER);
                assertThat(size).isGreaterThanOrEqualTo(1_000_064);
                try (ReadableFile opened = next.open(CONTAINER)) {
                    ByteBuffer read = ByteBuffer.allocate((int) size);
                    opened.readFully(read, 0);
                    assertThat(read.flip()).isEqualTo(all.slice(0, (int) size));
                }
                next.force(CONTAINER);
                assertThatThrownBy(() -> {
                            file.append(all.slice(1_400_064, 1000));
                            file.force();
                        })
                        .hasMessageContaining("another agent has taken the store over");
                assertThat(next.size(CONTAINER)).isEqualTo(size);
                next.replace("highest-id", ByteBuffer.allocate(8));
            }
        }
    }

    private static DispersalConfig config(List<URI> places, UUID agent) throws IOException {
        List<KeeperHome> homes = new ArrayList<>();
        for (URI place : places) {
            homes.add(new HadoopHome(place, agent));
        }
        return new DispersalConfig(2, 1, homes);
    }

    /** A repository over keepers 0 to 3, of which 2 and 3 are on HDFS. Any two give everything back. */
    @Nested
    @Order(3)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    class ARepository {

        @TempDir
        private Path folder;

        private final Random random = new Random(9);
        private final List<StoredRegion> regions =
                Samples.inRegions(random, Samples.chunks(random, 220, 4000)).subList(0, 40);
        private final List<String> keepers = new ArrayList<>();
        private final List<Long> ids = new ArrayList<>();

        private void makeKeepers(int local, int hdfs) throws IOException {
            for (int i = 0; i < local; i++) {
                keepers.add(Files.createDirectory(folder.resolve("keeper" + i)).toString());
            }
            for (int i = 0; i < hdfs; i++) {
                keepers.add(madeFolder().toString());
            }
            writeList();
        }

        private void writeList() throws IOException {
            Files.writeString(list(), "data: 2\nparity: 2\nkeepers: [\"" + String.join("\", \"", keepers) + "\"]\n");
        }

        private Path list() {
            return folder.resolve("keepers.yaml");
        }

        private Repository open() throws IOException {
            StorePlace place = new StorePlace(folder.resolve("repo"), Optional.of(URI.create("disperse:" + list())));
            return Repository.open(place, RepositoryIndex.defaultKeyFile(place.root()), Clock.systemUTC());
        }

        private void backUp(Repository repository) throws IOException {
            try (TestSession session = TestSession.open(repository)) {
                ids.add(session.backUp("vm", regions.subList(5 * ids.size(), 5 * ids.size() + 10)));
            }
        }

        private void assertRestores(Repository repository) throws IOException {
            for (int i = 0; i < ids.size(); i++) {
                try (TestSession session = TestSession.open(repository)) {
                    session.assertRestores(ids.get(i), regions.subList(5 * i, 5 * i + 10));
                }
            }
        }

        private void assertRestores() throws IOException {
            try (Repository repository = open()) {
                assertRestores(repository);
            }
        }

        private void takeAway(int local) throws IOException {
            Files.move(folder.resolve("keeper" + local), folder.resolve("away" + local));
        }

        private void bringBack(int local) throws IOException {
            Files.move(folder.resolve("away" + local), folder.resolve("keeper" + local));
        }

        private int run(String command, String... options) {
            List<String> words = new ArrayList<>(List.of(command, "--keepers", list().toString()));
            words.addAll(List.of(options));
            return AgentMain.run(words.toArray(String[]::new));
        }

        @Test
        void isRestoredFromHdfsAloneAndWithoutIt() throws IOException {
            makeKeepers(2, 2);
            try (Repository repository = open()) {
                backUp(repository);
                backUp(repository);
                assertRestores(repository);
            }
            assertThat(run("check-keepers")).isZero();
            takeAway(0);
            takeAway(1);
            assertRestores();
            bringBack(0);
            bringBack(1);
            for (String place : keepers.subList(2, 4)) {
                var path = new org.apache.hadoop.fs.Path(place);
                assertThat(cluster.getFileSystem().rename(path, path.suffix("-away")))
                        .isTrue();
            }
            assertRestores();
        }

        @Test
        void getsAKeeperOnHdfsForADeadDiskAndADiskForADeadOneOnHdfs() throws IOException {
            makeKeepers(2, 2);
            try (Repository repository = open()) {
                backUp(repository);
            }
            takeAway(1);
            keepers.set(1, madeFolder().toString());
            writeList();
            assertThat(run("replace-keeper", "--place", "1")).isZero();
            assertThat(run("replace-keeper", "--place", "1"))
                    .as("it has everything")
                    .isEqualTo(1);
            try (Repository repository = open()) {
                backUp(repository);
                assertThat(run("check-keepers")).as("an agent runs").isEqualTo(1);
            }
            cluster.getFileSystem().delete(new org.apache.hadoop.fs.Path(keepers.get(2)), true);
            keepers.set(2, Files.createDirectory(folder.resolve("keeper2")).toString());
            writeList();
            assertThat(run("replace-keeper", "--place", "2", "--later")).isZero();
            try (Repository repository = open()) {
                backUp(repository);
                while (!Files.readString(folder.resolve("keeper2/keeper")).contains("state whole")) {
                    Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
                }
            }
            assertThat(run("check-keepers")).isZero();
            takeAway(0);
            takeAway(2);
            assertRestores();
        }

        @Test
        void whatLiesDamagedOnHdfsIsNamedAndMended() throws IOException {
            makeKeepers(2, 2);
            try (Repository repository = open()) {
                backUp(repository);
            }
            DistributedFileSystem hdfs = cluster.getFileSystem();
            var files = hdfs.listFiles(new org.apache.hadoop.fs.Path(keepers.get(3), "files"), true);
            int damaged = 0;
            while (files.hasNext()) {
                var file = files.next().getPath();
                byte[] bytes;
                try (var in = hdfs.open(file)) {
                    bytes = in.readAllBytes();
                }
                bytes[bytes.length / 2] ^= 1;
                try (FSDataOutputStream out = hdfs.create(file, true)) {
                    out.write(bytes);
                }
                damaged++;
            }
            assertThat(damaged).isGreaterThan(2);
            assertThat(run("check-keepers")).isEqualTo(1);
            assertThat(run("check-keepers", "--repair")).isZero();
            assertThat(run("check-keepers")).isZero();
            takeAway(0);
            takeAway(1);
            assertRestores();
        }

        @Test
        @Order(Integer.MAX_VALUE)
        void outlivesTheClusterWhichIsGivenWhatItMissed() throws Exception {
            makeKeepers(3, 1);
            List<MiniDFSCluster.DataNodeProperties> nodes = new ArrayList<>();
            try (Repository repository = open()) {
                backUp(repository);
                cluster.shutdownNameNode(0);
                for (int i = 0; i < 3; i++) {
                    nodes.add(cluster.stopDataNode(0));
                }
                backUp(repository);
                assertRestores(repository);
            }
            try (Repository repository = open()) {
                backUp(repository);
                assertRestores(repository);
            }
            assertThat(run("check-keepers")).as("a keeper is away").isEqualTo(1);
            cluster.restartNameNode(0, false);
            for (MiniDFSCluster.DataNodeProperties node : nodes) {
                assertThat(cluster.restartDataNode(node)).isTrue();
            }
            cluster.waitActive();
            while (cluster.getNameNode().isInSafeMode()) {
                Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
            }
            assertRestores();
            assertThat(run("check-keepers")).as("it is owed something").isEqualTo(1);
            assertThat(run("check-keepers", "--repair")).isZero();
            assertThat(run("check-keepers")).isZero();
            takeAway(0);
            takeAway(1);
            assertRestores();
        }
    }
}
