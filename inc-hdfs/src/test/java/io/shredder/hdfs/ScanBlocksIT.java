// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.hdfs.manifest.HdfsManifests;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.junit.jupiter.api.Test;

/** Files get manifests whatever blocks they have. */
class ScanBlocksIT extends ScanCase {

    private static final List<String> UNEVEN = List.of("appended", "joined", "ended", "uploaded");
    private static final byte[] MORE = TextFiles.lines(BLOCK / 5, 9);

    /** In all ways that HDFS has. */
    private void putUneven() throws Exception {
        put(TextFiles.lines(BLOCK / 3, 2), "/upload/appended");
        append("/upload/appended", EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK));
        put(TextFiles.lines(BLOCK / 2, 3), "/upload/joined");
        put(TextFiles.lines(BLOCK / 4, 4), "/upload/joined.more");
        fs.concat(path("/upload/joined"), new Path[] {path("/upload/joined.more")});
        try (FSDataOutputStream out = fs.create(path("/upload/ended"))) {
            out.write(TextFiles.lines(BLOCK / 6, 5));
            ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.END_BLOCK));
            out.write(MORE);
        }
        upload(write("source", TextFiles.lines(BLOCK, 6)), "/upload/uploaded");
        append("/upload/uploaded", EnumSet.of(CreateFlag.APPEND));
    }

    private void append(String file, EnumSet<CreateFlag> how) throws IOException {
        try (FSDataOutputStream out = fs.append(path(file), how, 4096, null)) {
            out.write(MORE);
        }
    }

    @Test
    void whateverBlocksAFileHasItGetsTheChunksOfAnUploadAndAllCommandsTakeThem() throws Exception {
        putUneven();
        ShellRun run = scan("--write", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        for (String name : UNEVEN) {
            String file = "/upload/" + name;
            assertThat(blockLengths(file)).as(name).hasSizeGreaterThan(1);
            assertThat(manifest(file).chunks()).as(name).isEqualTo(uploaded(read(file), name));
            assertThat(ShellRun.of(conf, "-verifyChunks", file).exitCode()).isZero();
            ShellRun copied = ShellRun.of(conf, "-cp", file, "/upload/copy-of-" + name);
            assertThat(copied.err()).isEmpty();
            assertThat(manifest("/upload/copy-of-" + name).chunks())
                    .isEqualTo(manifest(file).chunks());
            ShellRun difference = ShellRun.of(conf, "-chunkDiff", file, "/upload/copy-of-" + name);
            assertThat(difference.outLines()).allMatch(line -> line.endsWith("\t100.00"));
        }
        assertThat(scan("--write", "/upload/appended").out()).contains("it has a manifest");
    }

    @InTurn(days = 2)
    @Test
    void aChangeThatLeavesTheLengthAsItWasIsFoundOut() throws Exception {
        putUneven();
        assertThat(scan("--write", "/upload").exitCode()).isZero();
        for (String name : UNEVEN) {
            String file = "/upload/" + name;
            byte[] content = read(file);
            assertThat(fs.truncate(
                            path(file),
                            content.length
                                    - blockLengths(file).get(blockLengths(file).size() - 1)))
                    .as("at the end of a block")
                    .isTrue();
            long left = fs.getFileStatus(path(file)).getLen();
            try (FSDataOutputStream out =
                    fs.append(path(file), EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
                out.write(Arrays.copyOfRange(content, (int) left, content.length));
            }
            HdfsManifests.Lookup lookup = HdfsManifests.find(fs, path(file));
            assertThat(lookup.isStale()).as(name + ": " + lookup.reason()).isTrue();
        }
    }

    @InTurn(days = 2)
    @Test
    void erasureCodedFilesOfSeveralBlockGroupsGetManifestsToo() throws Exception {
        String coded = "XOR-2-1-1024k";
        fs.enableErasureCodingPolicy(coded);
        fs.setErasureCodingPolicy(folder, coded);
        byte[] content = TextFiles.lines(5 * BLOCK, 7);
        put(content, "/upload/coded");
        assertThat(fs.getFileStatus(path("/upload/coded")).isErasureCoded()).isTrue();
        assertThat(blockLengths("/upload/coded")).hasSizeGreaterThan(1).contains(2L * BLOCK);

        ShellRun run = scan("--write", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(manifest("/upload/coded").chunks()).isEqualTo(uploaded(content, "coded"));
        assertThat(ShellRun.of(conf, "-verifyChunks", "/upload/coded").exitCode())
                .isZero();
        assertThat(ShellRun.of(conf, "-cp", "/upload/coded", "/upload/copy").err())
                .isEmpty();
        assertThat(manifest("/upload/copy").chunks())
                .isEqualTo(manifest("/upload/coded").chunks());
    }
}
