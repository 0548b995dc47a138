// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.shell.CommandFactory;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code -copyFromLocal} takes, {@code -copyFromLocalGPU} takes as well. */
class StockOptionsIT extends HdfsCase {

    private static final byte LAZY_PERSIST = 15;

    @Test
    void everyOptionOfCopyFromLocalIsTaken() throws Exception {
        CommandFactory stock = new CommandFactory(conf);
        FsCommand.registerCommands(stock);
        String usage = stock.getInstance("-copyFromLocal").getUsage();
        assertThat(usage)
                .isEqualTo("-copyFromLocal [-f] [-p] [-l] [-d] [-t <thread count>]"
                        + " [-q <thread pool queue size>] <localsrc> ... <dst>");
        byte[] data = TextFiles.lines(300_000, 1);
        Path source = write("a", data);
        ShellRun run = shell("-f", "-p", "-l", "-d", "-t", "2", "-q", "16", source.toString(), "/upload/a");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(read("/upload/a")).isEqualTo(data);
        assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "4"})
    void aLazyFileHasOneReplicaAndThePolicyThatDataNodesAskFor(String threads) throws Exception {
        byte[] data = TextFiles.lines(600_000, 2);
        ShellRun run = shell("-l", "-t", threads, write("a", data).toString(), "/upload/a");
        assertThat(run.err()).isEmpty();
        HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(path("/upload/a"));
        assertThat(status.getReplication()).isEqualTo((short) 1);
        assertThat(status.getStoragePolicy()).isEqualTo(LAZY_PERSIST);
        assertThat(read("/upload/a")).isEqualTo(data);
        assertThat(blockLengths("/upload/a"))
                .hasSizeGreaterThan(2)
                .isEqualTo(manifest("/upload/a").segmentLengths());
    }

    @Test
    void aLazyFileInAnEncryptionZoneIsRefused(MiniDFSCluster cluster) throws Exception {
        KeyProvider keys = cluster.getNameNode().getNamesystem().getProvider();
        keys.createKey("lazy", KeyProvider.options(keys.getConf()));
        keys.flush();
        fs.createEncryptionZone(folder, "lazy");
        ShellRun run = shell("-l", write("a", TextFiles.lines(1000, 1)).toString(), "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).contains("encryption zone", "leave -l out");
        assertThat(names("/upload").stream().filter(name -> !name.equals(".Trash")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.gz", "a.bz2"})
    void aCompressedFileIsCutAnywhereAndSaidToHaveNoRecords(String name) throws Exception {
        byte[] data = TextFiles.lines(300_000, 3);
        ShellRun run = run(write(name, data), "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines().get(1))
                .startsWith("/upload/" + name + ": MapReduce reads ")
                .endsWith(": it is cut anywhere, and jobs map all of it");
        assertThat(read("/upload/" + name)).isEqualTo(data);
        assertThat(manifest("/upload/" + name).recordFormat()).isEqualTo(Manifest.RAW);
    }

    @ParameterizedTest
    @CsvSource({"a b,a%20b", "a#1,a", "a%41,aA", "a?x,a"})
    void aLocalPathIsTakenAsItIsWritten(String name, String decoy) throws Exception {
        write(decoy, TextFiles.lines(1000, 1));
        byte[] data = TextFiles.lines(2000, 2);
        upload(write(name, data), "/upload");
        assertThat(read("/upload/" + name)).isEqualTo(data);
        assertThat(manifest("/upload/" + name).length()).isEqualTo(data.length);
    }

    @Test
    void aNameWithAColonIsNoScheme() throws Exception {
        byte[] data = TextFiles.lines(2000, 2);
        Path here = Files.write(Path.of("log:1"), data);
        try {
            upload(here, "/upload/log");
        } finally {
            Files.delete(here);
        }
        assertThat(read("/upload/log")).isEqualTo(data);
    }

    @Test
    void aSourceMayBeAFileUri() throws Exception {
        byte[] data = TextFiles.lines(2000, 2);
        ShellRun run = shell(write("a b", data).toUri().toString(), "/upload/a");
        assertThat(run.err()).isEmpty();
        assertThat(read("/upload/a")).isEqualTo(data);
    }

    /** As Hadoop's own shell leaves it, such as {@code -get -crc}. */
    @Test
    void aFileWithChecksumsBesideItIsCheckedAgainstThem() throws Exception {
        byte[] data = TextFiles.lines(300_000, 12);
        Path source = local.resolve("a");
        try (FSDataOutputStream out = FileSystem.getLocal(conf).create(path(source.toString()))) {
            out.write(data);
        }
        assertThat(source.resolveSibling(".a.crc")).exists();
        upload(source, "/upload/whole");
        assertThat(read("/upload/whole")).isEqualTo(data);

        byte[] flipped = data.clone();
        flipped[200_000] ^= 1;
        Files.write(source, flipped);
        ShellRun run = run(source, "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .contains("`" + source + "': is not what " + source.resolveSibling(".a.crc") + " says: ");
        assertThat(names("/upload")).containsExactlyInAnyOrder("whole", ".whole.shredder-manifest");
    }

    @Test
    void aPathOfAMountTableLeadsToHdfs() throws Exception {
        Configuration mounts = new Configuration(conf);
        mounts.set("fs.defaultFS", "viewfs://tests/");
        mounts.set(
                "fs.viewfs.mounttable.tests.link./data",
                fs.makeQualified(folder).toString());
        byte[] data = TextFiles.lines(300_000, 4);
        String source = write("a", data).toString();
        for (String target : new String[] {"/data", "/data/b"}) {
            ShellRun run = ShellRun.of(mounts, arguments(source, target));
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
        }
        assertThat(manifest("/upload/a").length()).isEqualTo(data.length);
        assertThat(manifest("/upload/b").length()).isEqualTo(data.length);
    }

    /** A folder's times come last. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "3", "1024"})
    void filesGoSideBySideAndOneThatFailsLeavesTheOthers(String looked) throws Exception {
        List<byte[]> data = new ArrayList<>();
        Path many = Files.createDirectory(write("beside", new byte[0]).resolveSibling("many"));
        for (int i = 0; i < 9; i++) {
            data.add(TextFiles.lines(100_000 * (i + 1), i));
            Files.write(many.resolve("f" + i), data.get(i));
        }
        Files.setLastModifiedTime(many, FileTime.fromMillis(1_000_000_000_000L));
        fs.create(path("/upload/many/f4")).close();

        ShellRun run = shell("-p", "-t", "4", "-q", looked, many.toString(), "/upload");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).contains("/upload/many/f4", "File exists");
        for (int i = 0; i < 9; i++) {
            assertThat(read("/upload/many/f" + i)).isEqualTo(i == 4 ? new byte[0] : data.get(i));
            if (i != 4) {
                assertThat(manifest("/upload/many/f" + i).length()).isEqualTo(data.get(i).length);
            }
        }
        assertThat(fs.getFileStatus(path("/upload/many")).getModificationTime()).isEqualTo(1_000_000_000_000L);
    }

    @Test
    void ofTwoSourcesOfOneNameTheSecondIsTakenIfTheFirstFails() throws Exception {
        Path folder = write("beside", new byte[0]).getParent();
        Path first = Files.write(Files.createDirectory(folder.resolve("p")).resolve("x"), new byte[15]);
        Path second = Files.write(Files.createDirectory(folder.resolve("q")).resolve("x"), new byte[20]);
        ShellRun run = ShellRun.of(
                conf,
                "-D",
                "fixedlengthinputformat.record.length=10",
                "-copyFromLocalGPU",
                "-inputFormat",
                "fixed",
                first.toString(),
                second.toString(),
                "/upload");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().contains("the last record has 5 of 10 bytes");
        assertThat(read("/upload/x")).isEqualTo(Files.readAllBytes(second));
    }

    @Test
    void ofTwoSourcesOfOneNameTheSecondIsRefusedOrTakesTheFirstOnesPlace() throws Exception {
        Path folder = write("beside", new byte[0]).getParent();
        Path first = Files.write(Files.createDirectory(folder.resolve("p")).resolve("x"), TextFiles.lines(400_000, 5));
        Path second = Files.write(Files.createDirectory(folder.resolve("q")).resolve("x"), TextFiles.lines(300_000, 6));

        ShellRun run = shell("-t", "4", first.toString(), second.toString(), "/upload");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/upload/x", "File exists");
        assertThat(read("/upload/x")).isEqualTo(Files.readAllBytes(first));

        assertThat(shell("-f", "-t", "4", first.toString(), second.toString(), "/upload")
                        .exitCode())
                .isZero();
        assertThat(read("/upload/x")).isEqualTo(Files.readAllBytes(second));
        assertThat(manifest("/upload/x").length()).isEqualTo(Files.size(second));
    }
}
