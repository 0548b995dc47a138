// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.file.Span;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.junit.jupiter.api.Test;

/** A file of three blocks of which the second is lost, in the words of HDFS's client. */
class HadoopReadableTest {

    private static final int BLOCK = 2 << 20;

    private final byte[] contents = Samples.randomBytes(new Random(1), 3 * BLOCK);
    private IOException loss = new BlockMissingException("c", "Could not obtain block: BP-1:blk_2 file=c", BLOCK);
    private int refusals;

    /** Reads by position alone, as {@link HadoopReadable} does. */
    private final class Blocks extends InputStream implements Seekable, PositionedReadable {
        @Override
        public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
            if (position < 2L * BLOCK && position + length > BLOCK) {
                refusals++;
                throw loss;
            }
            System.arraycopy(contents, (int) position, buffer, offset, length);
        }

        @Override
        public void readFully(long position, byte[] buffer) throws IOException {
            readFully(position, buffer, 0, buffer.length);
        }

        @Override
        public int read(long position, byte[] buffer, int offset, int length) throws IOException {
            readFully(position, buffer, offset, length);
            return length;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void seek(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long getPos() {
            return 0;
        }

        @Override
        public boolean seekToNewSource(long position) {
            return false;
        }
    }

    private HadoopReadable open() throws IOException {
        return new HadoopReadable("c", new HadoopReadable.Opener() {
            @Override
            public FSDataInputStream open() {
                return new FSDataInputStream(new Blocks());
            }

            @Override
            public long visibleBytes() {
                return contents.length;
            }

            @Override
            public Span block(long offset) {
                return new Span(offset / BLOCK * BLOCK, (offset / BLOCK + 1) * BLOCK);
            }
        });
    }

    /** Reads all in pieces, as a verification does; returns how many of them are damaged. */
    private int readInPieces(HadoopReadable file, int piece) throws IOException {
        int damaged = 0;
        for (int at = 0; at < contents.length; at += piece) {
            ByteBuffer target = ByteBuffer.allocate(Math.min(piece, contents.length - at));
            long from = at;
            if (at < 2 * BLOCK && at + target.limit() > BLOCK) {
                assertThatThrownBy(() -> file.readFully(target, from))
                        .isInstanceOfSatisfying(DamagedDataException.class, e -> {
                            assertThat(e.source()).isEqualTo("c");
                            assertThat(e.offset()).isEqualTo(Math.max(from, BLOCK));
                        });
                damaged++;
            } else {
                file.readFully(target, at);
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(contents, at, target.limit()));
            }
        }
        return damaged;
    }

    @Test
    void aLostBlockIsDamageFromItsFirstByteOnIsAskedForOnceAndHidesNothingElse() throws IOException {
        for (int piece : new int[] {30_000, 100_000, (1 << 20) + 7}) {
            refusals = 0;
            try (HadoopReadable file = open()) {
                assertThat(readInPieces(file, piece)).isEqualTo((2 * BLOCK - 1) / piece - BLOCK / piece + 1);
            }
            assertThat(refusals).as("pieces of " + piece).isEqualTo(1);
        }
    }

    @Test
    void damageThatNoReplicaIsFreeOfIsDamageAndAnotherErrorIsNot() throws IOException {
        try (HadoopReadable file = open()) {
            loss = new ChecksumException("Checksum error: c at 7", 7);
            assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(10), BLOCK))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("c: damaged at offset " + BLOCK + ": can't be read: Checksum error");
            loss = new IOException("2 missing blocks, the stripe is: AlignedStripe(...)");
            assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(10), BLOCK))
                    .isInstanceOf(DamagedDataException.class);
            loss = new java.net.ConnectException("Connection refused");
            assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(10), BLOCK))
                    .isSameAs(loss);
            file.readFully(ByteBuffer.allocate(10), 0);
        }
    }
}
