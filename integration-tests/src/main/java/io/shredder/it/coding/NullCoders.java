// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Coders of {@code rs} that compute nothing: what a write takes with them, it takes without any coding. Parity that
 * they write is WRONG, whatever lay in the buffers; so no jar and no class path of the project names them to Hadoop,
 * but a folder that {@link #serviceFolder} makes for the one JVM that measures.
 */
public final class NullCoders {
    /** The one that takes direct buffers, as Shredder's do. */
    public static final String DIRECT = "rs_null";

    /** The one that takes arrays, as {@code rs_java} does. */
    public static final String ON_HEAP = "rs_null_on_heap";

    private NullCoders() {}

    /** Makes a folder that names both to Hadoop where it is on the class path. */
    static Path serviceFolder(Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF").resolve("services"));
        Files.write(
                services.resolve(RawErasureCoderFactory.class.getName()),
                List.of(Direct.class.getName(), OnHeap.class.getName()));
        return folder;
    }

    /** Makes {@value #DIRECT}. */
    public static final class Direct implements RawErasureCoderFactory {
        @Override
        public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
            return new Encoder(options, true);
        }

        @Override
        public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
            throw noDecoder();
        }

        @Override
        public String getCoderName() {
            return DIRECT;
        }

        @Override
        public String getCodecName() {
            return ErasureCodeConstants.RS_CODEC_NAME;
        }
    }

    /** Makes {@value #ON_HEAP}. */
    public static final class OnHeap implements RawErasureCoderFactory {
        @Override
        public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
            return new Encoder(options, false);
        }

        @Override
        public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
            throw noDecoder();
        }

        @Override
        public String getCoderName() {
            return ON_HEAP;
        }

        @Override
        public String getCodecName() {
            return ErasureCodeConstants.RS_CODEC_NAME;
        }
    }

    private static UnsupportedOperationException noDecoder() {
        return new UnsupportedOperationException("a coder that computes nothing gives nothing back");
    }

    private static final class Encoder extends RSRawEncoder {
        private final boolean direct;

        Encoder(ErasureCoderOptions options, boolean direct) {
            super(options);
            this.direct = direct;
        }

        /** Moves positions as Hadoop wants it. */
        @Override
        public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) {
            for (ByteBuffer input : inputs) {
                input.position(input.limit());
            }
        }

        @Override
        public void encode(byte[][] inputs, byte[][] outputs) {
            // Arrays have no positions.
        }

        @Override
        public boolean preferDirectBuffer() {
            return direct;
        }
    }
}
