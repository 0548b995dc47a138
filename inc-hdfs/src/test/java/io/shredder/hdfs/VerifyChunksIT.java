// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Test;

/** What {@code -verifyChunks} proves, and what it finds out. */
class VerifyChunksIT extends HdfsCase {

    @Test
    void anUploadIsProvedChunkByChunk() throws Exception {
        upload(write("a", TextFiles.lines(2 << 20, 1)), "/upload/a");
        upload(write("empty", new byte[0]), "/upload/empty");
        ShellRun run = ShellRun.of(conf, "-verifyChunks", "/upload/a", "/upload/empty");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines()).hasSize(2);
        assertThat(run.outLines().get(0))
                .startsWith(String.format(
                        "/upload/a: %,d bytes, %,d chunks, ",
                        manifest("/upload/a").length(),
                        manifest("/upload/a").chunks().size()))
                .contains("all as the manifest says");
    }

    @Test
    void aChunkWithOtherBytesThanItsDigestSaysIsNamedByItsOffset() throws Exception {
        upload(write("a", TextFiles.lines(1 << 20, 2)), "/upload/a");
        Manifest manifest = manifest("/upload/a");
        Chunk wrong = manifest.chunks().get(manifest.chunks().size() / 2);
        bind("/upload/a", withOtherDigest(manifest, wrong));

        ShellRun run = ShellRun.of(conf, "-verifyChunks", "/upload/a");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err())
                .contains("the chunk at " + wrong.offset() + " of " + wrong.length() + " bytes has digest "
                        + wrong.fingerprint());
    }

    @Test
    void aFileThatHasGrownSinceIsRefused() throws Exception {
        upload(write("a", TextFiles.lines(300_000, 3)), "/upload/a");
        try (FSDataOutputStream out = fs.append(path("/upload/a"))) {
            out.write('x');
        }
        ShellRun run = ShellRun.of(conf, "-verifyChunks", "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("stale manifest");
    }

    private static Manifest withOtherDigest(Manifest manifest, Chunk wrong) {
        Manifest.Builder copy = Manifest.builder(manifest.params())
                .recordFormat(manifest.recordFormat())
                .fileId(manifest.fileId());
        Fingerprint other = Fingerprint.ofData(ByteBuffer.allocate(0));
        for (Chunk chunk : manifest.chunks()) {
            copy.add(chunk == wrong ? new Chunk(chunk.offset(), chunk.length(), other, chunk.segmentEnd()) : chunk);
        }
        return copy.build();
    }
}
