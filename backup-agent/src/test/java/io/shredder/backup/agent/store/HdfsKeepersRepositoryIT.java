// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A repository over keepers 0 to 3, of which 2 and 3 are on a real HDFS. Any two give everything back. The last test
 * stops its daemons.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HdfsKeepersRepositoryIT {

    @TempDir
    private static Path work;

    private static KeepersHdfs hdfs;

    @BeforeAll
    static void start() throws IOException {
        hdfs = new KeepersHdfs(work.resolve("hdfs"));
    }

    @AfterAll
    static void stop() {
        hdfs.close();
    }

    @TempDir
    private Path folder;

    private final Random random = new Random(9);
    private final List<StoredRegion> regions =
            Samples.inRegions(random, Samples.chunks(random, 220, 4000)).subList(0, 40);
    private final List<String> keepers = new ArrayList<>();
    private final List<Long> ids = new ArrayList<>();

    private void makeKeepers(int local, int inHdfs) throws IOException {
        for (int i = 0; i < local; i++) {
            keepers.add(Files.createDirectory(folder.resolve("keeper" + i)).toString());
        }
        for (int i = 0; i < inHdfs; i++) {
            keepers.add(hdfs.madeFolder().toString());
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
    @InTurn(days = 3)
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
            assertThat(hdfs.files().rename(path, path.suffix("-away"))).isTrue();
        }
        assertRestores();
    }

    @Test
    @InTurn(days = 3)
    void getsAKeeperOnHdfsForADeadDiskAndADiskForADeadOneOnHdfs() throws IOException {
        makeKeepers(2, 2);
        try (Repository repository = open()) {
            backUp(repository);
        }
        takeAway(1);
        keepers.set(1, hdfs.madeFolder().toString());
        writeList();
        assertThat(run("replace-keeper", "--place", "1")).isZero();
        assertThat(run("replace-keeper", "--place", "1"))
                .as("it has everything")
                .isEqualTo(1);
        try (Repository repository = open()) {
            backUp(repository);
            assertThat(run("check-keepers")).as("an agent runs").isEqualTo(1);
        }
        hdfs.files().delete(new org.apache.hadoop.fs.Path(keepers.get(2)), true);
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
        DistributedFileSystem inHdfs = hdfs.files();
        var files = inHdfs.listFiles(new org.apache.hadoop.fs.Path(keepers.get(3), "files"), true);
        int damaged = 0;
        while (files.hasNext()) {
            var file = files.next().getPath();
            byte[] bytes;
            try (var in = inHdfs.open(file)) {
                bytes = in.readAllBytes();
            }
            bytes[bytes.length / 2] ^= 1;
            try (FSDataOutputStream out = inHdfs.create(file, true)) {
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
        MiniDFSCluster cluster = hdfs.cluster();
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
