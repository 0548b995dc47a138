// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.jspecify.annotations.Nullable;

/**
 * Reads the streams of codecs that pack block by block, any number of them at a time, by one decompressor. A stream of
 * Hadoop's holds its decompressor, with three blocks of memory, as long as it is open; one of these holds the rest
 * of its current block. The format is that of {@link org.apache.hadoop.io.compress.BlockCompressorStream}: the length
 * of a block when unpacked (4 bytes), then pieces of it, each with its packed length (4 bytes) before it. One thread.
 */
final class BlockUnpacker {

    private static final int LONGEST_PIECE = 1 << 27;

    private final CompressionCodec codec;
    private @Nullable Decompressor decompressor;
    private byte[] packed = new byte[0];
    private int unpackedBytes;

    private BlockUnpacker(CompressionCodec codec) {
        this.codec = codec;
    }

    /** One for a codec, if that is known to pack block by block. */
    static Optional<BlockUnpacker> of(@Nullable CompressionCodec codec) {
        return codec != null && codec.getClass() == SnappyCodec.class
                ? Optional.of(new BlockUnpacker(codec))
                : Optional.empty();
    }

    /**
     * What a packed stream says.
     *
     * @param name of the stream, for errors
     */
    InputStream unpack(InputStream stream, String name) {
        return new Unpacked(stream, name);
    }

    /**
     * Of a packed stream.
     *
     * @param block how long its first block is when unpacked, in bytes
     * @param ratio how many times longer that is than when packed
     */
    record Lengths(int block, double ratio) {}

    /**
     * What a packed stream says of itself at its beginning.
     *
     * @param stream that stands there
     */
    static Lengths lengths(DataInputStream stream, String name) throws IOException {
        int block = stream.readInt();
        int packed = stream.readInt();
        checkLengths(block, packed, name);
        return new Lengths(block, block / (double) packed);
    }

    private static void checkLengths(int block, int packed, String name) throws IOException {
        if (block < 0 || packed <= 0 || packed > LONGEST_PIECE) {
            throw new IOException(name + ": a packed block has lengths of " + block + " and " + packed);
        }
    }

    /** Unpacks a piece; gives the array, which may be another one, and leaves in a field how much of it is filled. */
    private byte[] unpack(int packedBytes, int most, byte[] into, String name) throws IOException {
        if (decompressor == null) {
            decompressor = codec.createDecompressor();
        }
        decompressor.reset();
        decompressor.setInput(packed, 0, packedBytes);
        byte[] target = into.length >= most ? into : new byte[most];
        int filled = 0;
        while (filled < most) {
            int more = decompressor.decompress(target, filled, most - filled);
            filled += more;
            if (more == 0 && (decompressor.finished() || decompressor.needsInput())) {
                break;
            }
        }
        unpackedBytes = filled;
        if (filled == 0) {
            throw new IOException(name + ": a packed piece of " + packedBytes + " bytes holds nothing");
        }
        return target;
    }

    private final class Unpacked extends InputStream {
        private final DataInputStream in;
        private final String name;
        private int leftOfBlock;
        private byte[] unpacked = new byte[0];
        private int position;
        private int limit;

        Unpacked(InputStream in, String name) {
            this.in = new DataInputStream(in);
            this.name = name;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (position == limit && !nextPiece()) {
                return -1;
            }
            int count = Math.min(length, limit - position);
            System.arraycopy(unpacked, position, to, offset, count);
            position += count;
            return count;
        }

        private boolean nextPiece() throws IOException {
            while (leftOfBlock == 0) {
                int first = in.read();
                if (first < 0) {
                    return false;
                }
                leftOfBlock = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
            }
            int packedBytes = in.readInt();
            if (leftOfBlock < 0 || packedBytes <= 0 || packedBytes > LONGEST_PIECE) {
                throw new IOException(name + ": a packed block has lengths of " + leftOfBlock + " and " + packedBytes);
            }
            if (packed.length < packedBytes) {
                packed = new byte[packedBytes];
            }
            in.readFully(packed, 0, packedBytes);
            try {
                unpacked = unpack(packedBytes, Math.min(leftOfBlock, LONGEST_PIECE), unpacked, name);
            } catch (RuntimeException | InternalError e) {
                throw new IOException(name + ": a packed piece of " + packedBytes + " bytes can't be unpacked", e);
            }
            position = 0;
            limit = unpackedBytes;
            leftOfBlock -= limit;
            return true;
        }

        @Override
        public void close() throws IOException {
            unpacked = new byte[0];
            position = 0;
            limit = 0;
            in.close();
        }
    }
}
