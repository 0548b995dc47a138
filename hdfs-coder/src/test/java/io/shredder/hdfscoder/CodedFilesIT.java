// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DebugAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files in erasure-coded directories of real daemons: what is written with Shredder's coders is read around lost
 * DataNodes with Hadoop's, and the reverse. Neither side may fall through to another coder: it would hide what fails.
 */
class CodedFilesIT {

    private static final int DATA_NODES = 10;
    private static final int BLOCK_BYTES = 2 << 20;
    private static final int CELL_BYTES = 1 << 20;

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem ours;
    private static DistributedFileSystem javas;

    private final Random random = seeded();

    /** A policy of HDFS. */
    enum Policy {
        RS("RS-6-3-1024k", 6, 3),
        RS_LEGACY("RS-LEGACY-6-3-1024k", 6, 3),
        XOR("XOR-2-1-1024k", 2, 1);

        private final String policy;
        private final int data;
        private final int parity;

        Policy(String policy, int data, int parity) {
            this.policy = policy;
            this.data = data;
            this.parity = parity;
        }

        /** Less than a cell; part of a stripe; a whole stripe; two block groups with a torn end. */
        int[] lengths() {
            return new int[] {1, CELL_BYTES + 1, data * CELL_BYTES, data * BLOCK_BYTES + 3 * CELL_BYTES / 2 + 7};
        }
    }

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("CodedFilesIT seed " + seed);
        return new Random(seed);
    }

    @BeforeAll
    static void startCluster() throws IOException {
        java.nio.file.Path folder =
                Files.createTempDirectory(Files.createDirectories(java.nio.file.Path.of("target")), "hdfs-");
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setInt("dfs.blocksize", BLOCK_BYTES);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setBoolean("dfs.datanode.ec.reconstruction.validation", true);
        cluster = new MiniDFSCluster.Builder(named(conf, "shredder"), folder.toFile())
                .numDataNodes(DATA_NODES)
                .build();
        cluster.waitActive();
        ours = client("shredder");
        javas = client("java");
        for (Policy policy : Policy.values()) {
            ours.enableErasureCodingPolicy(policy.policy);
            ours.mkdirs(new Path("/" + policy));
            ours.setErasureCodingPolicy(new Path("/" + policy), policy.policy);
        }
    }

    @AfterAll
    static void stopCluster() throws IOException {
        ours.close();
        javas.close();
        cluster.shutdown(true);
    }

    private static Configuration named(Configuration base, String coders) {
        var conf = new Configuration(base);
        for (CoderPair pair : CoderPair.values()) {
            conf.set("io.erasurecode.codec." + pair.codec() + ".rawcoders", pair.codec() + "_" + coders);
        }
        return conf;
    }

    private static DistributedFileSystem client(String coders) throws IOException {
        return (DistributedFileSystem)
                FileSystem.newInstance(cluster.getURI(), named(cluster.getConfiguration(0), coders));
    }

    @InTurn(days = 3)
    @ParameterizedTest
    @EnumSource
    void eachReadsAroundLossesWhatTheOtherWrote(Policy policy) throws Exception {
        Map<Path, byte[]> byOurs = new HashMap<>();
        Map<Path, byte[]> byJava = new HashMap<>();
        for (int bytes : policy.lengths()) {
            byte[] content = Units.random(random, 1, bytes)[0];
            byOurs.put(write(ours, policy, "ours-" + bytes, content), content);
            byJava.put(write(javas, policy, "java-" + bytes, content), content);
        }
        for (Path path : byOurs.keySet()) {
            verifiesClean(javas, path);
        }
        for (int first = 0; first < policy.data; first += policy.parity) {
            for (Map.Entry<Path, byte[]> file : byOurs.entrySet()) {
                readsWithoutHolders(javas, file.getKey(), file.getValue(), first, policy.parity);
            }
            for (Map.Entry<Path, byte[]> file : byJava.entrySet()) {
                readsWithoutHolders(ours, file.getKey(), file.getValue(), first, policy.parity);
            }
        }
        for (Path path : byJava.keySet()) {
            verifiesClean(ours, path);
        }
    }

    private static Path write(DistributedFileSystem fs, Policy policy, String name, byte[] content) throws IOException {
        Path path = new Path("/" + policy, name);
        try (FSDataOutputStream out = fs.create(path, true)) {
            out.write(content);
        }
        return path;
    }

    /** Reads a file while the DataNodes are down that hold so many units, from the first on, of its first group. */
    private void readsWithoutHolders(DistributedFileSystem reader, Path path, byte[] content, int first, int count)
            throws Exception {
        List<MiniDFSCluster.DataNodeProperties> down = new ArrayList<>();
        for (DatanodeInfo holder : holders(path, first, count)) {
            down.add(cluster.stopDataNode(holder.getXferAddr()));
        }
        try {
            assertThat(Arrays.equals(read(reader, path), content))
                    .as(path + " as a stream")
                    .isTrue();
            readsAtOnce(reader, path, content);
        } finally {
            restart(down);
        }
    }

    /** The NameNode may count one as alive that does not serve its blocks yet. */
    private static void restart(List<MiniDFSCluster.DataNodeProperties> down) throws Exception {
        for (MiniDFSCluster.DataNodeProperties node : down) {
            cluster.restartDataNode(node, true);
        }
        for (DataNode dataNode : cluster.getDataNodes()) {
            cluster.waitDatanodeFullyStarted(dataNode, 60_000);
        }
        cluster.waitActive();
    }

    /** Of the first block group, the holders of the units with these numbers that exist. */
    private static Set<DatanodeInfo> holders(Path path, int first, int count) throws IOException {
        LocatedStripedBlock group = group(path);
        Set<DatanodeInfo> holders = new HashSet<>();
        for (int i = 0; i < group.getLocations().length; i++) {
            int unit = group.getBlockIndices()[i];
            if (unit >= first && unit < first + count) {
                holders.add(group.getLocations()[i]);
            }
        }
        return holders;
    }

    private static LocatedStripedBlock group(Path path) throws IOException {
        return (LocatedStripedBlock) groups(path).get(0);
    }

    private static List<LocatedBlock> groups(Path path) throws IOException {
        return ours.getClient()
                .getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE)
                .getLocatedBlocks();
    }

    private static byte[] read(DistributedFileSystem fs, Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return in.readAllBytes();
        }
    }

    /** Positional reads of one open file from several threads share its decoder. */
    private void readsAtOnce(DistributedFileSystem fs, Path path, byte[] content) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (FSDataInputStream in = fs.open(path)) {
            List<Future<Boolean>> reads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int at = random.nextInt(content.length);
                byte[] part = new byte[1 + random.nextInt(content.length - at)];
                reads.add(threads.submit(() -> {
                    in.readFully(at, part);
                    return Arrays.equals(part, Arrays.copyOfRange(content, at, at + part.length));
                }));
            }
            for (Future<Boolean> read : reads) {
                assertThat(read.get()).as(path + " by position").isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** {@code hdfs debug verifyEC}, which computes the parity again with this client's coder. */
    private static void verifiesClean(DistributedFileSystem fs, Path path) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            String[] words = {"verifyEC", "-file", path.toUri().getPath()};
            assertThat(ToolRunner.run(new DebugAdmin(fs.getConf()), words)).isZero();
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("All EC block group status: OK")
                .doesNotContain("ERROR");
    }

    /** The DataNodes' coders are Shredder's alone, and they check what they repair by coding it again. */
    @Test
    void dataNodesRepairWhatIsLost() throws Exception {
        byte[] content = Units.random(random, 1, 14 << 20)[0];
        Path path = write(javas, Policy.RS, "repaired", content);
        DatanodeInfo lost = holders(path, 0, 1).iterator().next();
        MiniDFSCluster.DataNodeProperties down = cluster.stopDataNode(lost.getXferAddr());
        cluster.setDataNodeDead(lost);
        try {
            awaitRepair(path, lost);
            assertThat(Arrays.equals(read(javas, path), content)).isTrue();
            verifiesClean(javas, path);
        } finally {
            restart(List.of(down));
        }
    }

    private static void awaitRepair(Path path, DatanodeInfo lost) throws Exception {
        long limit = System.nanoTime() + 60_000_000_000L;
        while (!isWhole(path, lost)) {
            assertThat(System.nanoTime()).as("repaired within a minute").isLessThan(limit);
            Thread.sleep(100);
        }
    }

    /** Whether other DataNodes have every unit of every block group. */
    private static boolean isWhole(Path path, DatanodeInfo lost) throws IOException {
        return groups(path).stream().allMatch(block -> unitsWithout(lost, (LocatedStripedBlock) block) == units(block));
    }

    /** A short group has only units with bytes, and its parity. */
    private static int units(LocatedBlock group) {
        int cells = (int) ((group.getBlockSize() + CELL_BYTES - 1) / CELL_BYTES);
        return Math.min(Policy.RS.data, cells) + Policy.RS.parity;
    }

    private static int unitsWithout(DatanodeInfo lost, LocatedStripedBlock group) {
        Set<Integer> units = new HashSet<>();
        for (int i = 0; i < group.getLocations().length; i++) {
            if (!group.getLocations()[i].equals(lost)) {
                units.add((int) group.getBlockIndices()[i]);
            }
        }
        return units.size();
    }
}
