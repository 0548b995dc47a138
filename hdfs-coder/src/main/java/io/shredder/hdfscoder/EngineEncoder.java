// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;

/**
 * An encoder for Hadoop, of whichever codec, computed by the engine. Nobody outside of Hadoop's package can extend its
 * abstract encoder, so this extends one whose computing it replaces.
 */
final class EngineEncoder extends RSRawEncoder {

    private final CoderCalls calls;

    EngineEncoder(ErasureCoderOptions options, CoderCalls calls) {
        super(options);
        this.calls = calls;
    }

    @Override
    public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
        calls.encode(inputs, outputs);
    }

    @Override
    public void encode(byte[][] inputs, byte[][] outputs) throws IOException {
        calls.encode(inputs, outputs);
    }

    @Override
    public boolean preferDirectBuffer() {
        return true;
    }

    @Override
    public void release() {
        calls.release();
    }

    @Override
    public String toString() {
        return calls.toString();
    }
}
