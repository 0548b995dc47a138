// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.hadoop.HadoopStorage;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.chunk.InTurn;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.io.TempDir;

/** An agent's store on a real cluster's HDFS, replicated and erasure-coded. The last test kills a daemon. */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class BackupOnHdfsIT {

    private static final String POLICY = "XOR-2-1-1024k";
    private static final String FILE = "containers/00000/00000001.container";
    private static final AtomicInteger STORES = new AtomicInteger();

    @TempDir
    private static Path work;

    private static HadoopCluster cluster;
    private static URI root;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        cluster = HadoopCluster.started(work.resolve("cluster"), HadoopCluster.Shape.HDFS);
        var conf = cluster.clientConfiguration();
        root = FileSystem.getDefaultUri(conf);
        try (var hdfs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
            var coded = new org.apache.hadoop.fs.Path("/coded");
            hdfs.mkdirs(coded);
            hdfs.mkdirs(new org.apache.hadoop.fs.Path("/plain"));
            hdfs.enableErasureCodingPolicy(POLICY);
            hdfs.setErasureCodingPolicy(coded, POLICY);
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static URI store(String folder) {
        return root.resolve("/" + folder + "/" + STORES.incrementAndGet());
    }

    @Nested
    @Order(1)
    class Replicated extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return HadoopStorage.open(store("plain"), UUID.randomUUID());
        }

        @Test
        void aDeadWritersFileEndsAndTheWriterIsKeptOutIfItWasOnlyAsleep() throws IOException {
            takeFromWriter(store("plain"), 100_064);
        }
    }

    @Nested
    @Order(2)
    @InTurn(days = 3)
    class ErasureCoded extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return HadoopStorage.open(store("coded"), UUID.randomUUID());
        }

        @Test
        void aDeadWritersFileEndsAndTheWriterIsKeptOutIfItWasOnlyAsleep() throws IOException {
            takeFromWriter(store("coded"), 0);
        }
    }

    /** The first writer does not know that another of the same name has come. */
    private static void takeFromWriter(URI store, long leastBytes) throws IOException {
        byte[] bytes = new byte[100_064];
        new Random(1).nextBytes(bytes);
        UUID agent = UUID.randomUUID();
        try (Storage asleep = HadoopStorage.open(store, agent)) {
            AppendableFile file = asleep.create(FILE, ByteBuffer.wrap(bytes, 0, 64));
            file.append(ByteBuffer.wrap(bytes, 64, 100_000));
            if (leastBytes > 0) {
                file.show();
            }
            try (Storage next = HadoopStorage.open(store, agent)) {
                next.endWriting(FILE);
                next.force(FILE);
                long size = next.size(FILE);
                assertThat(size).isGreaterThanOrEqualTo(leastBytes);
                long kept = Math.min(size, 1234);
                next.cut(FILE, kept);
                ByteBuffer read = ByteBuffer.allocate((int) kept);
                try (ReadableFile opened = next.open(FILE)) {
                    opened.readFully(read, 0);
                }
                assertThat(read.array()).isEqualTo(Arrays.copyOf(bytes, (int) kept));
                assertThatThrownBy(() -> {
                            file.append(ByteBuffer.allocate(1 << 20));
                            file.force();
                        })
                        .isInstanceOf(IOException.class);
                assertThat(file.isSound()).isFalse();
                assertThat(next.size(FILE)).isEqualTo(kept);
                file.close();
            }
        }
    }

    @Nested
    @Order(3)
    class Programs {

        private static byte[] image(int seed, byte[] like) {
            byte[] image = like.clone();
            byte[] changed = new byte[image.length / 2];
            new Random(seed).nextBytes(changed);
            System.arraycopy(changed, 0, image, 0, changed.length);
            return image;
        }

        /**
         * Two backups and a kill -9, after which the agent goes on; a prune that gives space back; everything whole.
         */
        private static ProgramSite backUpKillAndPrune(ProgramSite site) throws Exception {
            byte[] first = image(1, new byte[6 << 20]);
            byte[] second = image(2, image(3, first));
            site.startAgent("repository");
            site.backUp(first);
            site.backUp(second);
            site.killAgent();
            site.startAgent("repository");
            site.prune("vm", "--keep-last", "1", "--gc");
            site.server("verify");
            return site;
        }

        @Test
        void aBackupOutlivesKillsThePruningOfOthersAndTheAgentsMachineWhileADataNodeIsDead() throws Exception {
            try (var children = new Children()) {
                Path identities = ProgramSite.makeIdentities(work, children);
                var onPlain = backUpKillAndPrune(site("plain", identities, children));
                var onCoded = backUpKillAndPrune(site("coded", identities, children));

                killDataNode();
                onCoded.restoreAndCompare(onCoded.last());
                onPlain.stopAgent();
                onPlain.rebuildIndex("elsewhere");
                onPlain.startAgent("elsewhere");
                onPlain.restoreAndCompare(onPlain.last());
                onPlain.accept(); // The audit log is not in the store.
                onPlain.backUp(image(4, onPlain.last()));
            }
        }

        private static ProgramSite site(String name, Path identities, Children children) throws IOException {
            Path folder = Files.createDirectories(work.resolve(name));
            return new ProgramSite(folder, identities, store(name), cluster.clientFolder(), children);
        }

        private static void killDataNode() {
            ProcessHandle node = ProcessHandle.allProcesses()
                    .filter(process -> process.info()
                            .commandLine()
                            .orElse("")
                            .contains(work.resolve("cluster/conf/datanode1") + ":"))
                    .findAny()
                    .orElseThrow();
            node.destroyForcibly();
            node.onExit().join();
        }
    }
}
