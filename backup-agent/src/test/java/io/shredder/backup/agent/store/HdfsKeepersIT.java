// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.home.HadoopHome;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores over keepers of which some are folders of a real HDFS. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HdfsKeepersIT {

    private static final String CONTAINER = "containers/00000/00000001.container";
    private static final String POLICY = "XOR-2-1-1024k";

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

    private static KeeperHome home(URI place) throws IOException {
        return new HadoopHome(place, UUID.randomUUID());
    }

    private static List<KeeperHome> homes(Path folder, int local, int inHdfs) throws IOException {
        List<KeeperHome> homes = new ArrayList<>();
        for (int i = 0; i < inHdfs; i++) {
            homes.add(home(hdfs.madeFolder()));
        }
        for (int i = 0; i < local; i++) {
            homes.add(new LocalHome(Files.createDirectories(folder.resolve("keeper" + i))));
        }
        return homes;
    }

    @Nested
    class OfTwoLocalAndOneOnHdfs extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return DispersedStorage.open(new DispersalConfig(2, 1, homes(folder, 2, 1)));
        }
    }

    @Nested
    @InTurn(days = 3)
    class OfOneLocalAndThreeOnHdfs extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return DispersedStorage.open(new DispersalConfig(2, 2, homes(folder, 1, 3)));
        }
    }

    @Nested
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
    class AHome {

        @Test
        void isReadByAllAndHeldByOne() throws IOException {
            URI place = hdfs.madeFolder();
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
            URI missing = URI.create(hdfs.madeFolder() + "-not");
            assertThat(home(missing).names()).isEmpty();
            assertThat(home(missing).read("keeper")).isEmpty();
            assertThatThrownBy(() -> home(missing).hold()).hasMessageContaining(missing + " isn't there");
            URI coded = hdfs.madeFolder();
            DistributedFileSystem files = hdfs.files();
            files.enableErasureCodingPolicy(POLICY);
            files.setErasureCodingPolicy(new org.apache.hadoop.fs.Path(coded), POLICY);
            assertThatThrownBy(() -> home(coded).hold()).hasMessageContaining("hdfs ec -setPolicy -replicate");
            files.unsetErasureCodingPolicy(new org.apache.hadoop.fs.Path(coded));
            home(coded).hold().close();
        }
    }

    /** A writer that is asleep, or dead, has a file open at each keeper. */
    @Test
    @InTurn(days = 3)
    void whatADeadWriterForcedIsThereAndTheWriterIsToldWhenItWakes() throws Exception {
        List<URI> places = List.of(hdfs.madeFolder(), hdfs.madeFolder(), hdfs.madeFolder());
        UUID agent = UUID.randomUUID();
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(new Random(7), 1_500_000));
        try (DispersedStorage asleep = DispersedStorage.open(config(places, agent))) {
            AppendableFile file = asleep.create(CONTAINER, all.slice(0, 64));
            file.append(all.slice(64, 1_000_000));
            file.force();
            file.append(all.slice(1_000_064, 400_000));
            endRenewals();
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

    /** A process that sleeps renews nothing; here it would, and into the other's take-over. */
    private static void endRenewals() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("store-lease")) {
                thread.interrupt();
                thread.join();
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
}
