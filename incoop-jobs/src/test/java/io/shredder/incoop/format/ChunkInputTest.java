// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Fingerprint;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chunk behind its file's header looks like a file, however it is read. */
class ChunkInputTest {

    private static final String TEXT = "header:first chunk,second chunk,";
    private static final int HEADER_BYTES = 7;

    @TempDir
    File folder;

    private Path path;
    private FSDataInputStream file;

    @BeforeEach
    void open() throws IOException {
        File local = new File(folder, "text");
        Files.writeString(local.toPath(), TEXT);
        path = new Path(local.toURI());
        file = FileSystem.getLocal(new Configuration()).open(path);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    @Test
    void theHeaderStandsInFrontOfTheChunk() throws IOException {
        assertThat(new String(second().open().readAllBytes(), StandardCharsets.US_ASCII))
                .isEqualTo("header:second chunk,");
        assertThat(second().viewLength()).isEqualTo(20);
    }

    @Test
    void anyOrderOfReadsGivesTheSameBytesAndTheSameDigest() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] view = "header:second chunk,".getBytes(StandardCharsets.US_ASCII);
        for (int round = 0; round < 300; round++) {
            ChunkInput chunk = second();
            FSInputStream[] streams = {chunk.open(), chunk.open()};
            for (int i = random.nextInt(12); i > 0; i--) {
                readSomewhere(streams[random.nextInt(2)], view, random);
            }
            assertThat(chunk.isAsPromised(fingerprint("second chunk,")))
                    .as("seed %d round %d", seed, round)
                    .isTrue();
        }
    }

    private static void readSomewhere(FSInputStream in, byte[] view, Random random) throws IOException {
        int from = random.nextInt(view.length + 1);
        byte[] read = new byte[random.nextInt(view.length - from + 1)];
        in.seek(from);
        for (int done = 0; done < read.length; ) {
            done += in.read(read, done, read.length - done);
        }
        assertThat(read).isEqualTo(Arrays.copyOfRange(view, from, from + read.length));
    }

    @Test
    void otherBytesThanPromisedAreNoticed() throws IOException {
        assertThat(second().isAsPromised(fingerprint("seconds chunk"))).isFalse();
    }

    @Test
    void aFileThatHasShrunkIsNamed() throws IOException {
        ChunkInput chunk = new ChunkInput(file, path, 7, 100, InputHeader.NONE, new PositionWatch());

        assertThatThrownBy(() -> chunk.open().readAllBytes())
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("has shrunk")
                .hasMessageContaining(path.toString());
    }

    @Test
    void aFileWithAnotherHeaderIsNotRead() {
        InputHeader other = new InputHeader(HEADER_BYTES, fingerprint("HEADER:"));

        assertThatThrownBy(() -> new ChunkInput(file, path, 19, 13, other, new PositionWatch()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another header");
    }

    private ChunkInput second() throws IOException {
        return new ChunkInput(file, path, 19, 13, InputHeader.of(file, HEADER_BYTES), new PositionWatch());
    }

    private static Fingerprint fingerprint(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
