// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.InTurn;
import io.shredder.chunk.Manifest;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.upload.HdfsDestination;
import io.shredder.hdfs.upload.Upload;
import io.shredder.hdfs.upload.UploadOptions;
import io.shredder.hdfs.upload.UploadSetting;
import io.shredder.hdfs.upload.UploadSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemons that go away in the middle of an upload, and another upload that takes its place. */
class UploadFaultsIT {

    @TempDir
    private static Path folder;

    private static MiniDFSCluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = new MiniDFSCluster.Builder(
                        new HdfsConfiguration(), folder.resolve("hdfs").toFile())
                .numDataNodes(3)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.shutdown();
        }
    }

    @Test
    void anUploadGoesOnWithoutADataNodeThatDiesAndIsWhole() throws Exception {
        byte[] data = TextFiles.lines(4 << 20, 1);
        PathData target = target("/withoutDataNode");
        upload(data, target, onceAfter(1 << 20, () -> cluster.stopDataNode(0)));
        assertThat(cluster.getDataNodes()).hasSize(2);
        assertWhole(target, data);
    }

    @InTurn(days = 3)
    @Test
    void anUploadWhoseNameNodeRestartsIsWholeOrFailsAndLeavesNothing() throws Exception {
        byte[] data = TextFiles.lines(4 << 20, 2);
        PathData target = target("/restart/a");
        target.fs.mkdirs(target.path.getParent());
        boolean whole = true;
        try {
            upload(data, target, onceAfter(1 << 20, () -> cluster.restartNameNode(true)));
        } catch (IOException e) {
            whole = false;
            assertThat(e).hasMessageMatching("(?s).+");
        }
        cluster.waitActive();
        if (whole) {
            assertWhole(target, data);
        } else {
            assertThat(target.fs.listStatus(target.path.getParent())).isEmpty();
        }
    }

    @Test
    void anUploadWhosePlaceAnotherTookSaysSoAndLeavesTheOtherAlone() throws Exception {
        byte[] first = TextFiles.lines(4 << 20, 3);
        byte[] second = TextFiles.lines(3 << 20, 4);
        PathData target = target("/twice/a");
        target.fs.mkdirs(target.path.getParent());
        CompletableFuture<Void> anotherDone = new CompletableFuture<>();
        Event another = () -> {
            try {
                upload(second, target, written -> {});
                anotherDone.complete(null);
            } catch (IOException | RuntimeException e) {
                anotherDone.completeExceptionally(e);
            }
        };
        assertThatThrownBy(() -> upload(first, target, onceAfter(1 << 20, another)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another upload of the same file took the place of this one");
        anotherDone.get(1, TimeUnit.MINUTES); // the first one fails as soon as its folder is gone
        assertWhole(target, second);
    }

    @Test
    void aFileThatAppearsWhileAnotherIsUploadedUnderItsNameStays() throws Exception {
        PathData target = target("/appears/a");
        target.fs.mkdirs(target.path.getParent());
        Event appears = () -> target.fs.create(target.path).close();
        assertThatThrownBy(() -> upload(TextFiles.lines(4 << 20, 5), target, onceAfter(1 << 20, appears)))
                .isInstanceOf(PathExistsException.class)
                .hasMessageContaining("/appears/a': File exists");
        assertThat(target.fs.listStatus(target.path.getParent()))
                .singleElement()
                .satisfies(status -> assertThat(status.getLen()).isZero());
    }

    private static PathData target(String path) throws IOException {
        return new PathData(cluster.getURI() + path, cluster.getFileSystem().getConf());
    }

    private static void upload(byte[] data, PathData target, LongConsumer progress) throws IOException {
        Path source = Files.write(Files.createTempFile(folder, "source", ""), data);
        boolean overwrite = false;
        try (Shredder engine = Shredder.open(ShredderOptions.defaults());
                HdfsDestination destination = new HdfsDestination(cluster.getFileSystem(), target, overwrite)) {
            UploadSource from = UploadSource.ofFile(new PathData(source.toUri(), target.fs.getConf()));
            new Upload(engine, smallBlocks(target)).copy(from, destination, progress);
        }
    }

    private static void assertWhole(PathData target, byte[] data) throws IOException {
        target.refreshStatus();
        Manifest manifest = HdfsManifests.require(target);
        assertThat(manifest.length()).isEqualTo(data.length);
        try (FSDataInputStream in = target.fs.open(target.path)) {
            assertThat(in.readAllBytes()).isEqualTo(data);
        }
    }

    /** Little of the file at a time, so that most of it is still to be written when something happens. */
    private static UploadOptions smallBlocks(PathData target) {
        CommandFormat format = new CommandFormat(0, Integer.MAX_VALUE);
        UploadSetting.options().forEach(format::addOptionWithValue);
        format.parse(new LinkedList<>(List.of("-avg", "16k", "-blockAvg", "256k", "-buffer", "2m", "--", "a", "b")));
        return UploadOptions.of(format, target.fs.getConf());
    }

    private interface Event {
        void happen() throws IOException;
    }

    /** On a thread of its own, since a failing upload interrupts those that write. */
    private static LongConsumer onceAfter(long bytes, Event event) {
        AtomicBoolean happened = new AtomicBoolean();
        return written -> {
            if (written > bytes && happened.compareAndSet(false, true)) {
                CompletableFuture.runAsync(() -> unchecked(event)).join();
            }
        };
    }

    private static void unchecked(Event event) {
        try {
            event.happen();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
